// Converts a program or value to another format or into another archive.
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

/// Reads IN and writes OUT, completely or not at all. Throws UsageError if OUT is an archive and there is
/// none to copy; also what load_program() and save_program() throw.
void convert(const Conversion& conversion);

}  // namespace pt2::tool
