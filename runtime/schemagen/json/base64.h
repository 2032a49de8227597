// Base64 (RFC 4648, the standard alphabet).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/value.h"

namespace schemagen {

/// With padding, on one line.
std::string to_base64(const Bytes& bytes);

/// Takes text with or without padding; nullopt if it is not valid base64 (other characters, a length that
/// cannot be, bits set past the last byte).
std::optional<Bytes> from_base64(std::string_view text);

}  // namespace schemagen
