// Bytes to value and back, for any generated type: Thrift's compact protocol, without an envelope. Include
// the schema's own binary.h. All functions may be called from several threads at once.
#pragma once

#include <string>
#include <string_view>

#include "schemagen/compact/options.h"

namespace schemagen {

class CompactReader;
class CompactWriter;
struct CompactType;

namespace detail {
void read_payload(std::string_view payload, const CompactType& type, const BinaryReadOptions& options,
                  void (*read)(CompactReader&, void*), void* value);
std::string write_payload(const CompactType& type, const BinaryWriteOptions& options,
                          void (*write)(CompactWriter&, const void*), const void* value);
}  // namespace detail

/// The T, a struct or union, that `payload` holds.
/// Errors: DataError with path and byte offset.
template <class T>
T from_binary(std::string_view payload, const BinaryReadOptions& options = {}) {
  T value{};
  detail::read_payload(
      payload, compact_type(&value), options,
      [](CompactReader& in, void* out) { read_compact(in, *static_cast<T*>(out)); }, &value);
  return value;
}

/// `value` as a payload.
/// Errors: DataError with path, if a union is unset, a string is not UTF-8, an Any is not JSON, or a limit is
/// exceeded.
template <class T>
std::string to_binary(const T& value, const BinaryWriteOptions& options = {}) {
  return detail::write_payload(
      compact_type(&value), options,
      [](CompactWriter& out, const void* in) { write_compact(out, *static_cast<const T*>(in)); }, &value);
}

}  // namespace schemagen
