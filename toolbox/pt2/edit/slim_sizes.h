// What the parts of a program take.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pt2/edit/slim.h"
#include "pt2/types.h"
#include "schemagen/base/unknown_fields.h"

namespace pt2 {

/// Bytes that parts saved, in the order of the enumerators.
using Savings = std::map<SlimPart, std::uint64_t>;

struct SlimProgram {
  std::string json;                 // of what is left
  std::vector<std::string> unused;  // tensors that are gone
};

/// Takes the parts out of `program`, of which a reader kept `kept`, and adds to `savings` what each saved.
SlimProgram slim_into(ExportedProgram& program, const std::vector<schemagen::UnknownField>& kept,
                      const SlimOptions& options, Savings& savings);

std::vector<SlimSaving> list_of(const Savings& savings);

}  // namespace pt2
