// Unicode normalization as Python applies it to identifiers.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether every Python reads an identifier spelled as `text`, in UTF-8, as just that: its NFKC form is
/// `text`. Code points that no identifier has are taken as they are. False also for bad UTF-8, for code
/// points that the table's version of Unicode (nfkc_table.h) has not assigned, and for Hangul in single
/// letters.
bool is_nfkc(std::string_view text);

}  // namespace pt2
