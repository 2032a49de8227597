// Converts between JSON text and values of any generated type. Users must also include the schema's own
// json.h.
#pragma once

#include <cstddef>
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
  /// Whether to omit fields that are null and default to null, as torch up to 2.6 does.
  bool omit_null_defaults = false;
  /// The unknown fields to write back, as collected in JsonReadOptions::preserved. Optional.
  const std::vector<UnknownField>* preserved = nullptr;
  /// The number of spaces per level, as in json.dumps(indent=). nullopt puts everything on one line.
  std::optional<std::size_t> indent;
};

/// A callback for a reader's progress. The callback can release the memory pages of the text that has been
/// read, as long as the text stays readable.
struct TextProgress {
  void (*passed)(void* context,
                 std::size_t bytes) =
      nullptr;  // receives the number of bytes read so far; null if there is no callback
  void* context = nullptr;
};

/// Options for reading a document. The defaults are strict.
struct JsonReadOptions {
  Limits limits;
  UnknownFields unknown_fields = UnknownFields::error;
  /// Whether to accept the bare tokens NaN, Infinity and -Infinity, which Python writes although they are not
  /// JSON.
  bool bare_nonfinite = false;
  /// The number of readable bytes after the text. If there are at least 64, the text is not copied.
  std::size_t readable_after = 0;
  /// The fields to skip. They keep their defaults. Required fields must still be present, and all values must
  /// be valid JSON.
  std::vector<FieldName> leave_out = {};
  /// Receives the fields in `leave_out` that the document contains. Stays empty if reading fails. Optional.
  std::vector<FieldName>* left_out = nullptr;
  /// Called from time to time. The text before the reported position is read again only to report an error
  /// or, with UnknownFields::keep, to preserve a field.
  TextProgress progress = {};
  /// Receives the unknown fields that were skipped, in document order. Stays empty if reading fails.
  /// Optional.
  std::vector<SkippedField>* skipped = nullptr;
  /// Receives the unknown fields, in document order. Stays empty if reading fails. Required with
  /// UnknownFields::keep. A union with an unknown member is left unset.
  std::vector<UnknownField>* preserved = nullptr;
};

class JsonDocument;
class JsonReader;
class FastJsonReader;
class JsonSink;

/// The functions that try_from_json() and try_to_json() use to read and write a T. They are compiled with the
/// schema's code. Exceptions therefore never pass through the caller's code, which can be compiled without
/// exceptions.
struct JsonCodec {
  void* (*make)(void* value);  // creates the T in a std::optional<T>
  void (*read_plain)(FastJsonReader& in, void* value);
  void (*read)(JsonReader& in, void* value);
  char* (*write)(JsonSink& out, char* at, const void* value);
};

namespace detail {
/// Whether JSON spells the enum's values by name. If it does, json_names() returns the names.
template <class E, class = void>
inline constexpr bool kIsNamedInJson = false;
template <class E>
inline constexpr bool kIsNamedInJson<E, std::void_t<decltype(json_names(static_cast<const E*>(nullptr)))>> =
    true;

// In the following functions, `value` is the argument of JsonCodec::make().
/// Returns whether the fast reader could read the text. If it could not, `value` is unspecified.
/// `over` says to overwrite an existing value.
bool read_plain(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec, void* value,
                bool over = false);
void read_document(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec,
                   void* value);
void read_value(const JsonDocument& document, const JsonReadOptions& options, const JsonCodec& codec,
                void* value);
std::string write_document(const JsonWriteOptions& options, char* (*write)(JsonSink&, char*, const void*),
                           const void* value);
Result<void> try_read_document(std::string_view text, const JsonReadOptions& options, const JsonCodec& codec,
                               void* value) noexcept;
/// Reads any text, with the fast reader where possible.
void read_by(const JsonCodec& codec, std::string_view text, const JsonReadOptions& options, void* value);
Result<std::string> try_write_document(const JsonWriteOptions& options, const JsonCodec& codec,
                                       const void* value) noexcept;

template <class T>
void read_plain_as(FastJsonReader& in, void* out) {
  read_json(in, *static_cast<T*>(out));
}
template <class T>
void read_json_as(JsonReader& in, void* out) {
  read_json(in, *static_cast<T*>(out));
}
template <class T>
char* write_json_as(JsonSink& out, char* at, const void* in) {
  return write_json(out, at, *static_cast<const T*>(in));
}
template <class T>
JsonCodec json_codec_of() noexcept {
  return {make_in_optional<T>, read_plain_as<T>, read_json_as<T>, write_json_as<T>};
}
template <class T>
inline constexpr JsonCodec kJsonCodecInto = {made_before, read_plain_as<T>, read_json_as<T>,
                                             write_json_as<T>};
}  // namespace detail

/// Returns the T in `text` if the text is plain, i.e. valid, without unknown fields, and without rare syntax.
/// Otherwise returns nullopt, and from_json() must read the text from the start.
template <class T>
std::optional<T> from_plain_json(std::string_view text, const JsonReadOptions& options = {}) {
  std::optional<T> value(std::in_place);
  if (!detail::read_plain(text, options, detail::kJsonCodecInto<T>, &*value)) value.reset();
  return value;
}

/// If the text is plain, reads it into `into`, reusing its memory, and returns true. Otherwise returns false
/// and leaves `into` empty.
template <class T>
bool from_plain_json(std::string_view text, T& into, const JsonReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  bool is_read = detail::read_plain(text, options, detail::kJsonCodecInto<T>, &into, true);
  if (!is_read) {  // The text may still be plain: the reader gives up when it overwrites a value and a field
                   // is absent, because it does not know the default.
    into = T();
    is_read = detail::read_plain(text, options, detail::kJsonCodecInto<T>, &into);
  }
  if (is_read) guard.keep();
  return is_read;
}

/// Returns the T in `text`. By default, reading is strict; see JsonReadOptions. Throws DataError, with the
/// path, line and column, if the text is not valid.
template <class T>
T from_json(std::string_view text, const JsonReadOptions& options = {}) {
  if (std::optional<T> plain = from_plain_json<T>(text, options)) return *std::move(plain);
  T value{};
  detail::read_document(text, options, detail::kJsonCodecInto<T>, &value);
  return value;
}

/// Reads the T in `text` into `into`, reusing the memory of its strings, lists and maps. If the text's
/// structure differs from that of `into`, this takes as long as creating a new value. Throws whatever
/// from_json<T>() throws; in that case, leaves `into` empty.
template <class T>
void from_json(std::string_view text, T& into, const JsonReadOptions& options = {}) {
  if (from_plain_json(text, into, options)) return;
  EmptiedOnFailure<T> guard(into);
  detail::read_document(text, options, detail::kJsonCodecInto<T>, &into);
  guard.keep();
}

/// Returns the T in a parsed document. Throws DataError in the same cases as the function above.
template <class T>
T from_json(const JsonDocument& document, const JsonReadOptions& options = {}) {
  T value{};
  detail::read_value(document, options, detail::kJsonCodecInto<T>, &value);
  return value;
}

/// Returns `value` as JSON text in the format of Python's json.dumps. Throws DataError, with the path, if a
/// union is unset, if a string is not UTF-8, if an Any value is not JSON, or if a limit is exceeded.
template <class T>
std::string to_json(const T& value, const JsonWriteOptions& options = {}) {
  return detail::write_document(options, detail::write_json_as<T>, &value);
}

/// Like from_json(), but returns a Failure where from_json() throws.
template <class T>
Result<T> try_from_json(std::string_view text, const JsonReadOptions& options = {}) noexcept {
  std::optional<T> value;
  const JsonCodec codec = json_codec(static_cast<const T*>(nullptr));
  return detail::filled(value, detail::try_read_document(text, options, codec, &value));
}

/// Like to_json(), but returns a Failure where to_json() throws.
template <class T>
Result<std::string> try_to_json(const T& value, const JsonWriteOptions& options = {}) noexcept {
  return detail::try_write_document(options, json_codec(&value), &value);
}

}  // namespace schemagen
