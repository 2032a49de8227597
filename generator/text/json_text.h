// JSON that the generator writes about schemas. (Programs are written by the runtime's JsonWriter.)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// `text` as a JSON string in which only what must be escaped is.
std::string json_string(std::string_view text);

/// Builds one JSON document, each entry on a line of its own, indented by two blanks.
///
///     JsonText json;
///     json.object([&] { json.key("rule").string("FIELD_RENAMED"); });
///     json.take();
class JsonText {
 public:
  template <typename Body>
  JsonText& object(Body body) {
    open('{');
    body();
    close('}');
    return *this;
  }
  template <typename Body>
  JsonText& array(Body body) {
    open('[');
    body();
    close(']');
    return *this;
  }
  /// A value follows.
  JsonText& key(std::string_view name);

  JsonText& string(std::string_view text) { return value(json_string(text)); }
  JsonText& number(std::int64_t number) { return value(std::to_string(number)); }
  JsonText& boolean(bool boolean) { return value(boolean ? "true" : "false"); }
  JsonText& null() { return value("null"); }
  /// `json`, which is JSON already.
  JsonText& raw(std::string_view json) { return value(json); }

  /// The document with a line end; leaves this empty.
  std::string take();

 private:
  JsonText& value(std::string_view text);
  void open(char bracket);
  void close(char bracket);
  void begin_entry();

  std::string out_;
  std::vector<bool> has_entries_;  // of the objects and arrays that are open
  bool after_key_ = false;
};

}  // namespace generator
