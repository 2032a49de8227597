#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace generator {

struct HtmlPage {
  std::string comment;
  std::string title;
  std::string style;
  std::string body;
  std::vector<std::string> scripts;
  std::string allowed;  // further directives of the policy, e.g. `img-src blob:`
};

/// Returns a page whose Content-Security-Policy (W3C, level 3) allows only its own style and scripts: scripts
/// inside `body` do not run, and the page makes no requests. Text in `body` must be escaped; see html.h.
std::string html_page(const HtmlPage& page);

}  // namespace generator
