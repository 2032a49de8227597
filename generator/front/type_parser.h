#pragma once

#include <functional>
#include <map>

#include "front/yaml.h"
#include "model/model.h"
#include "text/message.h"

namespace generator {

using TypeIndex = std::map<std::string, std::size_t, std::less<>>;

/// The start of a message; the invalid key type follows.
inline constexpr std::string_view kNoKey = "the key of a Dict must be 'str', an integer or an enum, not ";

std::optional<Type> parse_type(const YamlNode& node, const TypeIndex& types, Diagnostics& diagnostics);

Names simple_types();

Names built_in_types();

bool is_built_in(std::string_view name);

void add_names(const TypeIndex& types, Names& names);

}  // namespace generator
