// The data of the templates of C++ and Python.
#pragma once

#include <string>

#include "cpp/mustache.h"
#include "model/cpp_names.h"
#include "model/layout.h"
#include "model/model.h"

namespace generator {

/// Returns all names in the generated code of a schema with these names, each as `name` of an item.
TemplateData::List macro_names(const CppNames& names);

/// Returns the data of `model`, with the C++ spellings of types, names, literals and comments. `name_space`
/// may be nested: "a::b".
TemplateData template_data(const Model& model, const Layout& layout, const std::string& name_space);

}  // namespace generator
