// Replaces operator new in the program that includes this and, with PT2_FAILING_MALLOC, malloc for libraries.
// Sanitizers replace malloc.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

/// This thread's allocations that succeed before some fail; negative: all.
inline thread_local long allocations_left = -1;
/// How many fail then.
inline thread_local long failures_left = 0;

/// In its thread, the first `successes` allocations succeed and the next `failures`, by default all others,
/// fail.
class FailingAllocations {
 public:
  explicit FailingAllocations(long successes, long failures = std::numeric_limits<long>::max())
      : failures_(failures) {
    failures_left = failures;
    allocations_left = successes;
  }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations() { allocations_left = -1; }

  bool have_failed() const { return failures_left != failures_; }

 private:
  long failures_;
};

inline bool take_allocation() noexcept {
  if (allocations_left < 0) return true;
  if (allocations_left > 0) {
    --allocations_left;
    return true;
  }
  if (failures_left == 0) return true;
  --failures_left;
  errno = ENOMEM;
  return false;
}

#ifdef PT2_FAILING_MALLOC
extern "C" {
void* __libc_malloc(std::size_t size) noexcept;
void* __libc_calloc(std::size_t count, std::size_t size) noexcept;
void* __libc_realloc(void* memory, std::size_t size) noexcept;

void* malloc(std::size_t size) noexcept {
  return take_allocation() ? __libc_malloc(size) : nullptr;
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  return take_allocation() ? __libc_calloc(count, size) : nullptr;
}
void* realloc(void* memory, std::size_t size) noexcept {
  return take_allocation() ? __libc_realloc(memory, size) : nullptr;
}
}
inline void* counted_malloc(std::size_t size) noexcept {
  return std::malloc(size);
}
#else
inline void* counted_malloc(std::size_t size) noexcept {
  return take_allocation() ? std::malloc(size) : nullptr;
}
#endif

// All forms except aligned ones, because a sanitizer's would not call these.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted_malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* const memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
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
