// JSON Lines: values of one type, one per line, read and written one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "schemagen/base/result.h"
#include "schemagen/json/json.h"

namespace schemagen {

namespace detail {
/// Reads records of any type.
class JsonRecords {
 public:
  JsonRecords(std::istream& in, const JsonReadOptions& options);
  /// Reads the next record into `value`; returns false at the end.
  bool next(const JsonCodec& codec, void* value);
  Result<bool> try_next(const JsonCodec& codec, void* value) noexcept;
  std::uint64_t number() const noexcept { return number_; }

 private:
  bool next_line();

  std::istream* in_;
  JsonReadOptions options_;
  std::string buffer_;        // starts with the current line
  std::size_t size_ = 0;      // of the current line
  std::uint64_t number_ = 0;  // of the current line
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

/// Reads values of a generated type, one per line. Holds one at a time, so it needs as much memory as the
/// largest; Limits apply to each. `in` must outlive the reader, and is positioned after the last line read.
template <class T>
class JsonRecordReader {
 public:
  /// Does not read yet. What `options` collects belongs to one value at a time.
  explicit JsonRecordReader(std::istream& in, const JsonReadOptions& options = {}) : records_(in, options) {}

  /// Returns the next value; nullopt at the end. The last line may lack a line end; no line may be empty.
  /// Throws DataError like from_json(), with the column and the record's number, which is also the line
  /// number; also if a line exceeds Limits::input_bytes. The next call reads the following line. Throws
  /// IoError, and UsageError if `in` is set to throw exceptions.
  std::optional<T> next() {
    std::optional<T> value;
    if (!records_.next(json_codec(kOfType), &value)) value.reset();
    return value;
  }
  /// Does the same as next() without exceptions.
  Result<std::optional<T>> try_next() noexcept {
    std::optional<T> value;
    Result<bool> is_there = records_.try_next(json_codec(kOfType), &value);
    if (!is_there) return std::move(is_there.failure());
    if (!*is_there) value.reset();
    return value;
  }

  /// Returns the number of the last value that next() returned or rejected, from 1; 0 before the first.
  std::uint64_t number() const noexcept { return records_.number(); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::JsonRecords records_;
};

/// Writes values of a generated type, one per line. `out` must outlive it.
template <class T>
class JsonRecordWriter {
 public:
  explicit JsonRecordWriter(std::ostream& out, const JsonWriteOptions& options = {})
      : records_(out, options) {}

  /// Writes a value. Line ends between the tokens of an Any become spaces. Throws DataError like to_json(),
  /// with the record's number, and then writes nothing of this value. Throws IoError, and UsageError if the
  /// options set `indent` or `out` is set to throw exceptions.
  void write(const T& value) { records_.write(json_codec(kOfType), &value); }
  /// Does the same as write() without exceptions.
  Result<void> try_write(const T& value) noexcept { return records_.try_write(json_codec(kOfType), &value); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::JsonRecordsOut records_;
};

}  // namespace schemagen
