// A value on the heap that behaves like the value itself. Several threads may read the same object at once.
//
// This header, map.h and union.h are a part of every file that uses generated types: they include neither
// <memory> nor <tuple> nor <algorithm>, which together take as long to compile as the types of a large
// schema.
#pragma once

#include <utility>

namespace schemagen {

/// Holds one T on the heap: copies deeply, compares deeply, is never empty but after a move.
/// The schema says `boxed` where a type would otherwise contain itself. T may be incomplete where a Box
/// is declared, not where it is created, copied or destroyed.
template <class T>
class Box {
 public:
  Box() : value_(new T()) {}
  Box(T value) : value_(new T(std::move(value))) {}  // NOLINT: a T is a Box<T>
  Box(const Box& other) : value_(new T(*other)) {}
  Box(Box&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Box& operator=(const Box& other) {
    if (this != &other) *this = Box(other);
    return *this;
  }
  Box& operator=(Box&& other) noexcept {
    Box taken(std::move(other));  // first, as `other` may be part of the old value
    std::swap(value_, taken.value_);
    return *this;
  }
  ~Box() {
    static_assert(sizeof(T) != 0, "T must be complete here");
    delete value_;
  }

  /// The value. A moved-from Box has none: only assign to it or destroy it.
  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return value_; }
  const T* operator->() const noexcept { return value_; }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }
  friend bool operator!=(const Box& a, const Box& b) { return !(a == b); }

 private:
  T* value_;
};

}  // namespace schemagen
