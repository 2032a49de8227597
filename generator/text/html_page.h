// A self-contained page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace generator {

struct HtmlPage {
  std::string comment;  // at the top; empty: none
  std::string title;
  std::string style;
  std::string body;                  // HTML
  std::vector<std::string> scripts;  // run after `body`, in order
};

/// Returns the page. Its Content-Security-Policy (W3C, level 3) allows its own style and scripts and nothing
/// else: a script that a text in `body` brings along does not run, and nothing is requested. Texts in `body`
/// must be escaped, see html.h.
std::string html_page(const HtmlPage& page);

}  // namespace generator
