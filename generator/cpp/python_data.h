#pragma once

#include <string>

#include "cpp/template_data.h"
#include "model/model.h"

namespace generator {

/// Names that Python or the module reserves get a trailing `_`.
void set_python_type(TemplateData& data, const Model& model, const Definition& type);

void set_python_value(TemplateData& data, const Definition& owner, const EnumValue& value);

/// `python_type` is for reading, and `python_given` is for assigning. Names that annotations need also get a
/// trailing `_`.
void set_python_field(TemplateData& data, const Model& model, const Definition& owner, const Field& field,
                      const std::string& doc);

}  // namespace generator
