// Writes JSON for reports. For programs, use the runtime's JsonWriter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace generator {

std::string json_string(std::string_view text);

/// Builds JSON text that is indented by two spaces per level.
///
///     JsonText json;
///     json.object("rule", "FIELD_RENAMED", "line", 3);
///     json.take();
class JsonText {
 public:
  /// Takes a key, its value, the next key, and so on. A value is a text, an integer, a boolean, or a function
  /// that writes it.
  template <typename Value, typename... More>
  JsonText& members(std::string_view name, const Value& given, const More&... more) {
    key(name);
    if constexpr (std::is_invocable_v<const Value&>) {
      given();
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      string(given);
    } else if constexpr (std::is_same_v<Value, bool>) {
      boolean(given);
    } else {
      number(given);
    }
    return members(more...);
  }
  /// The last argument can be a function that writes members.
  template <typename Body>
  JsonText& members(const Body& body) {
    body();
    return *this;
  }
  JsonText& members() { return *this; }
  template <typename... Members>
  JsonText& object(const Members&... all) {
    open('{');
    members(all...);
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
