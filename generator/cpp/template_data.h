#pragma once

#include "cpp/mustache.h"
#include "model/cpp_names.h"
#include "model/model.h"

namespace generator {

TemplateData::List macro_names(const CppNames& names);

void add_reflection(TemplateData& data, const Model& model, const std::vector<CppName>& type_names);

TemplateData template_data(const Model& model, const std::string& name_space);

}  // namespace generator
