#pragma once

#include <string>
#include <vector>

#include "cpp/template_data.h"

namespace generator {

void add_reflection(TemplateData& data, const Model& model, const std::vector<std::string>& type_names);

}  // namespace generator
