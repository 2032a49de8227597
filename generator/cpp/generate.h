#pragma once

#include <string>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// `name_space` is the schema's name if empty. `only` lists names from kTemplateNames; empty means all. A
/// `python_module` adds the source of a Python module with that name.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {},
                                 const std::string& python_module = {});

}  // namespace generator
