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
  bool plain_tree = false;          // no classes in the trees of inputs and outputs
  std::optional<std::string> into;  // nullopt: IN
};

/// Throws UsageError if OUT is an archive but none can be copied, and the errors of load_program() and
/// save_program().
void convert(const Conversion& conversion);

}  // namespace pt2::tool
