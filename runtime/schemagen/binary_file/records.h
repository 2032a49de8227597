// Reads and writes files that contain many values of one type. Values are read and written one at a time.
#pragma once

#include <iosfwd>
#include <utility>

#include "schemagen/binary_file/binary_file.h"

namespace schemagen {

namespace detail {
/// Reads records of any type.
class BinaryRecords {
 public:
  BinaryRecords(std::istream& in, const CompactType& root, const BinaryReadOptions& options,
                const BinaryFileFormat& format)
      : in_(&in), root_(&root), options_(options), format_(format) {}
  /// Reads the next record into `value`. Leaves `value` unchanged at the end.
  void next(const CompactCodec& codec, void* value);
  Result<void> try_next(const CompactCodec& codec, void* value) noexcept;
  const BinaryFileHeader& header() const noexcept { return header_; }
  std::uint64_t number() const noexcept { return number_; }

 private:
  void open();
  bool next_payload();
  bool read_size(std::uint64_t& size);
  std::size_t append(std::size_t size);

  std::istream* in_;
  const CompactType* root_;
  BinaryReadOptions options_;
  BinaryFileFormat format_;
  BinaryFileHeader header_;
  std::string buffer_;
  std::uint64_t number_ = 0;  // number of the current record
  std::size_t offset_ = 0;    // offset of the next unread byte
  bool is_over_ = false;      // set when an error makes further reading impossible
};

/// Writes records of any type.
class BinaryRecordsOut {
 public:
  BinaryRecordsOut(std::ostream& out, const CompactType& root, const BinaryFileWriteOptions& options,
                   const BinaryFileFormat& format);
  void write(const CompactCodec& codec, const void* value);
  Result<void> try_write(const CompactCodec& codec, const void* value) noexcept;

 private:
  std::ostream* out_;
  const CompactType* root_;
  BinaryWriteOptions options_;
  std::uint64_t number_ = 0;
};
}  // namespace detail

/// Reads the values in a file written by BinaryRecordWriter<T>. Holds one value at a time, so it needs only
/// enough memory for the largest value; Limits apply to each value separately. `in` must outlive the reader,
/// and is left positioned after the last value read.
template <class T>
class BinaryRecordReader {
 public:
  /// Reads nothing until the first call to next(). `options` are the same as for from_binary_file(). Reading
  /// a value overwrites the contents of `left_out` and `preserved`, and appends to `skipped`.
  explicit BinaryRecordReader(std::istream& in, const BinaryReadOptions& options = {},
                              const BinaryFileFormat& format = kAnySchema)
      : records_(in, compact_type(kOfType), options, format) {}

  /// Returns the next value, or nullopt at the end. Throws DataError in the same cases as from_binary_file(),
  /// with the record's number and the byte offset in the whole file. If only the payload of a record is
  /// invalid, the next call reads the following record. After any other error, such as a truncated record or
  /// a record over Limits::input_bytes, next() returns nullopt. Throws IoError if reading fails, and
  /// UsageError if `in` is set to throw exceptions.
  std::optional<T> next() {
    std::optional<T> value;
    records_.next(compact_codec(kOfType), &value);
    return value;
  }
  /// Like next(), but returns a Failure where next() throws.
  Result<std::optional<T>> try_next() noexcept {
    std::optional<std::optional<T>> value(std::in_place);
    return detail::filled(value, records_.try_next(compact_codec(kOfType), &*value));
  }

  /// Returns the number, counting from 1, of the value that next() last returned or rejected; 0 before the
  /// first.
  std::uint64_t number() const noexcept { return records_.number(); }
  /// Returns the header of the file. Call next() first.
  const BinaryFileHeader& header() const noexcept { return records_.header(); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::BinaryRecords records_;
};

/// Writes several values to a file. The file starts with a file header that names the type and schema and has
/// an empty payload. Then, for each value, come the length of its payload as a varint and the payload that
/// to_binary() would return. `out` must outlive the writer.
template <class T>
class BinaryRecordWriter {
 public:
  /// Writes the file header. Throws UsageError if the options ask for compression, if they set `preserved`
  /// without `written_by`, if the name of the type exceeds 255 bytes, or if `out` is set to throw exceptions.
  explicit BinaryRecordWriter(std::ostream& out, const BinaryFileWriteOptions& options = {},
                              const BinaryFileFormat& format = kAnySchema)
      : records_(out, compact_type(kOfType), options, format) {}

  /// Writes a value. Throws DataError in the same cases as to_binary(), with the record's number; in that
  /// case, no part of the value is written. Throws IoError if writing fails.
  void write(const T& value) { records_.write(compact_codec(kOfType), &value); }
  /// Like write(), but returns a Failure where write() throws.
  Result<void> try_write(const T& value) noexcept {
    return records_.try_write(compact_codec(kOfType), &value);
  }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::BinaryRecordsOut records_;
};

}  // namespace schemagen
