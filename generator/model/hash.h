// Which hash `schemagen hash` is asked for, and whether it is the one that was expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

enum class Projection : std::uint8_t { none, binary, json };

/// The root that is meant where none is named: the only one that the schema has, if it has one.
std::optional<std::size_t> only_root(const Model& model);

/// The text that is hashed: of the whole schema, or of what `root` (an index into `Model::types`) reaches.
/// A projection needs a root.
std::string form_of(const Model& model, std::optional<std::size_t> root, Projection projection);

/// Is it a hash as people write it: at least 16 hexadecimal digits, with or without `sha256:` before them?
bool is_hash(std::string_view text);

/// Does `hash` begin with the digits of `expected`, for which `is_hash` holds?
bool hash_matches(std::string_view hash, std::string_view expected);

}  // namespace generator
