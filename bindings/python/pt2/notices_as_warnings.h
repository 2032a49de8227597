#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <utility>
#include <vector>

#include "pt2/notices.h"
#include "schemagen/base/quote.h"

namespace pt2::python {

/// Collects what a function tells about a file.
class Notices {
 public:
  explicit Notices(std::string path) : path_(std::move(path)) {}

  NoticeSink notify() {
    return [this](const std::string& notice) { all_.push_back(schemagen::printable(path_ + ": " + notice)); };
  }

  /// Issues them as warnings of the package's caller.
  void warn() const {
    constexpr Py_ssize_t kCaller = 2;
    for (const std::string& notice : all_) {
      if (PyErr_WarnEx(PyExc_UserWarning, notice.c_str(), kCaller) != 0) throw nanobind::python_error();
    }
  }

 private:
  std::string path_;
  std::vector<std::string> all_;
};

}  // namespace pt2::python
