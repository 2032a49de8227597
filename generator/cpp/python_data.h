#pragma once

#include <string>

#include "cpp/template_data.h"
#include "model/model.h"

namespace generator {

/// Sets `python_name`, `python_doc` and `python_property`. Names that Python or the module reserves get a
/// trailing `_`.
void set_python_type(TemplateData& data, const Model& model, const Definition& type);

void set_python_value(TemplateData& data, const Definition& owner, const EnumValue& value);

/// Sets `python_name`, `python_type` (the type when reading), `python_given` (the type when assigning) and
/// related entries. Names that would hide names used in annotations also get a trailing `_`.
void set_python_field(TemplateData& data, const Model& model, const Definition& owner, const Field& field,
                      const std::string& doc);

}  // namespace generator
