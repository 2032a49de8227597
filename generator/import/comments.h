// Comments of a Python source as documentation.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "import/python_tokens.h"

namespace generator {

/// The comments that say something: not those for linters, and no rulers.
class PythonComments {
 public:
  explicit PythonComments(const std::vector<PythonComment>& comments);

  /// Returns the text of the comments directly above line `first`, then of those behind the code of the lines
  /// up to `last`.
  std::string of(std::size_t first, std::size_t last) const;

 private:
  std::map<std::size_t, std::string> alone_;   // by line
  std::map<std::size_t, std::string> behind_;  // code, by line
};

}  // namespace generator
