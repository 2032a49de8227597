// Comments of a Python source as documentation.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "import/python_tokens.h"

namespace generator {

/// Skips comments for linters, and rulers.
class PythonComments {
 public:
  explicit PythonComments(const std::vector<PythonComment>& comments);

  /// Comments directly above line `first`, then those after the code of lines up to `last`.
  std::string of(std::size_t first, std::size_t last) const;

 private:
  std::map<std::size_t, std::string> alone_;
  std::map<std::size_t, std::string> behind_;
};

}  // namespace generator
