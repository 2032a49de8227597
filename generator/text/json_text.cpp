#include "text/json_text.h"

#include <utility>

#include "text/characters.h"

namespace generator {

std::string json_string(std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  std::string out = "\"";
  for (const char c : text) {
    if (const std::size_t known = kEscaped.find(c); known != kEscaped.npos) {
      out += '\\';
      out += kLetters[known];
    } else if (c >= 0 && c < ' ') {
      out += "\\u" + hex(static_cast<unsigned char>(c), 4);
    } else {
      out += c;
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
