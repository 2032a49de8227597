// Defines a mutex that also compiles on systems without threads, where the standard library has none.
#pragma once

#include <cstddef>  // defines the macros that identify the standard library

// GCC's library defines macros for the features that it has. LLVM's library, up to version 18, defines macros
// for the features that it lacks.
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_HAS_GTHREADS)
#define SCHEMAGEN_HAS_THREADS 0
#elif defined(_LIBCPP_HAS_NO_THREADS)
#define SCHEMAGEN_HAS_THREADS 0
#elif defined(_LIBCPP_HAS_THREADS)
#define SCHEMAGEN_HAS_THREADS _LIBCPP_HAS_THREADS
#else
#define SCHEMAGEN_HAS_THREADS 1
#endif

#if SCHEMAGEN_HAS_THREADS
#include <mutex>
#endif

namespace schemagen {

#if SCHEMAGEN_HAS_THREADS
using Mutex = std::mutex;
#else
class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() noexcept {}
  void unlock() noexcept {}
};
#endif

class [[nodiscard]] MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace schemagen

#undef SCHEMAGEN_HAS_THREADS
