// Writes JSON for reports. For programs, use the runtime's JsonWriter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

std::string json_string(std::string_view text);

/// Builds JSON text that is indented by two spaces per level.
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
  /// An array of what `write` writes for each item.
  template <typename Items, typename Write>
  JsonText& array(const Items& items, Write write) {
    return array([&] {
      for (const auto& item : items) write(item);
    });
  }
  JsonText& key(std::string_view name);

  JsonText& string(std::string_view text) { return value(json_string(text)); }
  template <typename Integer>
  JsonText& number(Integer number) {
    return value(std::to_string(number));
  }
  JsonText& boolean(bool boolean) { return value(boolean ? "true" : "false"); }
  JsonText& null() { return value("null"); }
  /// Writes null for an empty text.
  JsonText& string_or_null(std::string_view text) { return text.empty() ? null() : string(text); }
  JsonText& raw(std::string_view json) { return value(json); }

  /// Ends the text with a line break, and clears this object.
  std::string take();

 private:
  JsonText& value(std::string_view text);
  void open(char bracket);
  void close(char bracket);
  void begin_entry();

  std::string out_;
  std::vector<bool> has_entries_;
  bool after_key_ = false;
};

}  // namespace generator
