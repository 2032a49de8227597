// Binary files for any type of any schema: a header that names the type, the payload, and a checksum. Include
// the schema's own binary.h as well.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// A binary file format.
struct BinaryFileFormat {
  std::string_view magic;  // eight bytes; the last four contain both kinds of line ends
  std::string_view file;   // the name of such a file in messages: ".pt2b"
  bool names_schema;  // whether the type's name includes its schema, for a magic that several schemas share
  /// Returns why files of another major version cannot be read. If null, a general reason is given.
  std::optional<std::string> (*why_unreadable)(const Version& version);
};

/// What a binary file says about its payload.
struct BinaryFileHeader {
  static constexpr std::size_t kVersionAt = 10;
  static constexpr std::size_t kRootAt = 26;

  std::uint32_t schema_major = 0;
  std::uint32_t schema_minor = 0;
  std::array<std::uint8_t, 8> schema_id{};  // the first bytes of the schema's hash
  std::string root;                         // name of the payload's type, at most 255 bytes
  DoubleOrder doubles = DoubleOrder::little_endian;
};

enum class Compression { none, zstd };

/// Returns the schema id as 16 hex digits.
std::string schema_id_text(const BinaryFileHeader& header);

/// Returns whether this library was built with libzstd. Without it, it can neither read nor write compressed
/// files.
bool has_zstd() noexcept;

/// An open binary file. An uncompressed payload is part of the file's bytes, which must therefore outlive
/// this object.
class BinaryFile {
 public:
  /// Opens `file` and verifies its checksum. Throws DataError with a byte offset if the file has a different
  /// format or version, is damaged or incomplete, if the decompressed payload exceeds `input_bytes` or
  /// `memory_bytes`, or if it is compressed and this library was built without libzstd.
  BinaryFile(const BinaryFileFormat& format, std::string_view file, const Limits& limits);
  BinaryFile(const BinaryFileFormat& format, std::string&& file, const Limits& limits) = delete;

  const BinaryFileFormat& format() const noexcept { return format_; }
  const BinaryFileHeader& header() const noexcept { return header_; }
  Compression compression() const noexcept { return compression_; }
  /// Returns the decompressed payload.
  std::string_view payload() const noexcept { return payload_; }
  /// Returns the number of bytes that the decompressed payload takes; 0 if it was not compressed.
  std::size_t owned_bytes() const noexcept { return decompressed_ ? payload_.size() : 0; }

 private:
  void decompress(std::string_view frame, std::size_t offset, const Limits& limits);

  BinaryFileFormat format_;
  BinaryFileHeader header_;
  Compression compression_ = Compression::none;
  std::unique_ptr<char[]> decompressed_;
  std::string_view payload_;
};

/// Returns whether `file` is meant to have this format, even if damaged: it starts with the first half of the
/// magic, which text-mode transfers preserve.
bool looks_like(const BinaryFileFormat& format, std::string_view file);

/// Returns a file that contains `payload`. Throws UsageError if the root's name exceeds 255 bytes, or if
/// compression is requested and this library was built without libzstd.
std::string seal(const BinaryFileFormat& format, const BinaryFileHeader& header, std::string_view payload,
                 Compression compression);

/// The format for schemas that have no magic of their own. The type's name includes its schema:
/// "notes.Notebook".
inline constexpr BinaryFileFormat kAnySchema = {"\x89SGB\r\n\x1a\n", "schemagen", true, nullptr};

struct BinaryFileWriteOptions {
  BinaryWriteOptions payload;
  Compression compression = Compression::none;
  /// The header of the file that the value was read from, if nothing was skipped: the newer minor version and
  /// schema id are then written again. Required if `payload` writes unknown fields back.
  const BinaryFileHeader* written_by = nullptr;
};

namespace detail {
using WritePayload = void (*)(CompactWriter& out, const void* value);

std::string write_binary_file(const BinaryFileFormat& format, const CompactType& root,
                              const BinaryFileWriteOptions& options, WritePayload write, const void* value);
/// Adapts the options to the schema that wrote the file, and mentions that schema in errors if it differs.
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

/// Returns a file that contains `value`, a struct or union. Throws like to_binary() and seal(), and throws
/// UsageError if there are unknown fields but no `written_by`.
template <class T>
std::string to_binary_file(const T& value, const BinaryFileWriteOptions& options = {},
                           const BinaryFileFormat& format = kAnySchema) {
  return detail::write_binary_file(format, compact_type(&value), options, detail::write_as<T>, &value);
}

/// Returns the T in `file`. Reads every minor version of the same major version; in a newer minor version,
/// skips empty unknown fields and treats others as the options say. Throws DataError if the file has a
/// different type, schema or major version, and otherwise like from_binary(), with offsets from the start of
/// the payload.
template <class T>
T from_binary_file(const BinaryFile& file, const BinaryReadOptions& options = {}) {
  T value{};
  detail::read_binary_file(file, compact_type(&value), options, detail::kCompactCodecInto<T>, &value);
  return value;
}

/// Reads the T in `file` into `into`, reusing its memory as from_binary() does. Throws like
/// from_binary_file<T>(), and then leaves `into` empty.
template <class T>
void from_binary_file(const BinaryFile& file, T& into, const BinaryReadOptions& options = {}) {
  EmptiedOnFailure<T> guard(into);
  detail::read_binary_file(file, compact_type(&into), options, detail::kCompactCodecOver<T>, &into);
  guard.keep();
}

/// Returns the T in a file that to_binary_file() wrote. Throws like BinaryFile and the function above.
template <class T>
T from_binary_file(std::string_view file, const BinaryReadOptions& options = {},
                   const BinaryFileFormat& format = kAnySchema) {
  T value{};
  detail::read_file(format, file, compact_type(&value), options, detail::kCompactCodecInto<T>, &value);
  return value;
}

/// Does the same as to_binary_file() without exceptions: the failure holds what that would throw.
template <class T>
Result<std::string> try_to_binary_file(const T& value, const BinaryFileWriteOptions& options = {},
                                       const BinaryFileFormat& format = kAnySchema) noexcept {
  return detail::try_write_binary_file(format, compact_type(&value), options, compact_codec(&value).write,
                                       &value);
}

/// Does the same as from_binary_file() without exceptions.
template <class T>
Result<T> try_from_binary_file(std::string_view file, const BinaryReadOptions& options = {},
                               const BinaryFileFormat& format = kAnySchema) noexcept {
  std::optional<T> value;
  constexpr const T* kOfType = nullptr;
  return detail::filled(value, detail::try_read_file(format, file, compact_type(kOfType), options,
                                                     compact_codec(kOfType), &value));
}

}  // namespace schemagen
