// The stages from a schema to generated files, one line each.
#pragma once

#include <string>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// The files that are generated for `model`, in `folder`. `name_space` is that of the C++ code.
/// `only`: names of files, as in kTemplateNames; empty: all. `python_module`: the name of a Python module,
/// whose source is then made too; empty: none.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {},
                                 const std::string& python_module = {});

}  // namespace generator
