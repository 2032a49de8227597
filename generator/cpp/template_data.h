#pragma once

#include <string>

#include "cpp/mustache.h"
#include "model/cpp_names.h"
#include "model/layout.h"
#include "model/model.h"

namespace generator {

/// All names in the generated code, each as `name` of an item.
TemplateData::List macro_names(const CppNames& names);

/// `name_space` may be nested: "a::b".
TemplateData template_data(const Model& model, const Layout& layout, const std::string& name_space);

}  // namespace generator
