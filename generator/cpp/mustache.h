// Templates, strictly: a name that the data does not have is an error, and nothing is escaped.
#pragma once

#include <string>
#include <string_view>

#include "cpp/template_data.h"

namespace generator {

/// `text`, a Mustache template, filled in from `data`. A section is a flag or a list, a variable is text.
/// Errors: std::logic_error naming `template_name` and what is wrong with it: it is ours, not the user's.
std::string render(std::string_view template_name, std::string_view text, const TemplateData& data);

}  // namespace generator
