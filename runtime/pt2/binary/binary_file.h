// Binary files (.pt2b) of any type of the schema. All functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pt2/binary.h"
#include "schemagen/compact/binary.h"
#include "schemagen/envelope/envelope.h"
#include "schemagen/value/result.h"

namespace pt2 {

using schemagen::Compression;
using schemagen::Envelope;
using schemagen::EnvelopeHeader;

/// What tells .pt2b files from others.
inline constexpr schemagen::EnvelopeFormat kPt2b = {"\x89PT2\r\n\x1a\n", ".pt2b"};

struct BinaryFileWriteOptions {
  schemagen::BinaryWriteOptions payload;
  Compression compression = Compression::none;
  /// The header of a file by a newer minor, of which nothing was skipped: the payload is still of its schema,
  /// so that its minor version and schema id are written. Needed where `payload` puts back kept fields.
  const EnvelopeHeader* written_by = nullptr;
};

namespace detail {
using ReadPayload = void (*)(schemagen::CompactReader& in, void* value);
using WritePayload = void (*)(schemagen::CompactWriter& out, const void* value);

std::string write_file(const schemagen::CompactType& root, const BinaryFileWriteOptions& options,
                       WritePayload write, const void* value);
/// Options are adapted to who wrote the envelope; errors say so if another schema did.
void read_envelope(const Envelope& envelope, const schemagen::CompactType& root,
                   schemagen::BinaryReadOptions options, ReadPayload read, void* value);
void read_file(std::string_view file, const schemagen::CompactType& root,
               const schemagen::BinaryReadOptions& options, ReadPayload read, void* value);
schemagen::Result<std::string> try_write_file(const schemagen::CompactType& root,
                                              const BinaryFileWriteOptions& options, WritePayload write,
                                              const void* value) noexcept;
schemagen::Result<void> try_read_file(std::string_view file, const schemagen::CompactType& root,
                                      const schemagen::BinaryReadOptions& options, ReadPayload read,
                                      void* value) noexcept;
}  // namespace detail

/// A .pt2b file that holds `value`.
/// Errors: as schemagen::to_binary() and seal(); UsageError, if kept fields come without `written_by`.
template <class T>
std::string to_pt2b(const T& value, const BinaryFileWriteOptions& options = {}) {
  return detail::write_file(compact_type(&value), options, schemagen::detail::write_as<T>, &value);
}

/// Whether the payload was written by the schema that this library was made from: then every id means what it
/// means here, and none is unknown.
bool is_own_schema(const EnvelopeHeader& header);

/// The T in `envelope`. Payloads of the same major version are read; where a newer minor wrote it, unknown
/// fields that are empty are skipped, as they are where the options say so. Errors: DataError, if it holds
/// another type, if another major version wrote it, or as schemagen::from_binary(), with offsets from the
/// start of the payload.
template <class T>
T from_envelope(const Envelope& envelope, const schemagen::BinaryReadOptions& options = {}) {
  T value{};
  detail::read_envelope(envelope, compact_type(&value), options, schemagen::detail::read_as<T>, &value);
  return value;
}

/// The T that a .pt2b file holds. Errors: as Envelope and from_envelope().
template <class T>
T from_pt2b(std::string_view file, const schemagen::BinaryReadOptions& options = {}) {
  T value{};
  detail::read_file(file, compact_type(&value), options, schemagen::detail::read_as<T>, &value);
  return value;
}

/// to_pt2b() without exceptions: what it would throw is the result's failure.
template <class T>
schemagen::Result<std::string> try_to_pt2b(const T& value,
                                           const BinaryFileWriteOptions& options = {}) noexcept {
  return detail::try_write_file(compact_type(&value), options, compact_codec(&value).write, &value);
}

/// from_pt2b() without exceptions.
template <class T>
schemagen::Result<T> try_from_pt2b(std::string_view file,
                                   const schemagen::BinaryReadOptions& options = {}) noexcept {
  std::optional<T> value;
  constexpr const T* kOfType = nullptr;
  return schemagen::detail::filled(value, detail::try_read_file(file, compact_type(kOfType), options,
                                                                compact_codec(kOfType).read, &value));
}

}  // namespace pt2
