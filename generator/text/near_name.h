#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/near_name.h"

namespace generator {

using Names = std::vector<std::string_view>;

using schemagen::did_you_mean;
using schemagen::kMaxCandidates;
using schemagen::nearest_name;

std::string with_suggestion(const std::string& message, std::string_view name,
                            const std::vector<std::string>& candidates);

}  // namespace generator
