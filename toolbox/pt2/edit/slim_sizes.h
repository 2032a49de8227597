#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pt2/edit/slim.h"
#include "pt2/types.h"
#include "schemagen/base/unknown_fields.h"

namespace pt2 {

using Savings = std::map<SlimPart, std::uint64_t>;

struct SlimProgram {
  std::string json;
  std::vector<std::string> unused;
};

SlimProgram slim_into(ExportedProgram& program, const std::vector<schemagen::UnknownField>& kept,
                      const SlimOptions& options, Savings& savings);

std::vector<SlimSaving> list_of(const Savings& savings);

}  // namespace pt2
