#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// Returns the text escaped for elements and attributes of HTML and SVG.
std::string html_escaped(std::string_view text);

/// Returns the JSON escaped so that no string in it can end a `<script type="application/json">`.
std::string script_data(std::string_view json);

struct HtmlPage {
  std::string comment;
  std::string title;
  std::string style;
  std::string body;
  std::vector<std::string> scripts;
  std::string allowed;  // further directives, e.g. `img-src blob:`
};

/// The Content-Security-Policy (W3C, level 3) allows only the page's own style and scripts: no scripts in
/// `body`, and no requests. Escape text in `body`; see html.h.
std::string html_page(const HtmlPage& page);

}  // namespace generator
