// What a command writes: to a file, or for `-` to standard output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive_rewrite.h"

namespace pt2::tool {

/// Writes `bytes` to `out`. A file appears whole or not at all. Errors: IoError.
void write_bytes(std::string_view bytes, const std::string& out);

/// Writes a copy of `archive` with the `changed` members to `out`. Errors: as rewrite_archive(); IoError.
void write_archive(const Archive& archive, const std::vector<NewMember>& changed, const std::string& out);

}  // namespace pt2::tool
