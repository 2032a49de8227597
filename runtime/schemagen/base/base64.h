// RFC 4648, standard alphabet.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/value.h"

namespace schemagen {

std::string to_base64(const Bytes& bytes);

/// Returns the decoded bytes of text with or without padding; nullopt for other characters, an impossible
/// length, or bits after the last byte.
std::optional<Bytes> from_base64(std::string_view text);

}  // namespace schemagen
