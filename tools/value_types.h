// The types of the schema by name, for values that are no whole programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemagen/json_options.h"

namespace pt2::tool {

/// A struct or union of the schema.
struct ValueType {
  std::string_view name;
  /// Reads JSON text of this type, and writes the value as JSON. Errors: DataError.
  std::string (*rewrite)(std::string_view json, const schemagen::JsonReadOptions& options);
};

/// The type called `name`; null if the schema has no struct or union of that name.
const ValueType* find_value_type(std::string_view name);

/// The names of all, in the schema's order.
std::vector<std::string> value_type_names();

}  // namespace pt2::tool
