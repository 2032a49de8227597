// Bytes to value and back, for any generated type: Thrift's compact protocol, without a header. Include
// the schema's own binary.h. All functions may be called from several threads at once. Several threads may
// read the same object at once.
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

/// Order of the eight bytes of a double. Apache Thrift writes little-endian ones, fbthrift big-endian ones;
/// the payload does not tell which.
enum class DoubleOrder { little_endian, big_endian };

struct BinaryWriteOptions {
  Limits limits;
  /// Sorts the entries of maps by the bytes of their keys, so that equal values have equal bytes; without it
  /// they keep their order.
  bool canonical = false;
  /// Unknown fields to write back, as BinaryReadOptions::preserved got them: byte for byte, between the known
  /// fields by their ids. Optional.
  const std::vector<UnknownField>* preserved = nullptr;
};

/// How a payload is read. By default everything that means the same is taken: fields in any order, long forms
/// where short ones would do, integers narrower than the schema's.
struct BinaryReadOptions {
  Limits limits;
  UnknownFields unknown_fields = UnknownFields::error;
  /// Takes only the bytes that a canonical writer would have written for the value.
  bool canonical_check = false;
  DoubleOrder doubles = DoubleOrder::little_endian;
  /// Fields whose values are passed over and stay at their defaults. They must still be there where they are
  /// required; in them only the form of Thrift's values is checked.
  std::vector<FieldName> leave_out;
  /// Gets those fields of `leave_out` that the payload has, if it is set; nothing if reading fails.
  std::vector<FieldName>* left_out = nullptr;
  /// Gets what was skipped, if it is set.
  std::vector<SkippedField>* skipped = nullptr;
  /// Gets the unknown fields, in the order of the payload; nothing if reading fails. Required with
  /// UnknownFields::keep. A union with an unknown member is left unset. Big-endian doubles are byte-swapped.
  std::vector<UnknownField>* preserved = nullptr;
};

class CompactReader;
class CompactWriter;
struct CompactType;

/// How try_from_binary() and try_to_binary() read and write a T, as JsonCodec.
struct CompactCodec {
  void (*read)(CompactReader& in, void* value);  // makes the T of a std::optional<T>
  void (*write)(CompactWriter& out, const void* value);
};

namespace detail {
void read_payload(std::string_view payload, const CompactType& type, const BinaryReadOptions& options,
                  void (*read)(CompactReader&, void*), void* value);
std::string write_payload(const CompactType& type, const BinaryWriteOptions& options,
                          void (*write)(CompactWriter&, const void*), const void* value);
Result<void> try_read_payload(std::string_view payload, const CompactType& type,
                              const BinaryReadOptions& options, const CompactCodec& codec,
                              void* value) noexcept;
Result<std::string> try_write_payload(const CompactType& type, const BinaryWriteOptions& options,
                                      const CompactCodec& codec, const void* value) noexcept;

/// CompactReader::read_over().
bool reads_over(CompactReader& in, void (*read)(CompactReader&, void*), void* value);

template <class T>
void read_as(CompactReader& in, void* out) {
  read_compact(in, *static_cast<T*>(out));
}
/// Reads over the T at `out` what read_as() would make of a new one.
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
  return {
      [](CompactReader& in, void* out) { read_compact(in, static_cast<std::optional<T>*>(out)->emplace()); },
      write_as<T>};
}
}  // namespace detail

/// The T, a struct or union, that `payload` holds.
/// Errors: DataError with path and byte offset.
template <class T>
T from_binary(std::string_view payload, const BinaryReadOptions& options = {}) {
  T value{};
  detail::read_payload(payload, compact_type(&value), options, detail::read_as<T>, &value);
  return value;
}

/// Puts the T that `payload` holds in the place of `into`, whose strings, lists and maps keep their memory:
/// it is equal to the T that from_binary<T>() gives. Where that differs in shape, it takes as long as a new
/// one. Errors: as from_binary<T>(); `into` is then as new.
template <class T>
void from_binary(std::string_view payload, T& into, const BinaryReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  detail::read_payload(payload, compact_type(&into), options, detail::read_over<T>, &into);
  guard.keep();
}

/// `value` as a payload.
/// Errors: DataError with path, if a union is unset, a string is not UTF-8, an Any is not JSON, or a limit is
/// exceeded.
template <class T>
std::string to_binary(const T& value, const BinaryWriteOptions& options = {}) {
  return detail::write_payload(compact_type(&value), options, detail::write_as<T>, &value);
}

/// from_binary() without exceptions: what it would throw is the result's failure.
template <class T>
Result<T> try_from_binary(std::string_view payload, const BinaryReadOptions& options = {}) noexcept {
  std::optional<T> value;
  constexpr const T* kOfType = nullptr;
  return detail::filled(value, detail::try_read_payload(payload, compact_type(kOfType), options,
                                                        compact_codec(kOfType), &value));
}

/// to_binary() without exceptions.
template <class T>
Result<std::string> try_to_binary(const T& value, const BinaryWriteOptions& options = {}) noexcept {
  return detail::try_write_payload(compact_type(&value), options, compact_codec(&value), &value);
}

}  // namespace schemagen
