// Measures what parts of a program take.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pt2/edit/slim.h"
#include "pt2/types.h"
#include "schemagen/base/unknown_fields.h"

namespace pt2 {

/// Saved bytes by part.
using Savings = std::map<SlimPart, std::uint64_t>;

struct SlimProgram {
  std::string json;                 // of the slimmed program
  std::vector<std::string> unused;  // names of dropped tensors
};

/// Drops the parts from `program`, which has the unknown fields `kept`, and adds the saved bytes to
/// `savings`.
SlimProgram slim_into(ExportedProgram& program, const std::vector<schemagen::UnknownField>& kept,
                      const SlimOptions& options, Savings& savings);

std::vector<SlimSaving> list_of(const Savings& savings);

}  // namespace pt2
