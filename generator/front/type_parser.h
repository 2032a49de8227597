// Type expressions such as `Dict[str, List[Node]]`.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "front/diagnostics.h"
#include "front/yaml.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// Types by name, as indices into Model::types.
using TypeIndex = std::map<std::string, std::size_t, std::less<>>;

/// The message about a type that cannot be a Dict key, to be followed by the type.
inline constexpr std::string_view kNoKey = "the key of a Dict must be 'str', an integer or an enum, not ";

/// Returns the type in the scalar `node`, or nullopt after an error.
std::optional<Type> parse_type(const YamlNode& node, const TypeIndex& types, Diagnostics& diagnostics);

/// Returns the built-in types without type arguments.
Names simple_types();

/// Returns all built-in types.
Names built_in_types();

/// Returns whether the language has a type of that name.
bool is_built_in(std::string_view name);

/// Adds the names of the schema's types, up to the limit for suggestions.
void add_names(const TypeIndex& types, Names& names);

}  // namespace generator
