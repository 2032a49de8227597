// Suggestions for names that are not known.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

using Names = std::vector<std::string_view>;

// So that a bad schema of any size gets its messages soon.
inline constexpr std::size_t kMaxSuggestedName = 64;
inline constexpr std::size_t kMaxCandidates = 1000;

/// "did you mean 'x'?" with the candidate that is nearest to `name`; empty if none is near.
/// Limits: no suggestion for a name of more than kMaxSuggestedName bytes or among more than
/// kMaxCandidates candidates.
std::string did_you_mean(std::string_view name, const Names& candidates);

}  // namespace generator
