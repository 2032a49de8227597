// The part of the data that describes the schema itself: types and fields as tables.
#pragma once

#include <string>
#include <vector>

#include "cpp/template_data.h"

namespace generator {

/// Adds the tables of `model` to `data`. `type_names`: what its types are called in C++, in their order.
void add_reflection(TemplateData& data, const Model& model, const std::vector<std::string>& type_names);

}  // namespace generator
