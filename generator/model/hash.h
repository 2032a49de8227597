// Selects the hash for `schemagen hash`, and compares it with the expected one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

enum class Projection : std::uint8_t { none, binary, json };

/// Returns the schema's only root, if it has exactly one.
std::optional<std::size_t> only_root(const Model& model);

/// Returns the text to hash: the whole schema, or what `root` (an index into `Model::types`) reaches. A
/// projection requires a root.
std::string form_of(const Model& model, std::optional<std::size_t> root, Projection projection);

/// Returns whether it is at least 16 hexadecimal digits, optionally after `sha256:`.
bool is_hash(std::string_view text);

/// Returns whether `hash` begins with the digits of `expected`, for which `is_hash` must hold.
bool hash_matches(std::string_view hash, std::string_view expected);

}  // namespace generator
