// Memory that runs out: replaces operator new of the program that one of its sources is included in.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

/// How many more allocations of this thread succeed; below 0: all.
inline thread_local long allocations_left = -1;

/// While it lives, all allocations of its thread fail after the first `successes`.
class FailingAllocations {
 public:
  explicit FailingAllocations(long successes) { allocations_left = successes; }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations() { allocations_left = -1; }
};

// All forms but those with an alignment: a sanitizer's own would not call these.
void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
  return operator new(size, nothrow);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
