#pragma once

#include <string>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// Returns the generated files. If `name_space` is empty, they use the schema's name. `only` lists names of
/// files as in kTemplateNames; empty means all. With `python_module`, adds the source of a Python module with
/// this name.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {},
                                 const std::string& python_module = {});

}  // namespace generator
