#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

enum class Projection : std::uint8_t { none, binary, json };

/// nullopt if there are none or several.
std::optional<std::size_t> only_root(const Model& model);

/// The whole schema, or what `root` (an index into `Model::types`) reaches. A projection requires a root.
std::string form_of(const Model& model, std::optional<std::size_t> root, Projection projection);

/// At least 16 hexadecimal digits, optionally after `sha256:`.
bool is_hash(std::string_view text);

/// `hash` begins with the digits of `expected`, for which `is_hash` must hold.
bool hash_matches(std::string_view hash, std::string_view expected);

}  // namespace generator
