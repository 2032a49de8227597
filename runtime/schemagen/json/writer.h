// What generated code writes JSON through: the text that Python's json.dumps gives. An object is for one
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/json/json.h"
#include "schemagen/value/map.h"
#include "schemagen/value/reflection.h"
#include "schemagen/value/value.h"

namespace schemagen {

/// Builds JSON text: `", "` and `": "` between tokens, ASCII with `\uXXXX`, floats as Python's repr.
class JsonWriter {
 public:
  explicit JsonWriter(const JsonWriteOptions& options = {}) : options_(options) {}

  /// Appends text that is JSON already, e.g. a key with its punctuation.
  void text(std::string_view json) {
    std::memcpy(room(json.size()), json.data(), json.size());
    at_ += json.size();
  }
  /// As text(), for `, "key": ` of a field that may be the first one written of its struct: then the comma
  /// goes.
  void next_field(std::string_view json) { text(at_[-1] == '{' ? json.substr(2) : json); }
  /// Whether a field whose default is null is written at all.
  template <class T>
  bool writes(const std::optional<T>& value) const noexcept {
    return value.has_value() || !options_.omit_null_defaults;
  }
  void null() { text("null"); }
  void boolean(bool value) { value ? text("true") : text("false"); }
  void integer(std::int64_t value);
  void natural(std::uint64_t value);
  /// NaN and infinities become the strings "NaN", "Infinity" and "-Infinity".
  void floating(double value);
  void single(float value);
  /// Errors: DataError if `value` is not UTF-8, or too long.
  void string(std::string_view value);
  /// The text of a value of any kind. Errors: DataError if it is not JSON, too long or too deep.
  void any(std::string_view json);

  /// The start of a union without a member. Errors: DataError, unless kept fields are put back, of which one
  /// may be its member.
  void unset_union();
  /// Whether kept fields are to be put back into what is written.
  bool puts_back() const noexcept { return options_.kept != nullptr && !options_.kept->empty(); }
  /// Where the unions without a member begin.
  const std::vector<std::size_t>& unset_unions() const noexcept { return unset_unions_; }

  /// Around every struct, union, list and map. Errors: DataError beyond the depth limit.
  void enter() {
    if (++depth_ > options_.limits.depth) fail_too_deep();
  }
  /// Around every list and map of `count` items. Errors: as enter(), and too many items.
  void enter(std::size_t count) {
    enter();
    if (count > options_.limits.container_items) fail_too_many(count);
  }
  void leave() noexcept { --depth_; }

  /// Throws DataError about the value that would be written next.
  /// Of a map's key, about the map.
  [[noreturn]] void fail(std::string reason) const { fail_at(size(), std::move(reason)); }
  /// About the value at `offset` of what was written.
  [[noreturn]] void fail_at(std::size_t offset, std::string reason) const;

  /// Throws DataError if the document is larger than the limit.
  void check_size() const;
  /// What was written so far.
  std::string_view view() const noexcept { return {buffer_.get(), size()}; }
  const JsonWriteOptions& options() const noexcept { return options_; }

 private:
  struct Free {
    void operator()(char* at) const noexcept { std::free(at); }
  };

  /// At least `n` bytes at the end of the text.
  char* room(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) grow(n);
    return at_;
  }
  std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - buffer_.get()); }
  [[gnu::cold, gnu::noinline]] void grow(std::size_t n);
  template <class Integer>
  void put_integer(Integer value);
  template <class Float>
  void put_floating(Float value);
  /// Writes what stands for the first byte at `from`, which cannot stand for itself, or for the code point
  /// that begins there; behind it. Makes room for the string's rest.
  const char* escape(const char* from, const char* end);
  [[noreturn]] void fail_too_deep() const;
  [[noreturn]] void fail_too_many(std::size_t count) const;

  JsonWriteOptions options_;
  // malloc's, as realloc moves large buffers without copying them.
  std::unique_ptr<char, Free> buffer_;
  char* at_ = nullptr;   // in the buffer, behind what was written
  char* end_ = nullptr;  // of the buffer
  std::size_t depth_ = 0;
  std::vector<std::size_t> unset_unions_;
};

inline void write_json(JsonWriter& out, bool value) {
  out.boolean(value);
}
inline void write_json(JsonWriter& out, std::int64_t value) {
  out.integer(value);
}
template <class T, std::enable_if_t<kIsSmallInteger<T>, int> = 0>
void write_json(JsonWriter& out, T value) {
  out.integer(std::int64_t{value});
}
inline void write_json(JsonWriter& out, std::uint64_t value) {
  out.natural(value);
}
inline void write_json(JsonWriter& out, double value) {
  out.floating(value);
}
inline void write_json(JsonWriter& out, float value) {
  out.single(value);
}
inline void write_json(JsonWriter& out, const std::string& value) {
  out.string(value);
}
inline void write_json(JsonWriter& out, const Json& value) {
  out.any(value.text);
}
inline void write_json(JsonWriter& out, Unit) {
  out.enter();
  out.text("[]");
  out.leave();
}
void write_json(JsonWriter& out, const Bytes& value);

template <class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void write_json(JsonWriter& out, E value) {
  if constexpr (detail::kIsNamedInJson<E>) {
    const ReflectedField* const member =
        json_names(static_cast<const E*>(nullptr)).numbered(static_cast<std::int32_t>(value));
    if (member != nullptr) return out.string(member->name);
  }
  out.integer(static_cast<std::int64_t>(value));
}

template <class T>
void write_json(JsonWriter& out, const Box<T>& value) {
  write_json(out, *value);
}

template <class T>
void write_json(JsonWriter& out, const std::optional<T>& value) {
  value ? write_json(out, *value) : out.null();
}

template <class T>
void write_json(JsonWriter& out, const std::vector<T>& value) {
  out.enter(value.size());
  out.text("[");
  bool first = true;
  for (const auto& item : value) {
    if (!first) out.text(", ");
    first = false;
    write_json(out, static_cast<const T&>(item));
  }
  out.text("]");
  out.leave();
}

inline void write_json(JsonWriter& out, const ByteList& value) {
  write_json<std::uint8_t>(out, value);
}

namespace detail {
template <class Key>
void write_key(JsonWriter& out, const Key& key) {
  if constexpr (std::is_same_v<Key, std::string>) {
    out.string(key);
  } else {
    if constexpr (kIsNamedInJson<Key>) {
      const ReflectedField* const member =
          json_names(static_cast<const Key*>(nullptr)).numbered(static_cast<std::int32_t>(key));
      if (member != nullptr) return out.string(member->name);
    }
    out.string(MapKey<Key>::text(key));
  }
}
}  // namespace detail

template <class T, class Key>
void write_json(JsonWriter& out, const Map<T, Key>& value) {
  out.enter(value.size());
  out.text("{");
  bool first = true;
  for (const auto& [key, item] : value) {
    if (!first) out.text(", ");
    first = false;
    detail::write_key<Key>(out, key);
    out.text(": ");
    write_json(out, item);
  }
  out.text("}");
  out.leave();
}

}  // namespace schemagen
