// Defines the results of functions that report failures without exceptions. The name of each such function is
// `try_` followed by the name of its throwing counterpart.
#pragma once

#include <cstdint>
#include <utility>

#include "schemagen/base/error.h"

namespace schemagen {

/// The reason why a function failed, with the contents of the exception that its throwing counterpart would
/// throw.
class Failure {
 public:
  enum Kind : std::uint8_t {
    data,           // DataError
    usage,          // UsageError
    io,             // IoError
    out_of_memory,  // std::bad_alloc
    other,          // anything else, such as an exception from a dependency
  };

  Kind kind() const noexcept { return kind_; }
  /// Returns the whole message as one printable line.
  const char* what() const noexcept;
  /// For bad data, returns the message without the path and position. For other kinds, returns an empty
  /// string.
  const std::string& reason() const noexcept { return reason_; }
  /// For bad data, returns the JSON path of the value, which is empty for the whole document. For other
  /// kinds, returns an empty string.
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }

  /// Returns the current exception as a failure, moving its strings. Call this function inside an exception
  /// handler. Does not allocate memory.
  static Failure of_current_exception() noexcept;

 private:
  explicit Failure(Kind kind) noexcept : kind_(kind) {}
  Failure(Kind kind, const std::runtime_error& message) noexcept : kind_(kind), message_(message) {}

  Kind kind_;
  std::optional<std::runtime_error> message_;  // shares the exception's text; absent if the kind implies it
  std::string reason_;
  std::string path_;
  Place place_;
};

/// Either a T or the failure that prevented it. A Result converts to true if it contains a T, which `*` and
/// `->` then access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) noexcept : value_(std::move(value)) {}              // NOLINT: implicit
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}  // NOLINT: implicit

  explicit operator bool() const noexcept { return value_.has_value(); }
  T& operator*() & noexcept { return *value_; }
  const T& operator*() const& noexcept { return *value_; }
  T&& operator*() && noexcept { return *std::move(value_); }
  T* operator->() noexcept { return &*value_; }
  const T* operator->() const noexcept { return &*value_; }

  /// Returns the failure. Call this function only if the result has no value.
  Failure& failure() noexcept { return *failure_; }
  const Failure& failure() const noexcept { return *failure_; }

 private:
  std::optional<T> value_;
  std::optional<Failure> failure_;
};

/// Either success or a failure.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() noexcept = default;
  Result(Failure failure) noexcept : failure_(std::move(failure)) {}  // NOLINT: implicit

  explicit operator bool() const noexcept { return !failure_; }
  Failure& failure() noexcept { return *failure_; }
  const Failure& failure() const noexcept { return *failure_; }

 private:
  std::optional<Failure> failure_;
};

namespace detail {
// Codecs call one of these functions to get the T to read into. The T is either created in a std::optional<T>
// or already exists.
template <class T>
void* make_in_optional(void* value) {
  return &static_cast<std::optional<T>*>(value)->emplace();
}
inline void* made_before(void* value) {
  return value;
}

/// Returns `made` as the result, or the failure if `done` is one.
template <class T>
Result<T> filled(std::optional<T>& made, Result<void> done) noexcept {
  if (!done) return std::move(done.failure());
  return *std::move(made);
}
}  // namespace detail

}  // namespace schemagen
