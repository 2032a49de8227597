// Strict templates: unknown names are errors, and nothing is escaped.
#pragma once

#include <string>
#include <string_view>

#include "cpp/template_data.h"

namespace generator {

/// Renders `text`, a Mustache template, with `data`. Sections are flags or lists, variables are text. Throws
/// std::logic_error with `template_name` if the template is faulty.
std::string render(std::string_view template_name, std::string_view text, const TemplateData& data);

}  // namespace generator
