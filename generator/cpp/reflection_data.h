// Template data for reflection: types and fields as tables.
#pragma once

#include <string>
#include <vector>

#include "cpp/template_data.h"

namespace generator {

/// Adds the tables of `model` to `data`. `type_names`: the C++ names of its types, in order.
void add_reflection(TemplateData& data, const Model& model, const std::vector<std::string>& type_names);

}  // namespace generator
