// Long work over the bytes of files and arrays: it hears Ctrl-C, and tells how far it is.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>

#include "pt2/archive/file.h"

namespace pt2::python {

/// One piece of work. Copies are of the same.
class Progress {
 public:
  /// `callable` is None, or is called as callable(done, total), of bytes, some twenty times a second at most.
  explicit Progress(nanobind::handle callable = {});

  /// Adds bytes that will be gone through, which may turn out to be fewer or more.
  void expect(std::uint64_t bytes) const;
  /// For what is gone through without the GIL. It throws what Python's handlers of signals, as for Ctrl-C, or
  /// the callable raise.
  ByteSink watcher() const;
  /// Calls it with all that was expected.
  void finish() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace pt2::python
