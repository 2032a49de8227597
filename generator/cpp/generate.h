// Generates the C++ files of a schema.
#pragma once

#include <string>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// Returns the generated files of `model`, in `folder`, with C++ code in `name_space`. `only`: names of files
/// as in kTemplateNames, or empty for all. `python_module`: also generates the source of a Python module of
/// this name, unless empty.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {},
                                 const std::string& python_module = {});

}  // namespace generator
