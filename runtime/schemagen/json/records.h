// Values of one type, one on each line (JSON Lines), read and written one at a time.
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
/// What reads the records of any type.
class JsonRecords {
 public:
  JsonRecords(std::istream& in, const JsonReadOptions& options);
  /// Whether there was another record, which is then in `value`.
  bool next(const JsonCodec& codec, void* value);
  Result<bool> try_next(const JsonCodec& codec, void* value) noexcept;
  std::uint64_t number() const noexcept { return number_; }

 private:
  bool next_line();

  std::istream* in_;
  JsonReadOptions options_;
  std::string buffer_;        // begins with the line
  std::size_t size_ = 0;      // of the line
  std::uint64_t number_ = 0;  // of the line
  bool is_within_line_ = false;
};

/// What writes them.
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

/// Reads values of a generated type that stand one on each line (JSON lines), and holds one at a time: it
/// takes as much memory as the largest of them, to which Limits apply. For one thread at a time. `in` must
/// outlive it, and stands behind the last line that was read.
template <class T>
class JsonRecordReader {
 public:
  /// Reads nothing yet. What `options` have filled is about one value.
  explicit JsonRecordReader(std::istream& in, const JsonReadOptions& options = {}) : records_(in, options) {}

  /// The next value; nullopt: there is none. The last line may lack its end, none may be empty.
  /// Errors: DataError, as from_json(), with the record's number, which is that of its line, and the column;
  /// the next call reads the line behind it. A line longer than Limits::input_bytes is one. IoError.
  /// UsageError, if `in` throws exceptions of its own.
  std::optional<T> next() {
    std::optional<T> value;
    if (!records_.next(json_codec(kOfType), &value)) value.reset();
    return value;
  }
  /// next() without exceptions.
  Result<std::optional<T>> try_next() noexcept {
    std::optional<T> value;
    Result<bool> is_there = records_.try_next(json_codec(kOfType), &value);
    if (!is_there) return std::move(is_there.failure());
    if (!*is_there) value.reset();
    return value;
  }

  /// That of the last value that next() gave or refused, from 1; 0: there is none yet.
  std::uint64_t number() const noexcept { return records_.number(); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::JsonRecords records_;
};

/// Writes values of a generated type, one on each line. For one thread at a time. `out` must outlive it.
template <class T>
class JsonRecordWriter {
 public:
  explicit JsonRecordWriter(std::ostream& out, const JsonWriteOptions& options = {})
      : records_(out, options) {}

  /// Line ends between the tokens of an Any become spaces.
  /// Errors: DataError, as to_json(), with the record's number; nothing of it is then written. IoError.
  /// UsageError, if the options ask for an indentation, or if `out` throws exceptions of its own.
  void write(const T& value) { records_.write(json_codec(kOfType), &value); }
  /// write() without exceptions.
  Result<void> try_write(const T& value) noexcept { return records_.try_write(json_codec(kOfType), &value); }

 private:
  static constexpr const T* kOfType = nullptr;

  detail::JsonRecordsOut records_;
};

}  // namespace schemagen
