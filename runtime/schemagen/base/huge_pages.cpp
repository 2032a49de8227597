#include "schemagen/base/huge_pages.h"

#include "schemagen/base/limits.h"

#if defined(__linux__)
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#endif

namespace schemagen {

#if defined(__linux__) && defined(MADV_HUGEPAGE)

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

std::atomic<bool> is_prepared{false};

}  // namespace

void prefer_large_pages(void* at, std::size_t bytes) noexcept {
  const auto begin = (reinterpret_cast<std::uintptr_t>(at) + kLargePage - 1) / kLargePage * kLargePage;
  const auto end = (reinterpret_cast<std::uintptr_t>(at) + bytes) / kLargePage * kLargePage;
  // The system may refuse; nothing depends on it. NOLINTNEXTLINE(performance-no-int-to-ptr)
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void prepare_heap_for_values() noexcept {
  is_prepared = true;
}

HeapRoom::HeapRoom(std::size_t bytes) noexcept {
  if (!is_prepared) return;
  // The largest block on glibc's heap.
  constexpr std::size_t kMost = std::size_t{31} << 20;
  if (bytes < kLargePage) return;
  bytes = std::min((bytes + kLargePage - 1) / kLargePage * kLargePage, kMost - kLargePage);
  // glibc maps a block of this size separately until one has been freed. From then on, it allocates such
  // blocks on the heap, and keeps memory freed at its end. Volatile, because compilers may omit an unused
  // allocation.
  void* volatile block = std::malloc(bytes + kLargePage);
  std::free(block);
  block = std::malloc(bytes + kLargePage);
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t aligned = (begin + kLargePage - 1) / kLargePage * kLargePage;
  if (block != nullptr) prefer_large_pages(block, bytes + kLargePage);
  std::free(block);
  constexpr std::uintptr_t kHeader = 64;  // more than malloc stores before a block
  if (aligned - begin > kHeader) before_ = std::malloc(aligned - begin - kHeader);
}

HeapRoom::~HeapRoom() {
  std::free(before_);
}

#else

void prefer_large_pages(void*, std::size_t) noexcept {}
void prepare_heap_for_values() noexcept {}
HeapRoom::HeapRoom(std::size_t) noexcept {}
HeapRoom::~HeapRoom() = default;

#endif

}  // namespace schemagen
