#pragma once

#include <string_view>

namespace pt2 {

/// Returns whether Python's tarfile accepts the first 512 bytes as a member's header. All dialects have a
/// checksum, but not all have a magic string.
bool looks_like_tar(std::string_view bytes);

}  // namespace pt2
