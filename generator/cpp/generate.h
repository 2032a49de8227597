#pragma once

#include <string>
#include <vector>

#include "cpp/output.h"
#include "model/model.h"

namespace generator {

/// `only` are names of files as in kTemplateNames; empty for all. With `python_module`, also the source of a
/// Python module of this name.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {},
                                 const std::string& python_module = {});

}  // namespace generator
