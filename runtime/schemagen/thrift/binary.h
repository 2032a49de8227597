// Converts between Thrift Compact and values of any generated type. Users must also include the schema's own
// binary.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/result.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/base/value.h"

namespace schemagen {

/// The byte order of doubles. Apache Thrift writes little-endian doubles, and fbthrift writes big-endian
/// ones. A payload does not record its byte order.
enum class DoubleOrder { little_endian, big_endian };

struct BinaryWriteOptions {
  Limits limits;
  /// Whether to sort map entries by key (strings by their bytes), so that equal values have equal bytes.
  /// Otherwise, entries keep their order.
  bool canonical = false;
  /// The unknown fields to write back, as collected in BinaryReadOptions::preserved. They are written byte
  /// for byte, sorted by id together with the known fields. Optional.
  const std::vector<UnknownField>* preserved = nullptr;
};

/// Options for reading a payload. By default, the reader accepts equivalent encodings, e.g. fields in any
/// order, encodings that are longer than necessary, and integers that are narrower than the schema's.
struct BinaryReadOptions {
  Limits limits;
  UnknownFields unknown_fields = UnknownFields::error;
  /// Whether to reject a payload whose bytes differ from those that a canonical writer would write for the
  /// value.
  bool canonical_check = false;
  DoubleOrder doubles = DoubleOrder::little_endian;
  /// The fields to skip. They keep their defaults. Required fields must still be present. For the values of
  /// skipped fields, only the encoding is checked.
  std::vector<FieldName> leave_out = {};
  /// Receives the fields in `leave_out` that the payload contains. Stays empty if reading fails. Optional.
  std::vector<FieldName>* left_out = nullptr;
  /// Receives the unknown fields that were skipped. Optional.
  std::vector<SkippedField>* skipped = nullptr;
  /// Receives the unknown fields, in payload order. Stays empty if reading fails. Required with
  /// UnknownFields::keep. A union with an unknown member is left unset. Big-endian doubles are byte-swapped.
  std::vector<UnknownField>* preserved = nullptr;
};

class CompactReader;
class CompactWriter;
struct CompactType;

/// The functions that try_from_binary() and try_to_binary() use to read and write a T. See JsonCodec.
struct CompactCodec {
  void* (*make)(void* value);  // creates the T in a std::optional<T>
  void (*read)(CompactReader& in, void* value);
  void (*write)(CompactWriter& out, const void* value);
};

namespace detail {
/// In the following functions, `value` is the argument of CompactCodec::make().
void read_payload(std::string_view payload, const CompactType& type, const BinaryReadOptions& options,
                  const CompactCodec& codec, void* value);
std::string write_payload(const CompactType& type, const BinaryWriteOptions& options,
                          void (*write)(CompactWriter&, const void*), const void* value);
Result<void> try_read_payload(std::string_view payload, const CompactType& type,
                              const BinaryReadOptions& options, const CompactCodec& codec,
                              void* value) noexcept;
Result<std::string> try_write_payload(const CompactType& type, const BinaryWriteOptions& options,
                                      const CompactCodec& codec, const void* value) noexcept;

/// Calls CompactReader::read_over().
bool reads_over(CompactReader& in, void (*read)(CompactReader&, void*), void* value);

template <class T>
void read_as(CompactReader& in, void* out) {
  read_compact(in, *static_cast<T*>(out));
}
/// Reads a T into the existing T at `out`, overwriting it. The result is the same as if read_as() had read
/// into a new value.
template <class T>
void read_over(CompactReader& in, void* out) {
  if (reads_over(in, read_as<T>, out)) return;
  *static_cast<T*>(out) = T();
  read_as<T>(in, out);
}
template <class T>
void write_as(CompactWriter& out, const void* in) {
  write_compact(out, *static_cast<const T*>(in));
}
template <class T>
CompactCodec compact_codec_of() noexcept {
  return {make_in_optional<T>, read_as<T>, write_as<T>};
}
template <class T>
inline constexpr CompactCodec kCompactCodecInto = {made_before, read_as<T>, write_as<T>};
template <class T>
inline constexpr CompactCodec kCompactCodecOver = {made_before, read_over<T>, write_as<T>};
}  // namespace detail

/// Returns the T in `payload`. T must be a struct or union. Throws DataError, with a path and byte offset, if
/// the payload is not valid.
template <class T>
T from_binary(std::string_view payload, const BinaryReadOptions& options = {}) {
  T value{};
  detail::read_payload(payload, compact_type(&value), options, detail::kCompactCodecInto<T>, &value);
  return value;
}

/// Reads the T in `payload` into `into`, reusing the memory of its strings, lists and maps. If the payload's
/// structure differs from that of `into`, this takes as long as creating a new value. Throws whatever
/// from_binary<T>() throws; in that case, leaves `into` empty.
template <class T>
void from_binary(std::string_view payload, T& into, const BinaryReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  detail::read_payload(payload, compact_type(&into), options, detail::kCompactCodecOver<T>, &into);
  guard.keep();
}

/// Returns `value` as a payload. Throws DataError, with a path, if a union is unset, if a string is not
/// UTF-8, if an Any value is not JSON, or if a limit is exceeded.
template <class T>
std::string to_binary(const T& value, const BinaryWriteOptions& options = {}) {
  return detail::write_payload(compact_type(&value), options, detail::write_as<T>, &value);
}

/// Like from_binary(), but returns a Failure where from_binary() throws.
template <class T>
Result<T> try_from_binary(std::string_view payload, const BinaryReadOptions& options = {}) noexcept {
  std::optional<T> value;
  constexpr const T* kOfType = nullptr;
  return detail::filled(value, detail::try_read_payload(payload, compact_type(kOfType), options,
                                                        compact_codec(kOfType), &value));
}

/// Like to_binary(), but returns a Failure where to_binary() throws.
template <class T>
Result<std::string> try_to_binary(const T& value, const BinaryWriteOptions& options = {}) noexcept {
  return detail::try_write_payload(compact_type(&value), options, compact_codec(&value), &value);
}

}  // namespace schemagen
