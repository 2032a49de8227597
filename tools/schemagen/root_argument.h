// The option --root of commands that are about one type of a schema.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

/// For a hint: the names of the roots, or that there are none.
std::string root_names(const Model& model);

/// The type called `name` of the schema in the file `schema`, an index into Model::types. Errors: none, after
/// a usage error of `command` is on stderr.
std::optional<std::size_t> find_root(std::string_view command, const std::string& schema, const Model& model,
                                     const std::string& name);

}  // namespace generator
