// The data of the templates of C++ and Python.
#pragma once

#include <string>

#include "cpp/mustache.h"
#include "model/layout.h"
#include "model/model.h"

namespace generator {

/// Returns the names in the generated code of `model`, each as `name` of an item: those of the schema and of
/// what is generated beside them.
TemplateData::List macro_names(const Model& model);

/// Returns the data of `model`, with the C++ spellings of types, names, literals and comments. `name_space`
/// may be nested: "a::b".
TemplateData template_data(const Model& model, const Layout& layout, const std::string& name_space);

}  // namespace generator
