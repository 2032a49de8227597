// The stages from a schema file to generated files, one line each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "model.h"
#include "output.h"

namespace schemagen {

/// The schema in `text`, checked; nullopt if it has errors, which are then in `diagnostics`.
std::optional<Model> load_model(Diagnostics& diagnostics);

/// The files that are generated for `model`, in `folder`. `name_space` is that of the C++ code.
/// `only`: names of files, as in kTemplateNames; empty: all.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {});

}  // namespace schemagen
