// The part of the view that describes the schema itself: types and fields as tables.
#pragma once

#include <string>
#include <vector>

#include "cpp/view.h"

namespace generator {

/// Adds the tables of `model` to `view`. `type_names`: what its types are called in C++, in their order.
void add_reflection(View& view, const Model& model, const std::vector<std::string>& type_names);

}  // namespace generator
