// Huge pages for memory that is about to be filled. Touching a page for the first time costs more than
// filling it, and huge pages need 512 times fewer first touches. All of it is advisory: without system
// support, nothing happens.
#pragma once

#include <cstddef>

namespace schemagen {

/// Makes reads of large JSON documents grow the heap of this process first, backed by huge pages. A process
/// that loads one program of a few megabytes is up to a third faster. The effect is permanent: blocks up to
/// 32 MB come from the heap instead of separate mappings, and free memory at its end is not returned.
/// Therefore only applications should call it; this library never does. No-op without glibc.
void prepare_heap_for_values() noexcept;

/// Asks for huge pages for the whole ones within the `bytes` at `at`, which must be untouched.
void prefer_large_pages(void* at, std::size_t bytes) noexcept;

/// If prepare_heap_for_values() was called, grows the heap by the needs of a value of about `bytes` in small
/// pieces, backed by huge pages. Unused memory stays untouched. Keep it alive while the value is made: until
/// then, heap memory before the first huge page is reserved.
class [[nodiscard]] HeapRoom {
 public:
  explicit HeapRoom(std::size_t bytes) noexcept;
  HeapRoom(const HeapRoom&) = delete;
  HeapRoom& operator=(const HeapRoom&) = delete;
  ~HeapRoom();

 private:
  void* before_ = nullptr;
};

}  // namespace schemagen
