// Writing a program or value in another format, or into another archive.
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
  std::optional<std::string> value_type;  // IN is a value of this type of the schema; nullopt: a program
  bool plain_tree = false;                // replaces classes in the trees of inputs and outputs
  std::optional<std::string> into;        // the archive that OUT is a copy of; nullopt: IN
};

/// Reads IN and writes OUT, whole or not at all. Errors: UsageError if OUT is an archive and no archive is
/// there to copy; those of load_program() and save_program().
void convert(const Conversion& conversion);

}  // namespace pt2::tool
