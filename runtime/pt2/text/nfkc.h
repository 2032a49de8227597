#pragma once

#include <string_view>

namespace pt2 {

/// Returns whether `text`, in UTF-8, is its own NFKC form, so that every Python reads such an identifier
/// unchanged. Accepts code points that no identifier has. Returns false for invalid UTF-8, for code points
/// that are unassigned in the table's version of Unicode (nfkc_table.h), and for decomposed Hangul.
bool is_nfkc(std::string_view text);

}  // namespace pt2
