#pragma once

#include <string>
#include <string_view>

namespace schemagen {

/// For elements and attributes of HTML and SVG.
std::string html_escaped(std::string_view text);

/// No string in `json` can end a `<script type="application/json">`.
std::string script_data(std::string_view json);

}  // namespace schemagen
