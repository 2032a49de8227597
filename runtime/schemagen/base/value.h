// Defines the parts of generated types other than maps and unions: boxes, value types that the standard
// library lacks, and a guard against mixing headers of one schema with object files of another.
//
// Every file that uses generated types includes this header, map.h and union.h. These avoid <memory>, <tuple>
// and <algorithm>, which take as long to compile as the types of a large schema.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace schemagen {

/// The schema type `bytes`: base64 text in JSON.
using Bytes = std::vector<std::uint8_t>;

/// The schema type `List[uint8]`: a list of numbers in JSON, and therefore not the same type as Bytes.
struct ByteList : std::vector<std::uint8_t> {
  using std::vector<std::uint8_t>::vector;
};

/// The schema type `Tuple[()]`, which has no content: `[]` in JSON, and an empty struct in binary.
struct Unit {
  friend bool operator==(Unit, Unit) noexcept { return true; }
  friend bool operator!=(Unit, Unit) noexcept { return false; }
};

/// The schema type `Any`: one JSON value, stored as text. Writers check that the text is JSON.
struct Json {
  std::string text = "null";

  friend bool operator==(const Json& a, const Json& b) { return a.text == b.text; }
  friend bool operator!=(const Json& a, const Json& b) { return !(a == b); }
};

/// Owns one T on the heap. Copies and comparisons are deep. A Box is never empty, except after it has been
/// moved from. Schemas use `boxed` where a type would otherwise contain itself. T can be an incomplete type
/// where a Box is declared, but not where it is created, copied or destroyed.
template <class T>
class Box {
 public:
  Box() : value_(new T()) {}
  Box(T value) : value_(new T(std::move(value))) {}  // NOLINT: implicit, so that a T can be assigned to a Box
  Box(const Box& other) : value_(new T(*other)) {}
  Box(Box&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Box& operator=(const Box& other) {
    if (this != &other) *this = Box(other);
    return *this;
  }
  Box& operator=(Box&& other) noexcept {
    Box taken(std::move(other));  // move before destroying the old value: `other` could be part of it
    std::swap(value_, taken.value_);
    return *this;
  }
  ~Box() {
    static_assert(sizeof(T) != 0, "T must be complete here");
    delete value_;
  }

  /// Returns the value. A Box that has been moved from has no value and can only be assigned to or destroyed.
  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return value_; }
  const T* operator->() const noexcept { return value_; }

  /// Returns the value. If the Box has been moved from, first creates a value.
  T& filled() {
    if (value_ == nullptr) value_ = new T();
    return *value_;
  }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }
  friend bool operator!=(const Box& a, const Box& b) { return !(a == b); }

 private:
  T* value_;
};

/// Resets a value on destruction unless keep() was called. Needs no exception handler, so headers
/// also compile with exceptions disabled.
template <class T>
class EmptiedOnFailure {
 public:
  explicit EmptiedOnFailure(T& value) noexcept : value_(&value) {}
  EmptiedOnFailure(const EmptiedOnFailure&) = delete;
  EmptiedOnFailure& operator=(const EmptiedOnFailure&) = delete;
  ~EmptiedOnFailure() {
    if (value_ != nullptr) *value_ = T();
  }
  void keep() noexcept { value_ = nullptr; }

 private:
  T* value_;
};

/// Resets `value` and returns it. Used for fields whose default differs from the default of their type.
template <class T>
T& emptied(T& value) {
  value = T();
  return value;
}

// types.h declares a function whose name contains the schema's name, major version and id, and takes its
// address; types.cpp defines the function. If a program links object files built for another schema, the
// linker reports the function as missing. Without this guard, functions would run on types that they were not
// compiled for.

using LinkGuard = void (*)() noexcept;

// The address must be kept although nothing reads it: `used` makes the compiler keep it, and `retain` makes
// the linker keep it (despite --gc-sections). Together they cost eight bytes of data and no instructions.
// With other compilers, the address is computed at startup in a way that no compiler can optimize away.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(gnu::retain) && defined(__ELF__)
#define SCHEMAGEN_LINK_GUARD [[gnu::used, gnu::retain]] inline constexpr schemagen::LinkGuard
#elif __has_cpp_attribute(gnu::used)
#define SCHEMAGEN_LINK_GUARD [[gnu::used]] inline constexpr schemagen::LinkGuard
#endif
#endif

#if defined(SCHEMAGEN_LINK_GUARD) && !defined(SCHEMAGEN_PLAIN_LINK_GUARD)
constexpr LinkGuard kept(LinkGuard guard) {
  return guard;
}
#else
#undef SCHEMAGEN_LINK_GUARD
#define SCHEMAGEN_LINK_GUARD inline const schemagen::LinkGuard
inline LinkGuard kept(LinkGuard guard) {
  const volatile LinkGuard address = guard;
  return address;
}
#endif

}  // namespace schemagen
