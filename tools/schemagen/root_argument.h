// The option --root of commands on one type of a schema.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

/// Returns a hint with the names of the roots, or that there are none.
std::string root_names(const Model& model);

/// Returns the type `name` of the schema in the file `schema` as an index into Model::types, or nothing after
/// printing a usage error of `command`.
std::optional<std::size_t> find_root(std::string_view command, const std::string& schema, const Model& model,
                                     const std::string& name);

}  // namespace generator
