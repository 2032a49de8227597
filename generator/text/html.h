#pragma once

#include <string>
#include <string_view>

namespace schemagen {

/// Escapes text for elements and attributes of HTML and SVG.
std::string html_escaped(std::string_view text);

/// Escapes JSON for a `<script type="application/json">`: no string in `json` can end the element.
std::string script_data(std::string_view json);

}  // namespace schemagen
