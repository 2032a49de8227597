// Reads and writes binary files for any type of any schema. A file consists of a header (which names the
// type), the payload, and a checksum. Users must also include the schema's own binary.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/result.h"
#include "schemagen/base/schema_version.h"
#include "schemagen/thrift/binary.h"

namespace schemagen {

/// A binary file format.
struct BinaryFileFormat {
  std::string_view magic;  // eight bytes; the last four include both kinds of line endings
  std::string_view file;   // the name of such a file in messages, e.g. ".pt2b"
  // Whether the type's name includes its schema's name. Needed if several schemas share the magic number.
  bool names_schema;
  /// A function that returns the reason why files with a different major version cannot be read. If it is
  /// null, errors give a general reason.
  std::optional<std::string> (*why_unreadable)(const Version& version);
};

/// The header of a binary file, which describes its payload.
struct BinaryFileHeader {
  static constexpr std::size_t kVersionAt = 10;
  static constexpr std::size_t kRootAt = 26;

  std::uint32_t schema_major = 0;
  std::uint32_t schema_minor = 0;
  std::array<std::uint8_t, 8> schema_id{};  // first bytes of the hash of the schema
  std::string root;                         // name of the payload's type, at most 255 bytes
  DoubleOrder doubles = DoubleOrder::little_endian;
};

enum class Compression { none, zstd };

/// Returns the schema id of `header` as 16 hex digits.
std::string schema_id_text(const BinaryFileHeader& header);

/// Returns whether this library was built with libzstd. Without libzstd, compressed files can be neither read
/// nor written.
bool has_zstd() noexcept;

/// An open binary file. If the payload is not compressed, this object refers to the file's bytes, which must
/// therefore outlive it.
class BinaryFile {
 public:
  /// Opens `file` and verifies its checksum. Throws DataError, with a byte offset, if the file has a
  /// different format or version, if it is damaged or incomplete, if it is compressed and this library was
  /// built without libzstd, or if the decompressed payload exceeds Limits::input_bytes or
  /// Limits::memory_bytes.
  BinaryFile(const BinaryFileFormat& format, std::string_view file, const Limits& limits);
  BinaryFile(const BinaryFileFormat& format, std::string&& file, const Limits& limits) = delete;

  const BinaryFileFormat& format() const noexcept { return format_; }
  const BinaryFileHeader& header() const noexcept { return header_; }
  Compression compression() const noexcept { return compression_; }
  /// Returns the decompressed payload.
  std::string_view payload() const noexcept { return payload_; }
  /// Returns the number of bytes that this object allocated for a decompressed payload, or 0 if the payload
  /// was not compressed.
  std::size_t owned_bytes() const noexcept { return decompressed_ ? payload_.size() : 0; }

 private:
  void decompress(std::string_view frame, std::size_t offset, const Limits& limits);

  BinaryFileFormat format_;
  BinaryFileHeader header_;
  Compression compression_ = Compression::none;
  std::unique_ptr<char[]> decompressed_;
  std::string_view payload_;
};

/// Returns whether `file` has this format, even if it is damaged. Checks only the first half of the magic,
/// which text-mode transfers do not change.
bool looks_like(const BinaryFileFormat& format, std::string_view file);

/// Returns a file that contains `payload`. Throws UsageError if the name of the root type exceeds 255 bytes,
/// or if compression is requested and this library was built without libzstd.
std::string seal(const BinaryFileFormat& format, const BinaryFileHeader& header, std::string_view payload,
                 Compression compression);

/// The format for schemas that do not have their own magic. The type's name includes the name of its schema,
/// e.g. "notes.Notebook".
inline constexpr BinaryFileFormat kAnySchema = {"\x89SGB\r\n\x1a\n", "schemagen", true, nullptr};

struct BinaryFileWriteOptions {
  BinaryWriteOptions payload;
  Compression compression = Compression::none;
  /// The header of the file that the value was read from, if no fields were skipped. If this is set, the new
  /// file has the same minor version and schema id, even if the version is newer than this library's.
  /// Required if `payload` writes unknown fields back.
  const BinaryFileHeader* written_by = nullptr;
};

namespace detail {
using WritePayload = void (*)(CompactWriter& out, const void* value);

std::string write_binary_file(const BinaryFileFormat& format, const CompactType& root,
                              const BinaryFileWriteOptions& options, WritePayload write, const void* value);
/// Reads the payload with options that are adapted to the schema of the file's writer. If that schema differs
/// from this library's, errors mention it.
void read_binary_file(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options,
                      const CompactCodec& codec, void* value);
void read_file(const BinaryFileFormat& format, std::string_view file, const CompactType& root,
               const BinaryReadOptions& options, const CompactCodec& codec, void* value);
Result<std::string> try_write_binary_file(const BinaryFileFormat& format, const CompactType& root,
                                          const BinaryFileWriteOptions& options, WritePayload write,
                                          const void* value) noexcept;
Result<void> try_read_file(const BinaryFileFormat& format, std::string_view file, const CompactType& root,
                           const BinaryReadOptions& options, const CompactCodec& codec, void* value) noexcept;

}  // namespace detail

/// Returns a file that contains `value`, which is a struct or union. Throws whatever to_binary() and seal()
/// throw. Also throws UsageError if there are unknown fields but `written_by` is not set.
template <class T>
std::string to_binary_file(const T& value, const BinaryFileWriteOptions& options = {},
                           const BinaryFileFormat& format = kAnySchema) {
  return detail::write_binary_file(format, compact_type(&value), options, detail::write_as<T>, &value);
}

/// Returns the T in `file`. Reads every minor version of the same major version. If the minor version is
/// newer, empty unknown fields are skipped and other unknown fields are treated as the options specify.
/// Throws DataError if the file has a different type, schema or major version. Also throws whatever
/// from_binary() throws, with byte offsets that count from the start of the payload.
template <class T>
T from_binary_file(const BinaryFile& file, const BinaryReadOptions& options = {}) {
  T value{};
  detail::read_binary_file(file, compact_type(&value), options, detail::kCompactCodecInto<T>, &value);
  return value;
}

/// Reads the T in `file` into `into`, reusing its memory as from_binary() does. Throws whatever
/// from_binary_file<T>() throws; in that case, leaves `into` empty.
template <class T>
void from_binary_file(const BinaryFile& file, T& into, const BinaryReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  detail::read_binary_file(file, compact_type(&into), options, detail::kCompactCodecOver<T>, &into);
  guard.keep();
}

/// Returns the T in a file written by to_binary_file(). Throws whatever the constructor of BinaryFile and the
/// overloads that take a BinaryFile throw.
template <class T>
T from_binary_file(std::string_view file, const BinaryReadOptions& options = {},
                   const BinaryFileFormat& format = kAnySchema) {
  T value{};
  detail::read_file(format, file, compact_type(&value), options, detail::kCompactCodecInto<T>, &value);
  return value;
}

/// Like to_binary_file(), but returns a Failure where to_binary_file() throws.
template <class T>
Result<std::string> try_to_binary_file(const T& value, const BinaryFileWriteOptions& options = {},
                                       const BinaryFileFormat& format = kAnySchema) noexcept {
  return detail::try_write_binary_file(format, compact_type(&value), options, compact_codec(&value).write,
                                       &value);
}

/// Like from_binary_file(), but returns a Failure where from_binary_file() throws.
template <class T>
Result<T> try_from_binary_file(std::string_view file, const BinaryReadOptions& options = {},
                               const BinaryFileFormat& format = kAnySchema) noexcept {
  std::optional<T> value;
  constexpr const T* kOfType = nullptr;
  return detail::filled(value, detail::try_read_file(format, file, compact_type(kOfType), options,
                                                     compact_codec(kOfType), &value));
}

}  // namespace schemagen
