// Tar archives of all dialects.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether Python's tarfile takes the first 512 bytes for the header of a member: all dialects have a
/// checksum, which tells them from other data, and not all have a word for what they are.
bool looks_like_tar(std::string_view bytes);

}  // namespace pt2
