// How threads leave Python and come back to it.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <thread>

namespace schemagen::python {

/// For a thread that Python wants to end. Once the interpreter ends, Python before 3.14 ends the threads that
/// come for the GIL, which glibc does by unwinding them: through destructors, which must not throw, and
/// without the GIL. Such a thread stays where that is caught for what is left of the process, as in 3.14.
[[noreturn]] inline void outlive_python() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// What `call`, which may wait for the GIL, gives; see outlive_python().
template <class Call>
auto outliving_python(const Call& call) {
  try {
    return call();
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    outlive_python();
  }
}

/// While one lives, this thread must not touch anything of Python, and others may.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;
  ~WithoutGil() {
    outliving_python([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// While one lives, this thread, which may be of C++ only, may use Python.
class WithGil {
 public:
  WithGil() : state_(outliving_python(PyGILState_Ensure)) {}
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;
  ~WithGil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

}  // namespace schemagen::python
