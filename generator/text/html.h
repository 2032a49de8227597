// Text in pages.
#pragma once

#include <string>
#include <string_view>

namespace schemagen {

/// `text` for HTML and SVG, within elements and attributes.
std::string html_escaped(std::string_view text);

/// `json`, valid JSON, as the content of a `<script type="application/json">`, which no text in it can end.
std::string script_data(std::string_view json);

}  // namespace schemagen
