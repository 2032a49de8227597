#include "pt2/scan/json_strings.h"

#include <vector>

#include "schemagen/value/json_syntax.h"

namespace pt2 {
namespace {

std::size_t skip_space(std::string_view json, std::size_t at) {
  while (at < json.size() && (json[at] == ' ' || json[at] == '\n' || json[at] == '\t' || json[at] == '\r'))
    ++at;
  return at;
}

// What is kept of objects that are open. Beyond that, all of it is visited as if nodes were meant.
constexpr std::size_t kMaxOpen = std::size_t{1} << 20;

/// The end of the string whose first byte after the quote is at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return at < json.size() ? at : json.size();
}

class StringWalk {
 public:
  explicit StringWalk(const std::function<void(const JsonString&)>& visit) : visit_(visit) {}

  void run(std::string_view json) {
    for (std::size_t at = 0; at < json.size(); ++at) {
      switch (json[at]) {
        case '"':
          at = take_string(json, at + 1);
          break;
        case '{':
          if (objects_.size() >= kMaxOpen) flush();
          objects_.push_back({strings_.size(), false});
          break;
        case '}':
          close_object();
          break;
        case ',':
        case '[':
          key_.clear();
          break;
        default:
          break;
      }
    }
    while (!objects_.empty()) close_object();
    visit_from(0, false);
  }

 private:
  struct Object {
    std::size_t first_string;
    bool has_inputs;
  };

  /// Gives the place of the closing quote.
  std::size_t take_string(std::string_view json, std::size_t begin) {
    const std::size_t end = end_of_string(json, begin);
    const std::string_view text = json.substr(begin, end - begin);
    const std::size_t next = skip_space(json, end + 1);
    if (next >= json.size() || json[next] != ':') {
      if (strings_.size() >= kMaxOpen) flush();
      strings_.push_back({key_, text, begin, false});
      return end;
    }
    key_ = plain_text(text);
    if (key_ == "inputs" && !objects_.empty()) objects_.back().has_inputs = true;
    return end;
  }

  void flush() {
    visit_from(0, true);
    objects_.clear();
  }

  void close_object() {
    if (objects_.empty()) return;
    const Object object = objects_.back();
    objects_.pop_back();
    visit_from(object.first_string, object.has_inputs);
  }

  void visit_from(std::size_t first, bool has_inputs) {
    for (std::size_t i = first; i < strings_.size(); ++i) {
      strings_[i].has_inputs = has_inputs;
      visit_(strings_[i]);
    }
    strings_.resize(first);
  }

  const std::function<void(const JsonString&)>& visit_;
  std::string key_;
  std::vector<Object> objects_;
  std::vector<JsonString> strings_;  // of the objects that are open
};

}  // namespace

void for_each_string(std::string_view json, const std::function<void(const JsonString&)>& visit) {
  StringWalk(visit).run(json);
}

std::string plain_text(std::string_view raw) {
  std::string text;
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      text += raw[at];
      continue;
    }
    const char kind = raw[++at];
    if (kind == 'u') {
      const auto unit = schemagen::escaped_unit(raw, at - 1);
      text += unit && *unit < 0x80 ? static_cast<char>(*unit) : '?';
      at += unit ? 4 : 0;
    } else {
      text += kind == 'n'   ? '\n'
              : kind == 't' ? '\t'
              : kind == 'r' ? '\r'
              : kind == 'b' ? '\b'
              : kind == 'f' ? '\f'
                            : kind;
    }
  }
  return text;
}

}  // namespace pt2
