// JSON text to value and back, for any generated type. Include the schema's own json.h. All functions may be
// called from several threads at once.
#pragma once

#include <string>
#include <string_view>

#include "schemagen/json/options.h"

namespace schemagen {

class JsonDocument;
class JsonReader;
class JsonWriter;

namespace detail {
void read_document(std::string_view text, const JsonReadOptions& options, void (*read)(JsonReader&, void*),
                   void* value);
void read_value(const JsonDocument& document, const JsonReadOptions& options,
                void (*read)(JsonReader&, void*), void* value);
std::string write_document(const JsonWriteOptions& options, void (*write)(JsonWriter&, const void*),
                           const void* value);
}  // namespace detail

/// The T that `text` holds. Strict: see JsonReadOptions.
/// Errors: DataError with path, line and column.
template <class T>
T from_json(std::string_view text, const JsonReadOptions& options = {}) {
  T value{};
  detail::read_document(
      text, options, [](JsonReader& in, void* out) { read_json(in, *static_cast<T*>(out)); }, &value);
  return value;
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
      options, [](JsonWriter& out, const void* in) { write_json(out, *static_cast<const T*>(in)); }, &value);
}

}  // namespace schemagen
