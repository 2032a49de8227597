// Huge pages for memory that is about to be filled. The first access to a page takes longer than filling it,
// and huge pages need 512 times fewer first accesses. These functions are only advice: without system
// support, they do nothing.
#pragma once

#include <cstddef>

namespace schemagen {

/// From now on, makes reading a large JSON document first grow this process's heap, backed by huge pages. A
/// process that loads one program of a few megabytes becomes up to a third faster. The effect is permanent:
/// blocks up to 32 MB come from the heap instead of separate mappings, and free memory at the heap's end is
/// not returned. Only applications should call this; this library never does. No-op without glibc.
void prepare_heap_for_values() noexcept;

/// Asks for huge pages for those that lie completely within the `bytes` at `at`, which must not have been
/// accessed yet.
void prefer_large_pages(void* at, std::size_t bytes) noexcept;

/// If prepare_heap_for_values() was called, grows the heap by what a value of about `bytes` needs when
/// allocated in small pieces, backed by huge pages. Unused memory is not touched. Keep the object alive until
/// the value is complete: until then it reserves the heap memory before the first huge page.
class [[nodiscard]] HeapRoom {
 public:
  explicit HeapRoom(std::size_t bytes) noexcept;
  HeapRoom(const HeapRoom&) = delete;
  HeapRoom& operator=(const HeapRoom&) = delete;
  ~HeapRoom();

 private:
  [[maybe_unused]] void* before_ = nullptr;
};

}  // namespace schemagen
