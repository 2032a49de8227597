#include "text/html.h"

#include <array>
#include "schemagen/base/base64.h"
#include "schemagen/base/sha256.h"
#include "text/characters.h"
#include "text/message.h"

namespace generator {
std::string html_escaped(std::string_view text) {
  return replaced(text, "&<>\"", {"&amp;", "&lt;", "&gt;", "&quot;"});
}

std::string script_data(std::string_view json) {
  return replaced(json, "<", {"\\u003c"});
}

namespace {

std::string policy_source(std::string_view content) {
  schemagen::Sha256 hash;
  hash.update(content);
  const std::array<unsigned char, 32> digest = hash.digest();
  return " 'sha256-" + schemagen::to_base64({digest.begin(), digest.end()}) + "'";
}

}  // namespace

std::string html_page(const HtmlPage& page) {
  const std::string style = "\n" + page.style;
  std::string policy = "default-src 'none'; style-src" + policy_source(style);
  if (!page.allowed.empty()) policy += "; " + page.allowed;
  if (!page.scripts.empty()) policy += "; script-src";
  std::string scripts;
  for (const std::string& script : page.scripts) {
    const std::string content = "\n" + script + "\n";
    policy += policy_source(content);
    scripts += "<script>" + content + "</script>\n";
  }
  const std::string comment = page.comment.empty() ? "" : "<!-- " + page.comment + " -->\n";
  return filled(
      "<!DOCTYPE html>\n$<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"$\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>$</title>\n<style>$</style>\n</head>\n<body>\n$$</body>\n</html>\n",
      comment, policy, html_escaped(page.title), style, page.body, scripts);
}

}  // namespace generator
