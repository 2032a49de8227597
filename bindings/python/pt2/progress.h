// Progress of long work on files and arrays, interruptible by Ctrl-C.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>

#include "pt2/archive/file.h"

namespace pt2::python {

/// One piece of work, which copies share.
class Progress {
 public:
  /// `callable` is None, or is called as callable(done, total), in bytes, at most about twenty times a
  /// second.
  explicit Progress(nanobind::handle callable = {});

  /// Adds to the estimated total.
  void expect(std::uint64_t bytes) const;
  /// For work without the GIL. It throws what Python's signal handlers, as for Ctrl-C, or the callable raise.
  ByteSink watcher() const;
  /// Reports completion.
  void finish() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace pt2::python
