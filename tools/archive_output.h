// Archives as output: copies of the input with other programs.
#pragma once

#include <string>
#include <vector>

#include "pt2/archive_rewrite.h"

namespace pt2::tool {

/// Writes a copy of `archive` with the `changed` members to the file `out`, or to standard output for `-`.
/// Errors: as rewrite_archive(); IoError.
void write_archive(const Archive& archive, const std::vector<NewMember>& changed, const std::string& out);

}  // namespace pt2::tool
