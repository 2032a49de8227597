// A value on the heap that behaves like the value itself.
#pragma once

#include <memory>
#include <utility>

namespace schemagen {

/// Holds one T on the heap: copies deeply, compares deeply, is never empty but after a move.
/// The schema says `boxed` where a type would otherwise contain itself. T may be incomplete where a Box
/// is declared, not where it is created, copied or destroyed.
template <class T>
class Box {
 public:
  Box() : value_(std::make_unique<T>()) {}
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT: a T is a Box<T>
  Box(const Box& other) : value_(std::make_unique<T>(*other)) {}
  Box(Box&& other) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) value_ = std::make_unique<T>(*other);
    return *this;
  }
  Box& operator=(Box&& other) noexcept = default;
  ~Box() = default;

  /// The value. Of a moved-from Box there is none: only assign to it or destroy it.
  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return value_.get(); }
  const T* operator->() const noexcept { return value_.get(); }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }
  friend bool operator!=(const Box& a, const Box& b) { return !(a == b); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace schemagen
