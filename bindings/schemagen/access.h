// Tables of functions for accessing values whose types are not known at compile time. The tables complement
// the schema's reflection. The bindings for other languages use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/base/map.h"
#include "schemagen/base/reflection.h"
#include "schemagen/base/same_value.h"
#include "schemagen/base/union.h"
#include "schemagen/base/value.h"
#include "schemagen/base/visit.h"

namespace schemagen {

/// Functions for values of one type. Each `void*` points to a value, never to a Box. A function is null if it
/// does not apply to the type's kind.
struct Access {
  ReflectedType::Kind kind;
  const ReflectedType* type;
  const Access* element;
  const Access* key;
  const Access* const* fields;

  void* (*make)();
  void (*destroy)(void* value) noexcept;
  void (*copy)(void* to, const void* from);
  void (*move)(void* to, void* from);
  /// Returns whether two values are equal. Unlike ==, treats NaN as equal to NaN, so a value is always equal
  /// to its copy.
  bool (*is_same)(const void* a, const void* b);

  /// List or map: returns the number of items. Optional: returns 1 if it has a value, and otherwise 0. Union:
  /// returns the number of the member that is set, counted from 1, or 0 if no member is set.
  std::size_t (*count)(const void* value);
  /// Struct: returns a field. List or map: returns an item. Union or optional: returns the value and ignores
  /// `index`. An item of a list of bools, which has no address, must not be changed.
  void* (*at)(void* value, std::size_t index);
  /// Union: sets the member with this number, or clears the union if `number` is 0. Optional: creates a
  /// value, or removes the value if `number` is 0.
  void (*emplace)(void* value, std::size_t number);
  /// List: moves `count` items into the list, before the item at `index`. Takes linear time, or O(count) at
  /// the end.
  void (*insert)(void* value, std::size_t index, void* const* items, std::size_t count);
  /// List: erases every `step`-th item, from `begin` up to but not including `end`. Map: erases one item or
  /// all. Takes linear time.
  void (*erase)(void* value, std::size_t begin, std::size_t end, std::size_t step);
  const void* (*key_at)(const void* value, std::size_t index);
  /// Map: returns the index of the item with this key, or the number of items if there is none.
  std::size_t (*find)(const void* value, const void* key);
  void (*add)(void* value, const void* key);
};

using OwnedValue = std::unique_ptr<void, void (*)(void*)>;
inline OwnedValue make_value(const Access& type) {
  return {type.make(), type.destroy};
}

namespace detail {
template <class T>
struct AccessTable {
  static const Access value;
};
}  // namespace detail

template <class T>
constexpr const Access& access_of = detail::AccessTable<T>::value;

namespace detail {

template <class T>
constexpr ReflectedType::Kind plain_kind() {
  constexpr ReflectedType::Kind kKinds[] = {
      ReflectedType::boolean, ReflectedType::int8,    ReflectedType::int16,    ReflectedType::int32,
      ReflectedType::integer, ReflectedType::uint8,   ReflectedType::uint16,   ReflectedType::uint32,
      ReflectedType::uint64,  ReflectedType::float32, ReflectedType::floating, ReflectedType::string,
      ReflectedType::bytes,   ReflectedType::unit,    ReflectedType::any};
  return kKinds[only_index<T, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                           std::uint16_t, std::uint32_t, std::uint64_t, float, double, std::string, Bytes,
                           Unit, Json>() -
                1];
}

}  // namespace detail

/// Calls `visit` with the value of an integer of any size, or with the number of an enum's value. Returns
/// false for other kinds.
template <class Visit>
bool visit_integer(ReflectedType::Kind kind, const void* value, Visit&& visit) {
  const auto visit_as = [&](auto number, ReflectedType::Kind type) {
    if (kind != type) return false;
    std::memcpy(&number, value, sizeof number);  // an enum is not an object of its number's type
    visit(number);
    return true;
  };
  const auto visit_plain = [&](auto number) {
    return visit_as(number, detail::plain_kind<decltype(number)>());
  };
  return visit_plain(std::int64_t{}) || visit_as(std::int32_t{}, ReflectedType::enumeration) ||
         visit_plain(std::int8_t{}) || visit_plain(std::int16_t{}) || visit_plain(std::int32_t{}) ||
         visit_plain(std::uint8_t{}) || visit_plain(std::uint16_t{}) || visit_plain(std::uint32_t{}) ||
         visit_plain(std::uint64_t{});
}

namespace detail {

struct SameFloats {
  template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
  bool operator()(T a, T b) const noexcept {
    return a == b || (a != a && b != b);
  }
};

template <class T>
constexpr Access plain_access(ReflectedType::Kind kind) {
  Access access{};
  access.kind = kind;
  access.make = []() -> void* { return new T(); };
  access.destroy = [](void* value) noexcept { delete static_cast<T*>(value); };
  access.copy = [](void* to, const void* from) { *static_cast<T*>(to) = *static_cast<const T*>(from); };
  access.move = [](void* to, void* from) { *static_cast<T*>(to) = std::move(*static_cast<T*>(from)); };
  access.is_same = [](const void* a, const void* b) {
    const SameFloats floats;
    return is_same_value(*static_cast<const T*>(a), *static_cast<const T*>(b), floats);
  };
  return access;
}

template <class T, std::size_t Index>
using FieldType = std::remove_reference_t<decltype(Field<T, Index>::of(std::declval<T&>()))>;

template <class T, class Indices>
struct FieldAccess;
template <class T, std::size_t... Indices>
struct FieldAccess<T, std::index_sequence<Indices...>> {
  static constexpr const Access* all[] = {&AccessTable<FieldType<T, Indices>>::value..., nullptr};

  static void* at(void* value, std::size_t index) {
    using At = void* (*)(void*);
    static constexpr At kAt[] = {
        [](void* whole) -> void* { return &Field<T, Indices>::of(*static_cast<T*>(whole)); }..., nullptr};
    return kAt[index](value);
  }
  static void emplace(void* value, std::size_t number) {
    using Emplace = void (*)(void*);
    static constexpr Emplace kEmplace[] = {
        [](void* whole) {
          static_cast<T*>(whole)->template emplace<static_cast<typename T::Kind>(Indices + 1)>();
        }...,
        nullptr};
    if (number == 0) return static_cast<T*>(value)->reset();
    kEmplace[number - 1](value);
  }
};

template <class T, class = void>
struct AccessOf {
  static constexpr Access make() { return plain_access<T>(plain_kind<T>()); }
};

template <class T>
struct AccessOf<T, std::enable_if_t<kIsReflectedEnum<T>>> {
  static constexpr Access make() {
    Access access = plain_access<T>(ReflectedType::enumeration);
    access.type = &reflected_type<T>();
    return access;
  }
};

template <class T>
struct AccessOf<T, std::enable_if_t<kIsReflectedStruct<T>>> {
  using Of = FieldAccess<T, std::make_index_sequence<reflected_type<T>().field_count>>;
  static constexpr Access make() {
    Access access = plain_access<T>(ReflectedType::structure);
    access.type = &reflected_type<T>();
    access.fields = Of::all;
    access.at = Of::at;
    return access;
  }
};

template <class T>
struct AccessOf<T, std::enable_if_t<kIsReflectedUnion<T>>> {
  using Of = FieldAccess<T, std::make_index_sequence<reflected_type<T>().field_count>>;
  static constexpr Access make() {
    Access access = plain_access<T>(ReflectedType::union_);
    access.type = &reflected_type<T>();
    access.fields = Of::all;
    access.count = [](const void* value) {
      return static_cast<std::size_t>(static_cast<const T*>(value)->kind());
    };
    access.at = [](void* value, std::size_t) {
      return Of::at(value, static_cast<std::size_t>(static_cast<const T*>(value)->kind()) - 1);
    };
    access.emplace = Of::emplace;
    return access;
  }
};

template <class Held>
struct AccessOf<std::optional<Held>> {
  using T = std::optional<Held>;
  using Value = typename Unboxed<Held>::type;
  static constexpr Access make() {
    Access access = plain_access<T>(ReflectedType::optional);
    access.element = &AccessTable<Value>::value;
    access.count = [](const void* value) {
      return static_cast<std::size_t>(static_cast<const T*>(value)->has_value());
    };
    access.at = [](void* value, std::size_t) -> void* {
      return &Unboxed<Held>::of(**static_cast<T*>(value));
    };
    access.emplace = [](void* value, std::size_t number) {
      static_cast<T*>(value)->reset();
      if (number != 0) static_cast<T*>(value)->emplace();
    };
    return access;
  }
};

template <class Items>
void erase_each(Items& items, std::size_t begin, std::size_t end, std::size_t step) {
  std::size_t kept = begin;
  for (std::size_t i = begin; i < items.size(); ++i) {
    if (i < end && (i - begin) % step == 0) continue;
    if (kept != i) items[kept] = std::move(items[i]);
    ++kept;
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(kept), items.end());
}

template <class T>
struct ListAccess {
  using Item = typename T::value_type;
  static T& list(void* value) { return *static_cast<T*>(value); }
  static void* at(void* value, std::size_t index) {
    if constexpr (std::is_same_v<Item, bool>) {
      static constexpr bool kItems[] = {false, true};
      return const_cast<bool*>(&kItems[list(value)[index] ? 1 : 0]);
    } else {
      return &list(value)[index];
    }
  }
  static void insert(void* value, std::size_t index, void* const* items, std::size_t count) {
    list(value).insert(list(value).begin() + static_cast<std::ptrdiff_t>(index), count, Item());
    for (std::size_t i = 0; i < count; ++i) list(value)[index + i] = std::move(*static_cast<Item*>(items[i]));
  }
  static constexpr Access make() {
    Access access = plain_access<T>(ReflectedType::list);
    access.element = &AccessTable<Item>::value;
    access.count = [](const void* value) { return static_cast<const T*>(value)->size(); };
    access.at = at;
    access.insert = insert;
    access.erase = [](void* value, std::size_t begin, std::size_t end, std::size_t step) {
      erase_each(list(value), begin, end, step);
    };
    return access;
  }
};

template <class Item>
struct AccessOf<std::vector<Item>, std::enable_if_t<!std::is_same_v<std::vector<Item>, Bytes>>>
    : ListAccess<std::vector<Item>> {};
template <>
struct AccessOf<ByteList> : ListAccess<ByteList> {};

template <class Item, class Key>
struct AccessOf<Map<Item, Key>> {
  using T = Map<Item, Key>;
  static T& map(void* value) { return *static_cast<T*>(value); }
  static const T& map(const void* value) { return *static_cast<const T*>(value); }
  static constexpr Access make() {
    Access access = plain_access<T>(ReflectedType::map);
    access.element = &AccessTable<Item>::value;
    access.key = &AccessTable<Key>::value;
    access.count = [](const void* value) { return map(value).size(); };
    access.at = [](void* value, std::size_t index) -> void* { return &map(value).begin()[index].value; };
    access.erase = [](void* value, std::size_t begin, std::size_t end, std::size_t) {
      if (begin + 1 == end) {
        map(value).erase(Key(map(value).begin()[begin].key()));  // this moves the keys
      } else {
        map(value) = T();
      }
    };
    access.key_at = [](const void* value, std::size_t index) -> const void* {
      return &map(value).begin()[index].key();
    };
    access.find = [](const void* value, const void* key) {
      const auto found = map(value).find_entry(*static_cast<const Key*>(key));
      return static_cast<std::size_t>(found - map(value).begin());
    };
    access.add = [](void* value, const void* key) { map(value).try_emplace(*static_cast<const Key*>(key)); };
    return access;
  }
};

template <class T>
const Access AccessTable<T>::value = AccessOf<T>::make();

}  // namespace detail

}  // namespace schemagen
