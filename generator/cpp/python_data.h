// What the templates of a schema's Python module see beside what those of its C++ code do.
#pragma once

#include <string>

#include "cpp/template_data.h"
#include "model/model.h"

namespace generator {

/// `python_name`, `python_doc` (a literal) of a type, and `python_property`, the decorator. A name that
/// Python keeps for itself, or that every such class or module has, gets `_` behind it.
void set_python_type(TemplateData& data, const Model& model, const Definition& type);

/// `python_name` of a value of an enum.
void set_python_value(TemplateData& data, const Definition& owner, const EnumValue& value);

/// Of a field or member: `python_name`, `python_doc`, `python_type` (what reading gives), `python_given`
/// (what may be assigned), `python_property` and `python_staticmethod`, the decorators. A name that would
/// hide what annotations beside it mean gets `_` behind it, too.
void set_python_field(TemplateData& data, const Model& model, const Definition& owner, const Field& field,
                      const std::string& doc);

}  // namespace generator
