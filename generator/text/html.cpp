#include "text/html.h"

namespace schemagen {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const std::string_view escaped = entity(c);
    escaped.empty() ? out += c : out += escaped;
  }
  return out;
}

std::string script_data(std::string_view json) {
  std::string out;
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

}  // namespace schemagen
