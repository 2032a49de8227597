#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

std::string root_names(const Model& model);

/// Returns nullopt after printing a usage error of `command`.
std::optional<std::size_t> find_root(std::string_view command, const std::string& schema, const Model& model,
                                     const std::string& name);

}  // namespace generator
