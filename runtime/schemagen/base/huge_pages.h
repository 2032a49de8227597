// Pages of memory that are about to be filled. The first touch of a page costs more than what is then
// written to it, and large pages are touched for the first time 512 times less often. All of it is advice:
// where the system takes none, nothing happens.
#pragma once

#include <cstddef>

namespace schemagen {

/// From now on, reading a large JSON document first makes the heap of this process grow by what its value
/// will need, with large pages behind it: a process that loads one program of some megabytes is up to a third
/// faster. It stays so: blocks up to 32 MB then come from the heap instead of a mapping of their own, and as
/// much at its end is not given back. So it is for applications, such as commands, and nothing in this
/// library calls it. Does nothing but with glibc.
void prepare_heap_for_values() noexcept;

/// Asks for large pages behind the `bytes` at `at`, of which nothing has been touched yet, as far as whole
/// ones lie in them.
void prefer_large_pages(void* at, std::size_t bytes) noexcept;

/// Where the application has asked for it, see prepare_heap_for_values(): makes the heap grow at once by what
/// a value of about `bytes` in small pieces will need, with large pages behind it. What is not used is not
/// touched. To be kept while the value is made: what lies in the heap before the first large page is not
/// given away until then.
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
