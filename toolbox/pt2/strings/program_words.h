#pragma once

#include <string>

#include "pt2/types.h"

namespace pt2 {

struct KindWords {
  const char* meaning;
  const char* singular;
  const char* plural;
};

KindWords words_of(InputSpec::Kind kind);
KindWords words_of(OutputSpec::Kind kind);

/// Returns the release, e.g. `2.13.0+cpu`, or `version not recorded` for the schema's default, which programs
/// of torch up to 2.4 and canonical forms have.
std::string torch_version_text(const ExportedProgram& program);

std::string meaning_text(const InputSpec& spec);
std::string meaning_text(const OutputSpec& spec);

/// Returns a range as text, e.g. `2 <= s0 <= 64`, `s0 >= 2` or `s0 unbounded`.
std::string range_text(const std::string& symbol, const RangeConstraint& range);

}  // namespace pt2
