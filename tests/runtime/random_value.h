// Visits fields of generated types.
#pragma once

#include <schemagen/base/visit.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"

/// From few values, so that equal ones are common; NaN only on request. Deep values have no items.
class RandomValue {
 public:
  explicit RandomValue(std::uint64_t seed, bool with_nan = false) : random_(seed), with_nan_(with_nan) {}

  template <class T>
  T make() {
    T value{};
    fill(value, 0);
    return value;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  std::size_t count(int depth) { return depth > 4 ? 0 : below(4); }

  void fill(bool& value, int) { value = below(2) == 0; }
  void fill(std::int64_t& value, int) {
    constexpr std::int64_t kValues[] = {0, 1, -1, std::numeric_limits<std::int64_t>::min()};
    value = kValues[below(std::size(kValues))];
  }
  void fill(double& value, int) {
    const double values[] = {0.0, -0.0, 1.5, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
    value = values[below(with_nan_ ? 5 : 4)];
  }
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  void fill(T& value, int) {
    using Bounds = std::numeric_limits<T>;
    const T values[] = {T{}, T{1}, Bounds::lowest(), Bounds::max()};
    value = values[below(std::size(values))];
  }
  void fill(std::string& value, int) {
    const char* const values[] = {"", "a", "b'\n", "a long text that is on the heap"};
    value = values[below(std::size(values))];
  }
  void fill(schemagen::Bytes& value, int depth) { value.assign(count(depth), std::uint8_t{7}); }
  void fill(schemagen::Unit&, int) {}
  void fill(schemagen::Json& value, int) { value.text = below(2) == 0 ? "null" : "[1.50]"; }
  void fill(std::vector<bool>& value, int depth) { value.assign(count(depth), below(2) == 0); }

  template <class T>
  void fill(schemagen::Box<T>& value, int depth) {
    fill(*value, depth);
  }
  template <class T>
  void fill(std::optional<T>& value, int depth) {
    if (count(depth) != 0) fill(value.emplace(), depth + 1);
  }
  template <class T>
  void fill(std::vector<T>& value, int depth) {
    for (std::size_t left = count(depth); left != 0; --left) fill(value.emplace_back(), depth + 1);
  }
  template <class T, class Key>
  void fill(schemagen::Map<T, Key>& value, int depth) {
    for (std::size_t left = count(depth); left != 0; --left) {
      Key key{};
      fill(key, depth);
      fill(value[key], depth + 1);
    }
  }
  template <class T, std::enable_if_t<schemagen::kIsReflected<T>, int> = 0>
  void fill(T& value, int depth) {
    if constexpr (schemagen::kIsReflectedEnum<T>) {
      value = static_cast<T>(below(3));
    } else {
      if constexpr (schemagen::kIsReflectedUnion<T>) set_member(value, depth, kIndices<T>);
      schemagen::visit(value, [&](auto, auto& member) { fill(member, depth + 1); });
    }
  }

  template <class T>
  static constexpr std::make_index_sequence<schemagen::reflected_type<T>().field_count> kIndices{};

  template <class T, std::size_t... Indices>
  void set_member(T& value, int depth, std::index_sequence<Indices...>) {
    using Set = void (*)(T&);
    static constexpr Set kSet[] = {emplace<T, Indices>...};
    // A boxed member may hold the union again.
    if (depth < 12 && below(8) != 0) kSet[below(std::size(kSet))](value);
  }
  template <class T, std::size_t Index>
  static void emplace(T& value) {
    value.template emplace<static_cast<typename T::Kind>(Index + 1)>();
  }

  std::mt19937_64 random_;
  bool with_nan_;
};
