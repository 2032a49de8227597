// Additional template data for a schema's Python module.
#pragma once

#include <string>

#include "cpp/template_data.h"
#include "model/model.h"

namespace generator {

/// Sets `python_name`, `python_doc` (a literal) and `python_property` (the decorator) of a type. Names that
/// Python or the module reserves get a trailing `_`.
void set_python_type(TemplateData& data, const Model& model, const Definition& type);

/// Sets `python_name` of an enum value.
void set_python_value(TemplateData& data, const Definition& owner, const EnumValue& value);

/// Sets `python_name`, `python_doc`, `python_type` (for reading), `python_given` (for assignment),
/// `python_property` (the decorator), and `python_is_required` and `python_default` (in constructors) of a
/// field or member. Names that would hide names used in annotations also get a trailing `_`.
void set_python_field(TemplateData& data, const Model& model, const Definition& owner, const Field& field,
                      const std::string& doc);

}  // namespace generator
