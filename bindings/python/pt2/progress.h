#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>

#include "pt2/archive/file.h"

namespace pt2::python {

class Progress {
 public:
  /// Called as callable(done, total), in bytes, at most about twenty times a second.
  explicit Progress(nanobind::handle callable = {});

  void expect(std::uint64_t bytes) const;
  /// Returns a function for work without the GIL. It throws whatever the callable and Python's signal
  /// handlers raise, so Ctrl-C interrupts the work.
  ByteSink watcher() const;
  void finish() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace pt2::python
