#pragma once

#include <string>

#include "cpp/mustache.h"
#include "model/cpp_names.h"
#include "model/layout.h"
#include "model/model.h"

namespace generator {

TemplateData::List macro_names(const CppNames& names);

TemplateData template_data(const Model& model, const Layout& layout, const std::string& name_space);

}  // namespace generator
