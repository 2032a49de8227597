#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "import/python_tokens.h"

namespace generator {

/// Skips comments for linters, and separator lines.
class PythonComments {
 public:
  explicit PythonComments(const std::vector<PythonComment>& comments);

  /// Returns the comments directly above line `first`, followed by the comments after code on lines `first`
  /// to `last`.
  std::string of(std::size_t first, std::size_t last) const;

 private:
  std::map<std::size_t, std::string> alone_;
  std::map<std::size_t, std::string> behind_;
};

}  // namespace generator
