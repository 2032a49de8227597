// Compares values of generated types as they are written.
#pragma once

#include <cmath>
#include <optional>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"
#include "schemagen/base/visit.h"

namespace schemagen {

/// Returns whether two values are written as the same text, apart from the order of map entries. Unlike `==`,
/// NaN is the same as NaN, and -0.0 is not the same as 0.0. Parts that `special` can be called with are the
/// same if `special(a, b)` returns true.
template <class T, class Special>
bool is_same_value(const T& a, const T& b, Special& special);

namespace detail {

template <class T, class Special>
bool is_same(const T& a, const T& b, Special& special) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
  } else if constexpr (kIsReflectedStruct<T> || kIsReflectedUnion<T>) {
    if constexpr (kIsReflectedUnion<T>) {
      if (a.kind() != b.kind()) return false;
    }
    bool is_same = true;
    visit(a, [&](auto field, const auto& member) {
      is_same = is_same && is_same_value(member, field.of(b), special);
    });
    return is_same;
  } else {
    return a == b;
  }
}
template <class T, class Special>
bool is_same(const Box<T>& a, const Box<T>& b, Special& special) {
  return is_same_value(*a, *b, special);
}
template <class T, class Special>
bool is_same(const std::optional<T>& a, const std::optional<T>& b, Special& special) {
  return a && b ? is_same_value(*a, *b, special) : a.has_value() == b.has_value();
}
template <class T, class Special>
bool is_same(const std::vector<T>& a, const std::vector<T>& b, Special& special) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T& left = a[i];
    const T& right = b[i];
    if (!is_same_value(left, right, special)) return false;
  }
  return true;
}
template <class T, class Key, class Special>
bool is_same(const Map<T, Key>& a, const Map<T, Key>& b, Special& special) {
  if (a.size() != b.size()) return false;
  for (const auto& entry : a) {
    const T* const other = b.find(entry.key());
    if (other == nullptr || !is_same_value(entry.value, *other, special)) return false;
  }
  return true;
}

}  // namespace detail

template <class T, class Special>
bool is_same_value(const T& a, const T& b, Special& special) {
  if constexpr (std::is_invocable_v<Special&, const T&, const T&>) {
    return special(a, b);
  } else {
    return detail::is_same(a, b, special);
  }
}

template <class T>
bool is_same_value(const T& a, const T& b) {
  struct Nothing {
  } special;
  return is_same_value(a, b, special);
}

}  // namespace schemagen
