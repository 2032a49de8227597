// Results of functions that report failures without exceptions. Each function is named `try_`, followed by
// the name of the function that throws.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "schemagen/base/error.h"

namespace schemagen {

/// Why a function failed: the contents of the exception that the function without `try_` would throw.
class Failure {
 public:
  enum Kind : std::uint8_t {
    data,           // DataError
    usage,          // UsageError
    io,             // IoError
    out_of_memory,  // std::bad_alloc
    other,          // anything else, e.g. an exception of a dependency
  };

  Kind kind() const noexcept { return kind_; }
  /// Returns the whole message, one printable line.
  const char* what() const noexcept;
  /// Returns what is wrong with the data, without path and position; empty for other kinds.
  const std::string& reason() const noexcept { return reason_; }
  /// Returns the JSON path of the bad value; empty for the whole document and for other kinds.
  const std::string& path() const noexcept { return path_; }
  const Place& place() const noexcept { return place_; }

  /// Returns the current exception as a failure, moving its strings. Call it inside a handler. Allocates
  /// nothing.
  static Failure of_current_exception() noexcept;

 private:
  explicit Failure(Kind kind) noexcept : kind_(kind) {}
  Failure(Kind kind, const std::runtime_error& message) noexcept : kind_(kind), message_(message) {}

  Kind kind_;
  std::optional<std::runtime_error> message_;  // shares the exception's text; absent: the kind says it all
  std::string reason_;
  std::string path_;
  Place place_;
};

/// A T, or the failure that prevented it. Converts to true if there is a T; `*` and `->` then access it.
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

  /// Requires that there is no value.
  Failure& failure() noexcept { return *failure_; }
  const Failure& failure() const noexcept { return *failure_; }

 private:
  std::optional<T> value_;
  std::optional<Failure> failure_;
};

/// Success, or a failure.
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
// How codecs get the T to read: it is made in a std::optional<T>, or exists.
template <class T>
void* make_in_optional(void* value) {
  return &static_cast<std::optional<T>*>(value)->emplace();
}
inline void* made_before(void* value) {
  return value;
}

/// Returns `made` as the result, unless `done` is a failure.
template <class T>
Result<T> filled(std::optional<T>& made, Result<void> done) noexcept {
  if (!done) return std::move(done.failure());
  return *std::move(made);
}
}  // namespace detail

}  // namespace schemagen
