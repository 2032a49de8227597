// JSON text to value and back, for any generated type. Include the schema's own json.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/result.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/base/value.h"

namespace schemagen {

struct JsonWriteOptions {
  Limits limits;
  /// Leaves out fields that are null and whose default is null, as torch up to 2.6 did.
  bool omit_null_defaults = false;
  /// Unknown fields to write back, as JsonReadOptions::preserved got them. Optional.
  const std::vector<UnknownField>* preserved = nullptr;
  /// For people: each member and item on a line of its own, this many spaces further to the right than what
  /// holds it, as by json.dumps(indent=). nullopt: all on one line.
  std::optional<std::size_t> indent;
};

/// Who is told how far a reader has come in a text, to give back the memory of what is behind it.
struct TextProgress {
  void (*passed)(void* context, std::size_t bytes) = nullptr;  // from the text's start; null: nobody is told
  void* context = nullptr;
};

/// How a document is read. By default strictly.
struct JsonReadOptions {
  Limits limits;
  UnknownFields unknown_fields = UnknownFields::error;
  /// Takes the bare tokens NaN, Infinity and -Infinity, which JSON lacks but Python writes.
  bool bare_nonfinite = false;
  /// How many bytes past the text may be read; with 64 or more the text is not copied first.
  std::size_t readable_after = 0;
  /// Fields whose values are passed over and stay at their defaults. They must still be there where they are
  /// required, and be JSON; what is in them is not looked at.
  std::vector<FieldName> leave_out;
  /// Gets those fields of `leave_out` that the document has, if it is set; nothing if reading fails.
  std::vector<FieldName>* left_out = nullptr;
  /// Is told from time to time; of what is passed, only an error or UnknownFields::keep makes bytes be read
  /// again.
  TextProgress progress;
  /// Gets what was skipped, if it is set, in the order of the document; nothing if reading fails.
  std::vector<SkippedField>* skipped = nullptr;
  /// Gets the unknown fields, in the order of the document; nothing if reading fails. Required with
  /// UnknownFields::keep. A union with an unknown member is left unset.
  std::vector<UnknownField>* preserved = nullptr;
};

class JsonDocument;
class JsonReader;
class FastJsonReader;
class JsonSink;

/// How try_from_json() and try_to_json() read and write a T: by functions that are compiled with the schema's
/// code, so that no exception passes through that of the caller, which may be compiled without them.
struct JsonCodec {
  void* (*make)(void* value);  // the T of a std::optional<T>, anew
  void (*read_plain)(FastJsonReader& in, void* value);
  void (*read)(JsonReader& in, void* value);
  char* (*write)(JsonSink& out, char* at, const void* value);  // at the end of the text; gives the new end
};

namespace detail {
/// Whether JSON has the values of an enum by name: json_names() gives them.
template <class E, class = void>
inline constexpr bool kIsNamedInJson = false;
template <class E>
inline constexpr bool kIsNamedInJson<E, std::void_t<decltype(json_names(static_cast<const E*>(nullptr)))>> =
    true;

/// Whether the text could be read off it; if not, what is made of it is of no use.
bool read_plain(std::string_view text, const JsonReadOptions& options, void (*read)(FastJsonReader&, void*),
                void* value);
void read_document(std::string_view text, const JsonReadOptions& options, void (*read)(JsonReader&, void*),
                   void* value);
void read_value(const JsonDocument& document, const JsonReadOptions& options,
                void (*read)(JsonReader&, void*), void* value);
std::string write_document(const JsonWriteOptions& options, char* (*write)(JsonSink&, char*, const void*),
                           const void* value);
Result<void> try_read_document(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec,
                               void* value) noexcept;
/// The value of `text`, plain or not.
void read_by(const JsonCodec& codec, std::string_view text, const JsonReadOptions& options, void* value);
Result<std::string> try_write_document(const JsonWriteOptions& options, const JsonCodec& codec,
                                       const void* value) noexcept;

template <class T>
void read_plain_as(FastJsonReader& in, void* out) {
  read_json(in, *static_cast<T*>(out));
}
/// From now on `in` reads values over others.
void read_over(FastJsonReader& in);
template <class T>
void read_plain_over(FastJsonReader& in, void* out) {
  read_over(in);
  read_plain_as<T>(in, out);
}

template <class T>
JsonCodec json_codec_of() noexcept {
  return {[](void* value) -> void* { return &static_cast<std::optional<T>*>(value)->emplace(); },
          read_plain_as<T>, [](JsonReader& in, void* out) { read_json(in, *static_cast<T*>(out)); },
          [](JsonSink& out, char* at, const void* in) {
            return write_json(out, at, *static_cast<const T*>(in));
          }};
}
}  // namespace detail

/// The T that `text` holds, if it is plain: nothing in it is wrong, unknown or rare. nullopt: from_json() has
/// to look, from the start.
template <class T>
std::optional<T> from_plain_json(std::string_view text, const JsonReadOptions& options = {}) {
  std::optional<T> value(std::in_place);
  if (!detail::read_plain(text, options, detail::read_plain_as<T>, &*value)) value.reset();
  return value;
}

/// Whether `text` is plain; the T that it holds is then in the place of `into`, whose memory is kept, else
/// `into` is as new.
template <class T>
bool from_plain_json(std::string_view text, T& into, const JsonReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  bool is_read = detail::read_plain(text, options, detail::read_plain_over<T>, &into);
  if (!is_read) {  // by a default that is not known to who reads over a value, it may be plain
    into = T();
    is_read = detail::read_plain(text, options, detail::read_plain_as<T>, &into);
  }
  if (is_read) guard.keep();
  return is_read;
}

/// The T that `text` holds. Strict: see JsonReadOptions.
/// Errors: DataError with path, line and column.
template <class T>
T from_json(std::string_view text, const JsonReadOptions& options = {}) {
  if (std::optional<T> plain = from_plain_json<T>(text, options)) return *std::move(plain);
  T value{};
  detail::read_document(
      text, options, [](JsonReader& in, void* out) { read_json(in, *static_cast<T*>(out)); }, &value);
  return value;
}

/// Puts the T that `text` holds in the place of `into`, whose strings, lists and maps keep their memory: it
/// is equal to the T that from_json<T>() gives. Where that differs in shape, it takes as long as a new one.
/// Errors: as from_json<T>(); `into` is then as new.
template <class T>
void from_json(std::string_view text, T& into, const JsonReadOptions& options = {}) {
  if (from_plain_json(text, into, options)) return;
  EmptiedOnFailure<T> guard(into);
  detail::read_document(
      text, options, [](JsonReader& in, void* out) { read_json(in, *static_cast<T*>(out)); }, &into);
  guard.keep();
}

/// The T that a parsed document holds.
template <class T>
T from_json(const JsonDocument& document, const JsonReadOptions& options = {}) {
  T value{};
  detail::read_value(
      document, options, [](JsonReader& in, void* out) { read_json(in, *static_cast<T*>(out)); }, &value);
  return value;
}

/// `value` as JSON text, as Python's json.dumps writes it.
/// Errors: DataError with path, if a union is unset, a string is not UTF-8, an Any is not JSON, or a limit is
/// exceeded.
template <class T>
std::string to_json(const T& value, const JsonWriteOptions& options = {}) {
  return detail::write_document(
      options,
      [](JsonSink& out, char* at, const void* in) { return write_json(out, at, *static_cast<const T*>(in)); },
      &value);
}

/// from_json() of a generated type without exceptions: what it would throw is the result's failure.
template <class T>
Result<T> try_from_json(std::string_view text, const JsonReadOptions& options = {}) noexcept {
  std::optional<T> value;
  const JsonCodec codec = json_codec(static_cast<const T*>(nullptr));
  return detail::filled(value, detail::try_read_document(text, options, codec, &value));
}

/// to_json() of a generated type without exceptions.
template <class T>
Result<std::string> try_to_json(const T& value, const JsonWriteOptions& options = {}) noexcept {
  return detail::try_write_document(options, json_codec(&value), &value);
}

}  // namespace schemagen
