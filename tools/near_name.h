// "Did you mean ...?"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2::tool {

/// The one of `names` that `typed` was most likely meant to be; nullopt if none is close. Case does not
/// count.
std::optional<std::string> near_name(std::string_view typed, const std::vector<std::string>& names);

/// `, did you mean 'x'?`; empty if none is close.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace pt2::tool
