#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

enum class Projection : std::uint8_t { none, binary, json };

/// Returns the schema's root, or nullopt unless there is exactly one.
std::optional<std::size_t> only_root(const Model& model);

/// Returns the text to hash for the whole schema, or for the types that `root` (an index into `Model::types`)
/// refers to. A projection requires a root.
std::string form_of(const Model& model, std::optional<std::size_t> root, Projection projection);

/// Returns whether `text` consists of at least 16 hexadecimal digits, optionally after `sha256:`.
bool is_hash(std::string_view text);

/// Returns whether `hash` begins with the digits of `expected`, which must satisfy is_hash().
bool hash_matches(std::string_view hash, std::string_view expected);

}  // namespace generator
