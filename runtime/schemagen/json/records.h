// Reads and writes JSON Lines: values of one type, one per line. Values are read and written one at a time.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <utility>

#include "schemagen/json/json.h"

namespace schemagen {

namespace detail {
/// Reads records of any type.
class JsonRecords {
 public:
  JsonRecords(std::istream& in, const JsonReadOptions& options);
  /// Reads the next record into `value`. Leaves `value` unchanged at the end.
  void next(const JsonCodec& codec, void* value);
  Result<void> try_next(const JsonCodec& codec, void* value) noexcept;
  std::uint64_t number() const noexcept { return number_; }

 private:
  bool next_line();

  std::istream* in_;
  JsonReadOptions options_;
  std::string buffer_;        // starts with the current line
  std::size_t size_ = 0;      // size of the current line
  std::uint64_t number_ = 0;  // number of the current line
  bool is_within_line_ = false;
};

/// Writes records of any type.
class JsonRecordsOut {
 public:
  JsonRecordsOut(std::ostream& out, const JsonWriteOptions& options) : out_(&out), options_(options) {}
  void write(const JsonCodec& codec, const void* value);
  Result<void> try_write(const JsonCodec& codec, const void* value) noexcept;

 private:
  std::ostream* out_;
  JsonWriteOptions options_;
  std::uint64_t number_ = 0;
};
}  // namespace detail

/// Reads values of a generated type, one per line. Holds one value at a time, so it needs only enough memory
/// for the largest value; Limits apply to each value separately. `in` must outlive the reader, and is left
/// positioned after the last line read.
template <class T>
class JsonRecordReader {
 public:
  /// Reads nothing until the first call to next(). Reading a value overwrites the contents of `left_out` and
  /// `preserved`, and appends to `skipped`.
  explicit JsonRecordReader(std::istream& in, const JsonReadOptions& options = {}) : records_(in, options) {}

  /// Returns the next value, or nullopt at the end. The last line need not end with a line feed; empty lines
  /// are errors. Throws DataError in the same cases as from_json(), and also if a line exceeds
  /// Limits::input_bytes. The error gives the column and the record's number, which is also the line number.
  /// After a DataError, the next call reads the following line. Throws IoError if reading fails, and
  /// UsageError if `in` is set to throw exceptions.
  std::optional<T> next() {
    std::optional<T> value;
    records_.next(json_codec(kOfType), &value);
    return value;
  }
  /// Like next(), but returns a Failure where next() throws.
  Result<std::optional<T>> try_next() noexcept {
    std::optional<std::optional<T>> value(std::in_place);
    return detail::filled(value, records_.try_next(json_codec(kOfType), &*value));
  }

  /// Returns the number, counting from 1, of the value that next() last returned or rejected; 0 before the
  /// first.
  std::uint64_t number() const noexcept { return records_.number(); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::JsonRecords records_;
};

/// Writes values of a generated type, one per line. `out` must outlive the writer.
template <class T>
class JsonRecordWriter {
 public:
  explicit JsonRecordWriter(std::ostream& out, const JsonWriteOptions& options = {})
      : records_(out, options) {}

  /// Writes a value. Line breaks between the tokens of an Any value become spaces. Throws DataError in the
  /// same cases as to_json(), with the record's number; in that case, no part of the value is written. Throws
  /// IoError if writing fails, and UsageError if the options set `indent` or if `out` is set to throw
  /// exceptions.
  void write(const T& value) { records_.write(json_codec(kOfType), &value); }
  /// Like write(), but returns a Failure where write() throws.
  Result<void> try_write(const T& value) noexcept { return records_.try_write(json_codec(kOfType), &value); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::JsonRecordsOut records_;
};

}  // namespace schemagen
