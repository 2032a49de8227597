// Nodes to Model: the meaning of the schema language, and every error a schema can have.
#pragma once

#include <optional>
#include <string_view>

#include "diagnostics.h"
#include "model.h"
#include "yaml.h"

namespace schemagen {

/// The schema that `root` (from `parse_yaml`) describes; none if `diagnostics` then has errors,
/// those of `parse_yaml` included. What could not be parsed causes no further messages.
/// Errors: all that the schema has are added to `diagnostics`.
std::optional<Model> resolve(const YamlNode& root, Diagnostics& diagnostics);

/// Is it a keyword of C++ (up to C++20) or one of its alternative tokens, like `and`?
bool is_cpp_keyword(std::string_view word);

}  // namespace schemagen
