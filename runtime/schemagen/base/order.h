// Defines operator<=> for generated types when compiled as C++20.
#pragma once

#include <optional>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"
#include "schemagen/base/visit.h"

#if defined(__cpp_impl_three_way_comparison) && defined(__has_include)
#if __has_include(<compare>)
#define SCHEMAGEN_HAS_ORDER
#endif
#endif

#ifdef SCHEMAGEN_HAS_ORDER
#include <algorithm>
#include <compare>

namespace schemagen {
namespace detail {

struct Order {
  using Result = std::partial_ordering;

  template <class T>
  requires std::is_arithmetic_v<T>
  static Result of(T a, T b) noexcept { return a <=> b; }
  static Result of(const std::string& a, const std::string& b) noexcept { return a <=> b; }
  static Result of(Unit, Unit) noexcept { return Result::equivalent; }
  static Result of(const Json& a, const Json& b) noexcept { return a.text <=> b.text; }

  template <class T>
  static Result of(const Box<T>& a, const Box<T>& b) {
    return of(*a, *b);
  }
  template <class T>
  static Result of(const std::optional<T>& a, const std::optional<T>& b) {
    return a && b ? of(*a, *b) : a.has_value() <=> b.has_value();
  }
  template <class T>
  static Result of(const std::vector<T>& a, const std::vector<T>& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      const T& left = a[i];
      const T& right = b[i];
      if (const Result result = of(left, right); result != 0) return result;
    }
    return a.size() <=> b.size();
  }
  template <class T, class Key>
  static Result of(const Map<T, Key>& a, const Map<T, Key>& b) {
    const auto left = sorted(a);
    const auto right = sorted(b);
    for (std::size_t i = 0; i < left.size() && i < right.size(); ++i) {
      if (const Result result = of(left[i]->key(), right[i]->key()); result != 0) return result;
      if (const Result result = of(left[i]->value, right[i]->value); result != 0) return result;
    }
    return left.size() <=> right.size();
  }
  template <class T>
  requires kIsReflected<T>
  static Result of(const T& a, const T& b) {
    if constexpr (kIsReflectedEnum<T>) {
      return a <=> b;
    } else {
      if constexpr (kIsReflectedUnion<T>) {
        if (a.kind() != b.kind()) return a.kind() <=> b.kind();
      }
      Result result = Result::equivalent;
      visit(a, [&](auto field, const auto& member) {
        if (result == 0) result = of(member, field.of(b));
      });
      return result;
    }
  }

 private:
  template <class T, class Key>
  static std::vector<const MapEntry<T, Key>*> sorted(const Map<T, Key>& map) {
    std::vector<const MapEntry<T, Key>*> entries;
    entries.reserve(map.size());
    for (const MapEntry<T, Key>& entry : map) entries.push_back(&entry);
    std::sort(entries.begin(), entries.end(), [](auto* a, auto* b) { return a->key() < b->key(); });
    return entries;
  }
};

}  // namespace detail

/// Compares two structs or two unions. Structs are compared field by field in the schema's order. Unions are
/// compared by the position of the member that is set, and then by the member's value. Unset unions and nulls
/// come first. Lists are compared item by item, and maps by their sorted entries. Equal values are
/// equivalent; NaN is unordered.
template <class T>
requires(kIsReflectedStruct<T> || kIsReflectedUnion<T>) std::partial_ordering operator<=>(const T& a,
                                                                                          const T& b) {
  return detail::Order::of(a, b);
}

}  // namespace schemagen
#endif
