// Suggestions for names of a schema that are not known.
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

/// `message`, and behind it `, did you mean 'x'?` if there is one.
std::string with_suggestion(const std::string& message, std::string_view name,
                            const std::vector<std::string>& candidates);

}  // namespace generator
