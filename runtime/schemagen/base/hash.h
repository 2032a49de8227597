// Hashes values of generated types.
#pragma once

#include <cstring>
#include <limits>
#include <optional>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"
#include "schemagen/base/visit.h"

namespace schemagen {

namespace detail {

/// Combines values into a hash. Values that `==` considers equal have equal hashes.
class Hasher {
 public:
  explicit Hasher(std::uint64_t start) noexcept : state_(start) {}

  std::uint64_t result() const noexcept { return state_; }

  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void add(T value) noexcept {
    add_word(static_cast<std::uint64_t>(value));
  }
  void add(float value) noexcept { add(double{value}); }
  void add(double value) noexcept {
    static_assert(sizeof(double) == sizeof(std::uint64_t));
    if (value == 0) value = 0;  // turns -0.0 into 0.0
    if (value != value) value = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    add_word(bits);
  }
  void add(const std::string& value) noexcept { add_word(hash_key(value)); }
  void add(const Bytes& value) noexcept {
    add_word(hash_key({reinterpret_cast<const char*>(value.data()), value.size()}));
  }
  void add(Unit) noexcept { add_word(0); }
  void add(const Json& value) noexcept { add(value.text); }

  template <class T>
  void add(const Box<T>& value) noexcept {
    add(*value);
  }
  template <class T>
  void add(const std::optional<T>& value) noexcept {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& value) noexcept {
    add_word(value.size());
    for (const auto& item : value) add(item);
  }
  template <class T, class Key>
  void add(const Map<T, Key>& value) noexcept {
    std::uint64_t entries = 0;  // a sum because the order of entries does not matter
    for (const auto& [key, held] : value) {
      Hasher entry(MapKey<Key>::hash(key));
      entry.add(held);
      entries += entry.result();
    }
    add_word(value.size());
    add_word(entries);
  }
  template <class T, std::enable_if_t<kIsReflected<T>, int> = 0>
  void add(const T& value) noexcept {
    if constexpr (kIsReflectedEnum<T>) {
      add_word(static_cast<std::uint32_t>(value));
    } else {
      if constexpr (kIsReflectedUnion<T>) add_word(static_cast<std::uint64_t>(value.kind()));
      visit(value, [this](auto, const auto& member) { this->add(member); });
    }
  }

 private:
  void add_word(std::uint64_t word) noexcept { state_ = mix(state_ + 0x9e3779b97f4a7c15u + word); }

  std::uint64_t state_;
};

}  // namespace detail

/// Returns a hash of `value`. Equal values have equal hashes: 0.0 equals -0.0, and the order of a map's
/// entries does not matter. Hashes differ from run to run, so no document can provoke collisions.
template <class T>
std::size_t hash(const T& value) noexcept {
  detail::Hasher hasher(hash_key({}));
  hasher.add(value);
  return static_cast<std::size_t>(hasher.result());
}

/// A function object that replaces std::hash for generated structs and unions.
struct ValueHash {
  template <class T>
  std::size_t operator()(const T& value) const noexcept {
    return hash(value);
  }
};

}  // namespace schemagen
