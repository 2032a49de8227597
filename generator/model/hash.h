#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

enum class Projection : std::uint8_t { none, binary, json };

/// nullopt unless the schema has exactly one root.
std::optional<std::size_t> only_root(const Model& model);

/// The text to hash: of the whole schema, or of the types that `root` (an index into `Model::types`) refers
/// to. A projection requires a root.
std::string form_of(const Model& model, std::optional<std::size_t> root, Projection projection);

/// At least 16 hexadecimal digits, optionally after `sha256:`.
bool is_hash(std::string_view text);

/// `expected`, which must satisfy is_hash(), is a prefix of `hash`.
bool hash_matches(std::string_view hash, std::string_view expected);

}  // namespace generator
