#include "schemagen/base/text_file.h"

#include "schemagen/base/error.h"

namespace schemagen {

std::string_view without_byte_order_mark(std::string_view text) noexcept {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

std::string_view wide_encoding(std::string_view text) noexcept {
  using namespace std::string_view_literals;
  const std::string_view four = text.substr(0, 4);
  const std::string_view two = text.substr(0, 2);
  if (four == "\xff\xfe\0\0"sv || four == "\0\0\xfe\xff"sv) return "UTF-32";
  if (two == "\xff\xfe" || two == "\xfe\xff") return "UTF-16";
  const auto is_ascii = [](char c) { return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n'; };
  if (four.size() == 4 && ((is_ascii(four[0]) && four.substr(1) == "\0\0\0"sv) ||
                           (is_ascii(four[3]) && four.substr(0, 3) == "\0\0\0"sv)))
    return "UTF-32";
  if (two.size() == 2 && ((is_ascii(two[0]) && two[1] == '\0') || (two[0] == '\0' && is_ascii(two[1]))))
    return "UTF-16";
  return {};
}

std::string_view plain_text(std::string_view bytes) {
  if (const std::string_view wide = wide_encoding(bytes); !wide.empty())
    throw DataError("the text is " + std::string(wide) + "; hint: save it as UTF-8");
  return without_byte_order_mark(bytes);
}

}  // namespace schemagen
