// Files of many values of one type, read and written one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "schemagen/base/result.h"
#include "schemagen/binary_file/binary_file.h"
#include "schemagen/thrift/binary.h"

namespace schemagen {

namespace detail {
/// What reads the records of any type.
class BinaryRecords {
 public:
  BinaryRecords(std::istream& in, const CompactType& root, const BinaryReadOptions& options,
                const BinaryFileFormat& format)
      : in_(&in), root_(&root), options_(options), format_(format) {}
  /// Whether there was another record, which is then in `value`.
  bool next(const CompactCodec& codec, void* value);
  Result<bool> try_next(const CompactCodec& codec, void* value) noexcept;
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
  std::string buffer_;        // the header, then one record
  std::uint64_t number_ = 0;  // of the record
  std::size_t offset_ = 0;    // behind what was read
  bool is_over_ = false;      // nothing behind an error can be read
};

/// What writes them.
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

/// Reads the values of a file of BinaryRecordWriter<T>, and holds one at a time: it takes as much memory as
/// the largest of them, to which Limits apply. For one thread at a time. `in` must outlive it, and stands
/// behind the last value that was read.
template <class T>
class BinaryRecordReader {
 public:
  /// Reads nothing yet. `options` are those of from_binary_file(): what they have filled is about one value.
  explicit BinaryRecordReader(std::istream& in, const BinaryReadOptions& options = {},
                              const BinaryFileFormat& format = kAnySchema)
      : records_(in, compact_type(kOfType), options, format) {}

  /// The next value; nullopt: there is none.
  /// Errors: DataError, as from_binary_file(), with the record's number, and the byte offset in the whole
  /// file. Behind a record whose payload is bad, the next one can be read; behind any other error, e.g. a
  /// record that is cut or longer than Limits::input_bytes, nothing can: after it there is none. IoError.
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
  const BinaryFileHeader& header() const noexcept { return records_.header(); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::BinaryRecords records_;
};

/// Writes values behind one another: first a file header with an empty payload, which names their type and
/// schema, then each as a payload of to_binary() behind its length, a varint. For one thread at a time. `out`
/// must outlive it.
template <class T>
class BinaryRecordWriter {
 public:
  /// Writes the header. Errors: UsageError if compression is asked for, if there is a place for unknown
  /// fields without `written_by`, if the type's name is longer than 255 bytes, or if `out` throws exceptions
  /// of its own.
  explicit BinaryRecordWriter(std::ostream& out, const BinaryFileWriteOptions& options = {},
                              const BinaryFileFormat& format = kAnySchema)
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
