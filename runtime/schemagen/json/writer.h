// Writes JSON as Python's json.dumps does. Included by generated code.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "schemagen/base/map.h"
#include "schemagen/base/reflection.h"
#include "schemagen/json/json.h"

namespace schemagen {

/// The sink that generated code writes to. Puts `", "` and `": "` between tokens, escapes all non-ASCII
/// characters as `\uXXXX`, and writes floats as Python's repr() does. The sink does not store the end of the
/// text. Instead, functions take the end as `at` and return the new end. The end therefore stays in a
/// register, whereas a member would be reloaded after each stored char. Values can be written only where
/// there is room for a number or word, i.e. after value_room() or text().
class JsonSink {
 public:
  explicit JsonSink(const JsonWriteOptions& options = {}) : options_(options) {}

  /// Makes room for a value at `at`, which must be nullptr at the start of the text.
  char* value_room(char* at) { return room(at, kValueRoom); }

  /// Writes text that is already JSON, such as a key with its punctuation, and makes room for a value.
  char* text(char* at, std::string_view json) {
    at = room(at, json.size() + kValueRoom);
    std::memcpy(at, json.data(), json.size());
    return at + json.size();
  }
  template <std::size_t kSize>
  [[gnu::always_inline]] char* text(char* at, const char (&json)[kSize]) {
    at = room(at, kSize - 1 + kValueRoom);
    std::memcpy(at, json, kSize - 1);
    return at + kSize - 1;
  }
  /// Like text() for JSON of the form `, "key": `, but omits the comma before a struct's first field.
  char* next_field(char* at, std::string_view json) {
    return text(at, at[-1] == '{' ? json.substr(2) : json);
  }
  /// Returns whether to write a field whose default is null.
  template <class T>
  bool writes(const std::optional<T>& value) const noexcept {
    return value.has_value() || !options_.omit_null_defaults;
  }
  char* null(char* at) { return word(at, "null"); }
  char* boolean(char* at, bool value) { return value ? word(at, "true") : word(at, "false"); }
  char* integer(char* at, std::int64_t value) {
    if (value < 0 || value > 9) return long_integer(at, value);
    *at = static_cast<char>('0' + value);
    return at + 1;
  }
  char* natural(char* at, std::uint64_t value);
  /// Writes NaN and the infinities as the strings "NaN", "Infinity" and "-Infinity".
  template <class Float>
  char* floating(char* at, Float value);
  /// Writes a string. Throws DataError if `value` is not UTF-8 or is too long.
  char* string(char* at, std::string_view value);
  /// Does the same for a string with no length limit, such as the name of a field or enum member.
  char* name(char* at, std::string_view value);
  /// Writes bytes as base64. Throws DataError if there are too many.
  char* bytes(char* at, const Bytes& value);
  /// Writes an Any value. Throws DataError if `json` is not JSON, too long, or nested too deeply.
  char* any(char* at, std::string_view json);

  /// Writes the opening bracket of an unset union. Throws DataError unless there are unknown fields to write
  /// back: the union's member could be among them.
  char* unset_union(char* at);
  bool writes_unknown_fields() const noexcept {
    return options_.preserved != nullptr && !options_.preserved->empty();
  }
  /// Returns the offsets of the unset unions in the text.
  const std::vector<std::size_t>& unset_unions() const noexcept { return unset_unions_; }

  /// Enters a nesting level. Must be called before every struct, union, list and map. Throws DataError if the
  /// depth limit is exceeded.
  void enter(const char* at) {
    if (++depth_ > options_.limits.depth) fail_too_deep(at);
  }
  /// Does the same for a list or map with `count` items. Also throws DataError if `count` exceeds the limit.
  void enter(const char* at, std::size_t count) {
    enter(at);
    if (count > options_.limits.container_items) fail_too_many(at, count);
  }
  void leave() noexcept { --depth_; }
  /// Writes the closing bracket and leaves a nesting level.
  char* close(char* at, char bracket) {
    leave();
    at = room(at, 1);
    *at = bracket;
    return at + 1;
  }

  /// Throws a DataError for the value to write at `at`. For a map's key, the error is about the map.
  [[noreturn]] void fail(const char* at, std::string reason) const {
    fail_at(at, size(at), std::move(reason));
  }
  /// Throws a DataError for the value at `offset` in the text that ends at `at`.
  [[noreturn]] void fail_at(const char* at, std::size_t offset, std::string reason) const;

  /// Throws DataError if the document is larger than the limit.
  void check_size(const char* at) const;
  /// Returns the text that ends at `at`.
  std::string_view view(const char* at) const noexcept { return {buffer_.get(), size(at)}; }
  const JsonWriteOptions& options() const noexcept { return options_; }

 private:
  struct Free {
    void operator()(char* at) const noexcept { std::free(at); }
  };

  /// Room for the longest number or word.
  static constexpr std::size_t kValueRoom = 32;

  /// Returns `at`, or the same position in a larger buffer, with room for at least `n` bytes.
  char* room(char* at, std::size_t n) { return static_cast<std::size_t>(end_ - at) < n ? grown(at, n) : at; }
  std::size_t size(const char* at) const noexcept { return static_cast<std::size_t>(at - buffer_.get()); }
  [[gnu::cold, gnu::noinline]] char* grown(const char* at, std::size_t n);
  static char* word(char* at, std::string_view word) {
    std::memcpy(at, word.data(), word.size());
    return at + word.size();
  }
  char* long_integer(char* at, std::int64_t value);
  /// Writes escapes for a run of code points that need them, moves `from` past the run, and makes room for
  /// the rest of the string.
  char* escape(char* at, const char*& from, const char* end);
  void check_length(const char* at, std::size_t size) const {
    if (size > options_.limits.string_bytes) fail_too_long(at, "a string", size);
  }
  [[noreturn, gnu::cold]] void fail_too_long(const char* at, const char* what, std::size_t size) const;
  [[noreturn, gnu::cold]] void fail_too_deep(const char* at) const;
  [[noreturn, gnu::cold]] void fail_too_many(const char* at, std::size_t count) const;

  JsonWriteOptions options_;
  // Allocated with malloc, because realloc moves large buffers without copying.
  std::unique_ptr<char, Free> buffer_;
  const char* end_ = nullptr;  // end of the buffer
  std::size_t depth_ = 0;
  std::vector<std::size_t> unset_unions_;
};

/// Returns the written text with the preserved fields inserted. Throws DataError with a path if the value has
/// no place for an unknown field, an unknown field is not JSON, a union stays unset, or a limit is exceeded.
std::string with_unknown_fields(const JsonSink& written, const char* end);

template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
char* write_json(JsonSink& out, char* at, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return out.boolean(at, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return out.floating(at, value);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return out.natural(at, value);
  } else {
    return out.integer(at, std::int64_t{value});
  }
}
inline char* write_json(JsonSink& out, char* at, const std::string& value) {
  return out.string(at, value);
}
inline char* write_json(JsonSink& out, char* at, const Json& value) {
  return out.any(at, value.text);
}
inline char* write_json(JsonSink& out, char* at, Unit) {
  out.enter(at);
  return out.close(out.text(at, "["), ']');
}
inline char* write_json(JsonSink& out, char* at, const Bytes& value) {
  return out.bytes(at, value);
}

template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
char* write_json(JsonSink& out, char* at, E value) {
  if constexpr (detail::kIsNamedInJson<E>) {
    const ReflectedField* const member =
        json_names(static_cast<const E*>(nullptr)).numbered(static_cast<std::int32_t>(value));
    if (member != nullptr) return out.name(at, member->name);
  }
  return out.integer(at, static_cast<std::int64_t>(value));
}

template <class T>
char* write_json(JsonSink& out, char* at, const Box<T>& value) {
  return write_json(out, at, *value);
}

template <class T>
char* write_json(JsonSink& out, char* at, const std::optional<T>& value) {
  return value ? write_json(out, at, *value) : out.null(at);
}

template <class T>
char* write_json(JsonSink& out, char* at, const std::vector<T>& value) {
  out.enter(at, value.size());
  at = out.text(at, "[");
  bool first = true;
  for (const auto& item : value) {
    if (!first) at = out.text(at, ", ");
    first = false;
    at = write_json(out, at, static_cast<const T&>(item));
  }
  return out.close(at, ']');
}

inline char* write_json(JsonSink& out, char* at, const ByteList& value) {
  return write_json<std::uint8_t>(out, at, value);
}

namespace detail {
template <class Key>
char* write_key(JsonSink& out, char* at, const Key& key) {
  if constexpr (std::is_same_v<Key, std::string>) {
    return out.string(at, key);
  } else {
    if constexpr (kIsNamedInJson<Key>) {
      const ReflectedField* const member =
          json_names(static_cast<const Key*>(nullptr)).numbered(static_cast<std::int32_t>(key));
      if (member != nullptr) return out.name(at, member->name);
    }
    return out.name(at, MapKey<Key>::text(key));
  }
}
}  // namespace detail

template <class T, class Key>
char* write_json(JsonSink& out, char* at, const Map<T, Key>& value) {
  out.enter(at, value.size());
  at = out.text(at, "{");
  bool first = true;
  for (const auto& [key, item] : value) {
    if (!first) at = out.text(at, ", ");
    first = false;
    at = out.text(detail::write_key<Key>(out, at, key), ": ");
    at = write_json(out, at, item);
  }
  return out.close(at, '}');
}

}  // namespace schemagen
