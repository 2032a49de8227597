#pragma once

#include <string_view>
#include <vector>

#include "schemagen/base/near_name.h"

namespace generator {

using Names = std::vector<std::string_view>;

using schemagen::did_you_mean;
using schemagen::kMaxCandidates;
using schemagen::nearest_name;
using schemagen::with_suggestion;

}  // namespace generator
