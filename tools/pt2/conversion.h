#pragma once

#include <optional>
#include <string>

#include "output_format.h"
#include "pt2/program.h"

namespace pt2::tool {

struct Conversion {
  std::string in;
  std::string out;
  OutputFormat output;
  LoadOptions loading;
  std::optional<std::string> value_type;
  bool plain_tree = false;          // whether to replace the classes in the trees of inputs and outputs
  std::optional<std::string> into;  // nullopt means IN
};

/// Throws UsageError if OUT is an archive but there is no archive to copy. Also throws whatever
/// load_program() and save_program() throw.
void convert(const Conversion& conversion);

}  // namespace pt2::tool
