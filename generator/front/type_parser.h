// Type expressions, as `Dict[str, List[Node]]`.
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

/// The types of a schema by name: their indices in Model::types.
using TypeIndex = std::map<std::string, std::size_t, std::less<>>;

/// What is said of a type that cannot be a Dict's key, before its name.
inline constexpr std::string_view kNoKey = "the key of a Dict must be 'str', an integer or an enum, not ";

/// The type that the scalar `node` says; none after an error, which is added to `diagnostics`.
std::optional<Type> parse_type(const YamlNode& node, const TypeIndex& types, Diagnostics& diagnostics);

/// The built-in types that take no other in brackets.
Names simple_types();

/// All built-in types.
Names built_in_types();

/// Whether a type of that name is part of the language.
bool is_built_in(std::string_view name);

/// Adds the names of the types of the schema; only as many as could get a suggestion.
void add_names(const TypeIndex& types, Names& names);

}  // namespace generator
