// Templates, strictly: a name that the view does not have is an error, and nothing is escaped.
#pragma once

#include <string>
#include <string_view>

#include "cpp/view.h"

namespace generator {

/// `text`, a Mustache template, filled in from `view`. A section is a flag or a list, a variable is text.
/// Errors: std::logic_error naming `template_name` and what is wrong with it: it is ours, not the user's.
std::string render(std::string_view template_name, std::string_view text, const View& view);

}  // namespace generator
