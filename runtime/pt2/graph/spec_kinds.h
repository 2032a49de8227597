#pragma once

#include "pt2/types.h"

namespace pt2 {

struct SpecKind {
  const char* torch_name;
  int torch_rank;  // Returns the rank by which torch's canonicalize sorts; -1 for unset.
};

SpecKind spec_kind(InputSpec::Kind kind) noexcept;
SpecKind spec_kind(OutputSpec::Kind kind) noexcept;

}  // namespace pt2
