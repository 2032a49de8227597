// The errors that this library raises: one base, one type for each kind of fault. And what functions give
// that report failures without exceptions: `try_` and the name of the one that throws. Errors may be thrown
// and caught in several threads at once; a Failure or Result is for one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace schemagen {

/// Where in the input: a byte offset from 0 (binary, archives), or a line and column from 1 (JSON).
struct Place {
  std::optional<std::size_t> offset;
  std::size_t line = 0;  // 0: no line is known
  std::size_t column = 0;
};

/// What all exceptions of this library are, but for std::bad_alloc. `what()` is one line, printable, and
/// holds at most a few hundred bytes of the data that it is about.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "(line 1, column 840)" or "(byte 12)", as it stands at the end of messages; empty for no place.
std::string place_text(const Place& place);

/// What is known of bad data apart from the message, which is for people: decide by these, not by its text.
struct DataFault {
  bool is_unknown_field = false;  // the reader's schema lacks a field or union member, which it may not skip
  bool names_versions = false;    // the reason says which version wrote the data
};

/// Bad data: the input, or a value that is to be written, breaks a rule of its format.
///
/// `what()` is the whole message, e.g. `graph_module.graph.nodes[3].name: expected a string, found null
/// (line 1, column 840)`; the parts can be had one by one.
class DataError : public Error {
 public:
  /// `path`: the JSON path of the value, empty for the whole document; `what()` leaves out the middle of a
  /// long one.
  explicit DataError(std::string reason, std::string path = {}, Place place = {}, DataFault fault = {});

  const std::string& reason() const noexcept { return reason_; }
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }
  const DataFault& fault() const noexcept { return fault_; }

 private:
  friend class Failure;  // which takes them over

  std::string reason_;
  std::string path_;
  Place place_;
  DataFault fault_;
};

/// The caller asked for what is not there, or what cannot be done: a fault of the program, not of its data.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: a file cannot be opened, read or written.
class IoError : public Error {
 public:
  using Error::Error;
};

/// Why something failed: the parts of the exception that the function without `try_` throws.
class Failure {
 public:
  enum Kind : std::uint8_t {
    data,           // DataError
    usage,          // UsageError
    io,             // IoError
    out_of_memory,  // std::bad_alloc
    other,          // whatever else, e.g. of a dependency
  };

  Kind kind() const noexcept { return kind_; }
  /// The whole message, one printable line.
  const char* what() const noexcept;
  /// Of bad data, what is wrong, without path and place; else empty.
  const std::string& reason() const noexcept { return reason_; }
  /// Of bad data, the JSON path of the value; empty for the whole document.
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }

  /// Within a handler: the failure that the exception stands for, which is moved from. Takes no memory.
  static Failure of_current_exception() noexcept;

 private:
  explicit Failure(Kind kind) noexcept : kind_(kind) {}
  Failure(Kind kind, const std::runtime_error& message) noexcept : kind_(kind), message_(message) {}

  Kind kind_;
  std::optional<std::runtime_error> message_;  // shared with the exception; none: what the kind says
  std::string reason_;
  std::string path_;
  Place place_;
};

/// A T, or why there is none. Converts to whether there is one; `*` and `->` are for where there is.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) noexcept : value_(std::move(value)) {}              // NOLINT: a value is a result
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}  // NOLINT: so is a failure

  explicit operator bool() const noexcept { return value_.has_value(); }
  T& operator*() & noexcept { return *value_; }
  const T& operator*() const& noexcept { return *value_; }
  T&& operator*() && noexcept { return *std::move(value_); }
  T* operator->() noexcept { return &*value_; }
  const T* operator->() const noexcept { return &*value_; }

  /// Where there is no value.
  Failure& failure() noexcept { return *failure_; }
  const Failure& failure() const noexcept { return *failure_; }

 private:
  std::optional<T> value_;
  std::optional<Failure> failure_;
};

/// That something was done, or why not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() noexcept = default;
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}  // NOLINT: a failure is a result

  explicit operator bool() const noexcept { return !failure_; }
  Failure& failure() noexcept { return *failure_; }
  const Failure& failure() const noexcept { return *failure_; }

 private:
  std::optional<Failure> failure_;
};

namespace detail {
/// The value that was put into `made`, unless `done` says why there is none.
template <class T>
Result<T> filled(std::optional<T>& made, Result<void> done) noexcept {
  if (!done) return std::move(done.failure());
  return *std::move(made);
}
}  // namespace detail

}  // namespace schemagen
