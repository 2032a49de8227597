// Binary files (.pt2b) of any type of the schema. All functions may be called from several threads at once.
#pragma once

#include <string>
#include <string_view>

#include "pt2/binary.h"
#include "pt2/binary/envelope.h"
#include "schemagen/compact/binary.h"

namespace pt2 {

struct BinaryFileWriteOptions {
  schemagen::BinaryWriteOptions payload;
  Compression compression = Compression::none;
};

namespace detail {
std::string seal_payload(const schemagen::CompactType& root, std::string_view payload,
                         Compression compression);
/// Fails if the payload of `envelope` cannot be read as `root`. Adapts the options to who wrote it.
void check_envelope(const Envelope& envelope, const schemagen::CompactType& root,
                    schemagen::BinaryReadOptions& options);
/// Throws the error again; if another schema wrote the payload, it says so.
[[noreturn]] void rethrow(const schemagen::DataError& error, const EnvelopeHeader& header);
}  // namespace detail

/// A .pt2b file that holds `value`.
/// Errors: as schemagen::to_binary() and seal().
template <class T>
std::string to_pt2b(const T& value, const BinaryFileWriteOptions& options = {}) {
  return detail::seal_payload(compact_type(&value), schemagen::to_binary(value, options.payload),
                              options.compression);
}

/// Whether the payload was written by the schema that this library was made from: then every id means what it
/// means here, and none is unknown.
bool is_own_schema(const EnvelopeHeader& header);

/// The T in `envelope`. Payloads of the same major version are read; where a newer minor wrote it, unknown
/// fields that are empty are skipped, as they are where the options say so. Errors: DataError, if it holds
/// another type, if another major version wrote it, or as schemagen::from_binary(), with offsets from the
/// start of the payload.
template <class T>
T from_envelope(const Envelope& envelope, schemagen::BinaryReadOptions options = {}) {
  detail::check_envelope(envelope, compact_type(static_cast<const T*>(nullptr)), options);
  try {
    return schemagen::from_binary<T>(envelope.payload(), options);
  } catch (const schemagen::DataError& error) {
    detail::rethrow(error, envelope.header());
  }
}

/// The T that a .pt2b file holds. Errors: as Envelope and from_envelope().
template <class T>
T from_pt2b(std::string_view file, const schemagen::BinaryReadOptions& options = {}) {
  const Envelope envelope(file, options.limits);
  schemagen::BinaryReadOptions reading = options;
  reading.limits.memory_bytes -= envelope.owned_bytes();
  return from_envelope<T>(envelope, reading);
}

}  // namespace pt2
