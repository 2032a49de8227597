// Suggestions for names that are not known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schemagen {

// So that bad input of any size gets its messages soon.
inline constexpr std::size_t kMaxSuggestedName = 64;
inline constexpr std::size_t kMaxCandidates = 1000;

/// The candidate that `name` was most likely meant to be, case ignored; empty if none is near.
/// Limits: none for a name of more than kMaxSuggestedName bytes or among more than kMaxCandidates candidates.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

/// "did you mean 'x'?" with that candidate; empty if there is none.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace schemagen
