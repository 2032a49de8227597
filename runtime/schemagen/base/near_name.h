#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

// These bounds limit the time that suggestions for huge inputs take.
inline constexpr std::size_t kMaxSuggestedName = 64;
inline constexpr std::size_t kMaxCandidates = 1000;

/// Returns the candidate nearest to `name`, ignoring case. Returns an empty string if no candidate is near,
/// if `name` exceeds kMaxSuggestedName bytes, or if there are more than kMaxCandidates candidates.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

/// Returns the message, followed by did_you_mean() if there is a near candidate.
std::string with_suggestion(const std::string& message, std::string_view name,
                            const std::vector<std::string_view>& candidates);

}  // namespace schemagen
