#include "schemagen/value/pages.h"

#if defined(__linux__)
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#endif

namespace schemagen {

#if defined(__linux__) && defined(MADV_HUGEPAGE)

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

void prefer_large_pages(void* at, std::size_t bytes) noexcept {
  const auto begin = (reinterpret_cast<std::uintptr_t>(at) + kLargePage - 1) / kLargePage * kLargePage;
  const auto end = (reinterpret_cast<std::uintptr_t>(at) + bytes) / kLargePage * kLargePage;
  // It may be refused; nothing depends on it. NOLINTNEXTLINE(performance-no-int-to-ptr)
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void prepare_heap(std::size_t bytes) noexcept {
  // The largest block that glibc takes from its heap.
  constexpr std::size_t kMost = std::size_t{31} << 20;
  if (bytes < kLargePage) return;
  bytes = std::min(bytes, kMost);
  // A block of this size is mapped on its own, until one has been freed: then the heap holds such, and keeps
  // what of them is freed at its end. Volatile, as a block that nobody uses need not be allocated.
  void* volatile block = std::malloc(bytes);
  std::free(block);
  block = std::malloc(bytes);
  if (block != nullptr) prefer_large_pages(block, bytes);
  std::free(block);
}

#else

void prefer_large_pages(void*, std::size_t) noexcept {}
void prepare_heap(std::size_t) noexcept {}

#endif

}  // namespace schemagen
