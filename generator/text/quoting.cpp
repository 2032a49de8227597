#include "text/quoting.h"

#include "schemagen/base/utf8.h"
#include "text/characters.h"
#include "text/json_text.h"

namespace generator {
std::string python_repr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  constexpr std::string_view kEscaped = "\\\n\r\t";
  constexpr std::string_view kLetters = "\\nrt";
  std::string out(1, quote);
  for (const char c : text) {
    const std::size_t known = kEscaped.find(c);
    if (c == quote || known != kEscaped.npos) {
      out += '\\';
      out += c == quote ? c : kLetters[known];
    } else if ((c >= 0 && c < ' ') || c == '\x7f') {
      out += "\\x" + hex(static_cast<unsigned char>(c), 2);
    } else {
      out += c;
    }
  }
  return out + quote;
}

bool is_python_keyword(std::string_view word) {
  static const Words words = words_of(
      {"False None True and as assert async await break class continue def del elif else except finally for "
       "from global if import in is lambda nonlocal not or pass raise return try while with yield"});
  return words.count(word) != 0;
}

std::string yaml_string(std::string_view text) {
  std::string out = json_string(text);
  // JSON allows some characters that the schema language does not.
  while (const std::optional<Control> control = find_control(out)) {
    std::size_t end = control->offset;
    schemagen::next_code_point(out, end);
    out.replace(control->offset, end - control->offset, "\\u" + lower(control->name.substr(2)));
  }
  return out;
}

std::string dot_string(std::string_view text) {
  return "\"" + replaced(text, "\"\\\n", {"\\\"", "\\\\", "\\n"}) + "\"";
}

}  // namespace generator
