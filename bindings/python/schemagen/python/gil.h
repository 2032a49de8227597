#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <thread>

namespace schemagen::python {

/// Never returns. At exit, Python before 3.14 ends threads that ask for the GIL; glibc then unwinds them,
/// without the GIL, through destructors, which must not throw. As in 3.14, such a thread waits here instead.
[[noreturn]] inline void outlive_python() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// `call` may wait for the GIL; see outlive_python().
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
