// Binary files of any type of any schema: its payload in an envelope that says what it is. Include the
// schema's own binary.h. All functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/compact/binary.h"
#include "schemagen/envelope/envelope.h"
#include "schemagen/value/result.h"

namespace schemagen {

/// The files of schemas that have no magic of their own: they name their type with its schema,
/// "notes.Notebook".
inline constexpr EnvelopeFormat kAnySchema = {"\x89SGB\r\n\x1a\n", "schemagen", true, nullptr};

struct EnvelopeWriteOptions {
  BinaryWriteOptions payload;
  Compression compression = Compression::none;
  /// The header of a file by a newer minor, of which nothing was skipped: the payload is still of its schema,
  /// so that its minor version and schema id are written. Needed where `payload` puts back kept fields.
  const EnvelopeHeader* written_by = nullptr;
};

namespace detail {
using ReadPayload = void (*)(CompactReader& in, void* value);
using WritePayload = void (*)(CompactWriter& out, const void* value);

std::string write_envelope(const EnvelopeFormat& format, const CompactType& root,
                           const EnvelopeWriteOptions& options, WritePayload write, const void* value);
/// Options are adapted to who wrote the envelope; errors say so if another schema did.
void read_envelope(const Envelope& envelope, const CompactType& root, BinaryReadOptions options,
                   ReadPayload read, void* value);
void read_file(const EnvelopeFormat& format, std::string_view file, const CompactType& root,
               const BinaryReadOptions& options, ReadPayload read, void* value);
Result<std::string> try_write_envelope(const EnvelopeFormat& format, const CompactType& root,
                                       const EnvelopeWriteOptions& options, WritePayload write,
                                       const void* value) noexcept;
Result<void> try_read_file(const EnvelopeFormat& format, std::string_view file, const CompactType& root,
                           const BinaryReadOptions& options, ReadPayload read, void* value) noexcept;
}  // namespace detail

/// A file that holds `value`, a struct or union.
/// Errors: as to_binary() and seal(); UsageError, if kept fields come without `written_by`.
template <class T>
std::string to_envelope(const T& value, const EnvelopeWriteOptions& options = {},
                        const EnvelopeFormat& format = kAnySchema) {
  return detail::write_envelope(format, compact_type(&value), options, detail::write_as<T>, &value);
}

/// The T in `envelope`. Payloads of the same major version of its schema are read; where a newer minor wrote
/// it, unknown fields that are empty are skipped, as they are where the options say so. Errors: DataError, if
/// it holds another type or one of another schema, if another major version wrote it, or as from_binary(),
/// with offsets from the start of the payload.
template <class T>
T from_envelope(const Envelope& envelope, const BinaryReadOptions& options = {}) {
  T value{};
  detail::read_envelope(envelope, compact_type(&value), options, detail::read_as<T>, &value);
  return value;
}

/// The T that a file of to_envelope() holds. Errors: as Envelope, and of the former.
template <class T>
T from_envelope(std::string_view file, const BinaryReadOptions& options = {},
                const EnvelopeFormat& format = kAnySchema) {
  T value{};
  detail::read_file(format, file, compact_type(&value), options, detail::read_as<T>, &value);
  return value;
}

/// to_envelope() without exceptions: what it would throw is the result's failure.
template <class T>
Result<std::string> try_to_envelope(const T& value, const EnvelopeWriteOptions& options = {},
                                    const EnvelopeFormat& format = kAnySchema) noexcept {
  return detail::try_write_envelope(format, compact_type(&value), options, compact_codec(&value).write,
                                    &value);
}

/// from_envelope() without exceptions.
template <class T>
Result<T> try_from_envelope(std::string_view file, const BinaryReadOptions& options = {},
                            const EnvelopeFormat& format = kAnySchema) noexcept {
  std::optional<T> value;
  constexpr const T* kOfType = nullptr;
  return detail::filled(value, detail::try_read_file(format, file, compact_type(kOfType), options,
                                                     compact_codec(kOfType).read, &value));
}

}  // namespace schemagen
