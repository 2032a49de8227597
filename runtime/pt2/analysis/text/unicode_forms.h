// Forms of Unicode. All functions may be called from several threads at once.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether NFKC, by which Python reads identifiers, is sure to leave `text` as it is. False also for some
/// texts that it leaves alone: those with combining marks, or characters that Unicode 14 has not assigned.
bool is_settled_nfkc(std::string_view text);

}  // namespace pt2
