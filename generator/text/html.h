#pragma once

#include <string>
#include <string_view>

namespace schemagen {

/// Returns the text escaped for elements and attributes of HTML and SVG.
std::string html_escaped(std::string_view text);

/// Returns the JSON escaped so that no string in it can end a `<script type="application/json">`.
std::string script_data(std::string_view json);

}  // namespace schemagen
