#include "text/json_text.h"

#include <utility>

namespace generator {

std::string json_string(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (c >= 0 && c < ' ') {
          out += "\\u00";
          out += kHex[static_cast<std::size_t>(c) >> 4];
          out += kHex[static_cast<std::size_t>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

JsonText& JsonText::key(std::string_view name) {
  begin_entry();
  out_ += json_string(name) + ": ";
  after_key_ = true;
  return *this;
}

std::string JsonText::take() {
  out_ += '\n';
  return std::exchange(out_, {});
}

JsonText& JsonText::value(std::string_view text) {
  begin_entry();
  out_ += text;
  return *this;
}

void JsonText::open(char bracket) {
  begin_entry();
  out_ += bracket;
  has_entries_.push_back(false);
}

void JsonText::close(char bracket) {
  const bool had_entries = has_entries_.back();
  has_entries_.pop_back();
  if (had_entries) out_.append("\n").append(2 * has_entries_.size(), ' ');
  out_ += bracket;
}

void JsonText::begin_entry() {
  if (std::exchange(after_key_, false) || has_entries_.empty()) return;
  if (has_entries_.back()) out_ += ',';
  has_entries_.back() = true;
  out_.append("\n").append(2 * has_entries_.size(), ' ');
}

}  // namespace generator
