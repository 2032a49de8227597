// Bytes as text: base64 as in RFC 4648, with the standard alphabet, and hexadecimal digits.
#pragma once

#include <optional>
#include <string_view>

#include "schemagen/base/value.h"

namespace schemagen {

std::string to_base64(const Bytes& bytes);

/// Returns the bytes that `text` encodes, with or without padding. Returns nullopt if `text` has other
/// characters or an impossible length, or if bits other than 0 follow the last byte.
std::optional<Bytes> from_base64(std::string_view text);

/// Returns two hexadecimal digits per byte, with `between` between bytes.
std::string hex_text(std::string_view bytes, std::string_view between = {});

}  // namespace schemagen
