// Binary files of any type of any schema: its payload in an envelope that says what it is, and whether it
// came through whole; and files of many payloads, records, behind one envelope. Include the schema's own
// binary.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/result.h"
#include "schemagen/base/schema_version.h"
#include "schemagen/thrift/binary.h"

namespace schemagen {

/// A kind of files that are envelopes.
struct EnvelopeFormat {
  std::string_view magic;  // the first eight bytes; both kinds of line ends are in the second four
  std::string_view file;   // what messages call such a file: ".pt2b"
  bool names_schema;       // whether files name their type with its schema: of a magic for several schemas
  /// Says why files of another major version are not read; null: what is said of all schemas.
  std::optional<std::string> (*why_unreadable)(const Version& version);
};

/// What an envelope says of its payload.
struct EnvelopeHeader {
  // Where a file has them, in bytes.
  static constexpr std::size_t kVersionAt = 10;
  static constexpr std::size_t kRootAt = 26;

  std::uint32_t schema_major = 0;
  std::uint32_t schema_minor = 0;
  std::array<std::uint8_t, 8> schema_id{};  // the first bytes of the schema's hash
  std::string root;                         // name of the payload's type; at most 255 bytes
  DoubleOrder doubles = DoubleOrder::little_endian;
};

enum class Compression { none, zstd };

/// The schema id as it is written for people: 16 hex digits.
std::string schema_id_text(const EnvelopeHeader& header);

/// Whether this library was built with libzstd: without it, compressed files are neither read nor written.
bool has_zstd() noexcept;

/// An envelope that was opened. Of an uncompressed payload it borrows
/// the bytes: the file must outlive it.
class Envelope {
 public:
  /// The contents of `file`, whose checksum is verified.
  /// Errors: DataError with byte offset, if it is not an envelope of this format, of another version, damaged
  /// or incomplete, or if the payload, decompressed, has more than `input_bytes` or takes more than
  /// `memory_bytes`; if it is compressed and this library was built without libzstd.
  Envelope(const EnvelopeFormat& format, std::string_view file, const Limits& limits);
  Envelope(const EnvelopeFormat& format, std::string&& file, const Limits& limits) = delete;

  const EnvelopeFormat& format() const noexcept { return format_; }
  const EnvelopeHeader& header() const noexcept { return header_; }
  Compression compression() const noexcept { return compression_; }
  /// The payload, not compressed.
  std::string_view payload() const noexcept { return payload_; }
  /// How many bytes of its own the payload takes: none, if it was not compressed.
  std::size_t owned_bytes() const noexcept { return decompressed_ ? payload_.size() : 0; }

 private:
  void decompress(std::string_view frame, std::size_t offset, const Limits& limits);

  EnvelopeFormat format_;
  EnvelopeHeader header_;
  Compression compression_ = Compression::none;
  std::unique_ptr<char[]> decompressed_;
  std::string_view payload_;
};

/// Whether `file` is meant to be an envelope of this format, damaged or not: it begins with the first half of
/// the magic, which no transfer as text changes.
bool looks_like(const EnvelopeFormat& format, std::string_view file);

/// The file that holds `payload`.
/// Errors: UsageError, if the root's name is longer than 255 bytes, or if compression is asked for and this
/// library was built without libzstd.
std::string seal(const EnvelopeFormat& format, const EnvelopeHeader& header, std::string_view payload,
                 Compression compression);

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
void read_envelope(const Envelope& envelope, const CompactType& root, const BinaryReadOptions& options,
                   ReadPayload read, void* value);
void read_file(const EnvelopeFormat& format, std::string_view file, const CompactType& root,
               const BinaryReadOptions& options, ReadPayload read, void* value);
Result<std::string> try_write_envelope(const EnvelopeFormat& format, const CompactType& root,
                                       const EnvelopeWriteOptions& options, WritePayload write,
                                       const void* value) noexcept;
Result<void> try_read_file(const EnvelopeFormat& format, std::string_view file, const CompactType& root,
                           const BinaryReadOptions& options, ReadPayload read, void* value) noexcept;

/// What reads the records of any type.
class BinaryRecords {
 public:
  BinaryRecords(std::istream& in, const CompactType& root, const BinaryReadOptions& options,
                const EnvelopeFormat& format)
      : in_(&in), root_(&root), options_(options), format_(format) {}
  /// Whether there was another record, which is then in `value`.
  bool next(const CompactCodec& codec, void* value);
  Result<bool> try_next(const CompactCodec& codec, void* value) noexcept;
  const EnvelopeHeader& header() const noexcept { return header_; }
  std::uint64_t number() const noexcept { return number_; }

 private:
  void open();
  bool next_payload();
  bool read_size(std::uint64_t& size);
  std::size_t append(std::size_t size);

  std::istream* in_;
  const CompactType* root_;
  BinaryReadOptions options_;
  EnvelopeFormat format_;
  EnvelopeHeader header_;
  std::string buffer_;        // the envelope, then one record
  std::uint64_t number_ = 0;  // of the record
  std::size_t offset_ = 0;    // behind what was read
  bool is_over_ = false;      // nothing behind an error can be read
};

/// What writes them.
class BinaryRecordsOut {
 public:
  BinaryRecordsOut(std::ostream& out, const CompactType& root, const EnvelopeWriteOptions& options,
                   const EnvelopeFormat& format);
  void write(const CompactCodec& codec, const void* value);
  Result<void> try_write(const CompactCodec& codec, const void* value) noexcept;

 private:
  std::ostream* out_;
  const CompactType* root_;
  BinaryWriteOptions options_;
  std::uint64_t number_ = 0;
};
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

/// Puts the T in `envelope` in the place of `into`, whose memory is kept, as from_binary() does. Errors: as
/// from_envelope<T>(); `into` is then as new.
template <class T>
void from_envelope(const Envelope& envelope, T& into, const BinaryReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  detail::read_envelope(envelope, compact_type(&into), options, detail::read_over<T>, &into);
  guard.keep();
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

/// Reads the values of a file of BinaryRecordWriter<T>, and holds one at a time: it takes as much memory as
/// the largest of them, to which Limits apply. For one thread at a time. `in` must outlive it, and stands
/// behind the last value that was read.
template <class T>
class BinaryRecordReader {
 public:
  /// Reads nothing yet. `options` are those of from_envelope(): what they have filled is about one value.
  explicit BinaryRecordReader(std::istream& in, const BinaryReadOptions& options = {},
                              const EnvelopeFormat& format = kAnySchema)
      : records_(in, compact_type(kOfType), options, format) {}

  /// The next value; nullopt: there is none.
  /// Errors: DataError, as from_envelope(), with the record's number, and the byte offset in the whole file.
  /// Behind a record whose payload is bad, the next one can be read; behind any other error, e.g. a record
  /// that is cut or longer than Limits::input_bytes, nothing can: after it there is none. IoError.
  /// UsageError, if `in` throws exceptions of its own.
  std::optional<T> next() {
    std::optional<T> value;
    if (!records_.next(compact_codec(kOfType), &value)) value.reset();
    return value;
  }
  /// next() without exceptions.
  Result<std::optional<T>> try_next() noexcept {
    std::optional<T> value;
    Result<bool> is_there = records_.try_next(compact_codec(kOfType), &value);
    if (!is_there) return std::move(is_there.failure());
    if (!*is_there) value.reset();
    return value;
  }

  /// That of the last value that next() gave or refused, from 1; 0: there is none yet.
  std::uint64_t number() const noexcept { return records_.number(); }
  /// What the file says of itself, once next() was called.
  const EnvelopeHeader& header() const noexcept { return records_.header(); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::BinaryRecords records_;
};

/// Writes values behind one another: first an envelope with an empty payload, which names their type and
/// schema, then each as a payload of to_binary() behind its length, a varint. For one thread at a time. `out`
/// must outlive it.
template <class T>
class BinaryRecordWriter {
 public:
  /// Writes the envelope. Errors: UsageError, if compression is asked for, if there is a place for kept
  /// fields without `written_by`, if the type's name is longer than 255 bytes, or if `out` throws exceptions
  /// of its own.
  explicit BinaryRecordWriter(std::ostream& out, const EnvelopeWriteOptions& options = {},
                              const EnvelopeFormat& format = kAnySchema)
      : records_(out, compact_type(kOfType), options, format) {}

  /// Errors: DataError, as to_binary(), with the record's number; nothing of it is then written. IoError.
  void write(const T& value) { records_.write(compact_codec(kOfType), &value); }
  /// write() without exceptions.
  Result<void> try_write(const T& value) noexcept {
    return records_.try_write(compact_codec(kOfType), &value);
  }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::BinaryRecordsOut records_;
};

}  // namespace schemagen
