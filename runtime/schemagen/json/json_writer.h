// Writes JSON token by token, for code without generated types.
#pragma once

#include "schemagen/json/writer.h"

namespace schemagen {

/// Appends tokens, and puts commas and colons between them. The caller must balance the brackets and choose
/// the order of the keys.
///
///     JsonWriter json;
///     json.begin('{').key("nodes").integer(3).end('}');
///
/// Every function throws DataError if the text exceeds Limits::input_bytes. Functions that take a string also
/// throw DataError if the string exceeds Limits::string_bytes or is not UTF-8.
class JsonWriter {
 public:
  /// `spaced` writes `", "` and `": "`, as Python's json.dumps() does. `compact` writes no spaces.
  enum class Punctuation { spaced, compact };

  explicit JsonWriter(const JsonWriteOptions& options = {}, Punctuation punctuation = Punctuation::spaced)
      : sink_(options),
        comma_(punctuation == Punctuation::compact ? "," : ", "),
        colon_(punctuation == Punctuation::compact ? ":" : ": ") {}

  JsonWriter& begin(char bracket) {
    separate();
    at_ = sink_.text(at_, {&bracket, 1});
    is_after_value_ = false;
    return *this;
  }
  JsonWriter& end(char bracket) {
    at_ = sink_.text(at_, {&bracket, 1});
    is_after_value_ = true;
    return *this;
  }
  JsonWriter& key(std::string_view name) {
    string(name);
    at_ = sink_.text(at_, colon_);
    is_after_value_ = false;
    return *this;
  }
  JsonWriter& string(std::string_view value) { return put(sink_.string(separated(), value)); }
  JsonWriter& string_or_null(const std::optional<std::string>& value) {
    return value ? string(*value) : null();
  }
  JsonWriter& integer(std::int64_t value) { return put(sink_.integer(separated(), value)); }
  JsonWriter& count(std::uint64_t value) { return put(sink_.natural(separated(), value)); }
  JsonWriter& floating(double value) { return put(sink_.floating(separated(), value)); }
  JsonWriter& boolean(bool value) { return put(sink_.boolean(separated(), value)); }
  JsonWriter& null() { return put(sink_.null(separated())); }
  /// Writes a value of any type that write_json() supports.
  template <class T>
  JsonWriter& value(const T& value) {
    return put(write_json(sink_, separated(), value));
  }
  /// Writes text that is already JSON.
  JsonWriter& raw(std::string_view json) { return put(sink_.text(separated(), json)); }

  /// Enters a level of nesting, for recursive values. Throws DataError if the depth exceeds Limits::depth.
  void enter() { sink_.enter(at_); }
  void leave() noexcept { sink_.leave(); }

  /// Returns the text written so far.
  std::string_view view() const noexcept { return sink_.view(at_); }
  std::string text() const { return std::string(view()); }

 private:
  void separate() {
    sink_.check_size(at_);
    if (is_after_value_) at_ = sink_.text(at_, comma_);
    is_after_value_ = true;
  }
  /// Writes the separator, makes room for the next value, and returns the value's position.
  char* separated() {
    separate();
    return at_ = sink_.value_room(at_);
  }
  JsonWriter& put(char* at) noexcept {
    at_ = at;
    return *this;
  }

  JsonSink sink_;
  char* at_ = nullptr;
  std::string_view comma_;
  std::string_view colon_;
  bool is_after_value_ = false;
};

}  // namespace schemagen
