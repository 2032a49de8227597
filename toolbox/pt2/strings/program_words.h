// What parts of a program are called where people read of them.
#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

/// The release that wrote the program: `2.13.0+cpu`. `version not recorded` for the schema's default, which
/// stands for releases that did not say (torch up to 2.4), and is what canonical forms set.
std::string torch_version_text(const ExportedProgram& program);

/// What an input or output stands for: `parameter "layer.weight"`, `user output`.
std::string meaning_text(const InputSpec& spec);
std::string meaning_text(const OutputSpec& spec);

/// `2 <= s0 <= 64`, `s0 >= 2`, `s0 unbounded`; `symbol` may be any expression.
std::string range_text(const std::string& symbol, const RangeConstraint& range);

}  // namespace pt2
