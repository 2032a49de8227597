// Results of the functions that report failures without exceptions: `try_` and the name of the one that
// throws.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "schemagen/base/error.h"

namespace schemagen {

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
