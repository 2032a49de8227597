#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

// Bounds on the time that messages about huge input take.
inline constexpr std::size_t kMaxSuggestedName = 64;
inline constexpr std::size_t kMaxCandidates = 1000;

/// Returns the nearest name, ignoring case. Empty if none is near, if `name` exceeds kMaxSuggestedName bytes,
/// or if there are more than kMaxCandidates candidates.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace schemagen
