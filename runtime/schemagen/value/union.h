// One of several members, or none: what generated unions inherit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

#include "schemagen/value/box.h"

namespace schemagen {

/// Reports a read of a union member that is not set: a fault of the program, not of its data.
/// Throws UsageError (where this library is built with exceptions, else it aborts).
[[noreturn]] void wrong_union_member(std::size_t wanted, std::size_t actual);

namespace detail {
// Neither by recursion nor by a fold, which compilers end at some hundred members.
template <std::size_t Index, class T>
struct Indexed {
  using type = T;
};
template <class Indices, class... Types>
struct IndexedTypes;
template <std::size_t... Indices, class... Types>
struct IndexedTypes<std::index_sequence<Indices...>, Types...> : Indexed<Indices, Types>... {};
template <std::size_t Index, class T>
Indexed<Index, T> at_index(const Indexed<Index, T>*);

/// The type at an index of a list of types.
template <std::size_t Index, class... Types>
using TypeAt = typename decltype(at_index<Index>(
    static_cast<const IndexedTypes<std::index_sequence_for<Types...>, Types...>*>(nullptr)))::type;

template <class... Types>
constexpr std::size_t largest_size() noexcept {
  std::size_t largest = 0;
  for (const std::size_t size : {sizeof(Types)...}) {
    if (size > largest) largest = size;
  }
  return largest;
}

template <class T>
struct Unboxed {
  using type = T;
  static T& of(T& held) noexcept { return held; }
};
template <class T>
struct Unboxed<Box<T>> {
  using type = T;
  static T& of(Box<T>& held) noexcept { return *held; }
};
}  // namespace detail

/// A tagged union. `Self` is the generated type; its unscoped enum `Kind` has `unset` as 0, then one
/// enumerator per member, in the order of `Members`. The one tag is the only state beside the member.
///
///     Argument a;                                   // unset
///     a.emplace<Argument::as_int>(3);
///     switch (a.kind()) { case Argument::as_int: use(a.get<Argument::as_int>()); ... }
///
/// A boxed member is reached like any other: `get` gives the value inside the Box.
template <class Self, class... Members>
class Union {
  template <auto K>
  using Held = detail::TypeAt<static_cast<std::size_t>(K) - 1, Members...>;

 public:
  /// The type of member K.
  template <auto K>
  using Member = typename detail::Unboxed<Held<K>>::type;

  Union() noexcept : tag_(0) {}
  Union(const Union& other) : tag_(0) { copy_from(other); }
  Union(Union&& other) noexcept : tag_(0) { move_from(other); }
  Union& operator=(const Union& other) {
    if (this != &other) {
      Union copy(other);
      reset();
      move_from(copy);
    }
    return *this;
  }
  Union& operator=(Union&& other) noexcept {
    if (this != &other) {
      Union taken(std::move(other));  // first, as `other` may be part of the old member
      reset();
      move_from(taken);
    }
    return *this;
  }
  ~Union() { reset(); }

  /// Which member is set; `Self::unset` if none is.
  auto kind() const noexcept { return static_cast<typename Self::Kind>(tag_); }

  template <auto K>
  bool is() const noexcept {
    check_kind<K>();
    return tag_ == static_cast<Tag>(K);
  }

  /// Member K. Errors: wrong_union_member() if another one, or none, is set.
  template <auto K>
  Member<K>& get() {
    if (!is<K>()) wrong_union_member(static_cast<std::size_t>(K), tag_);
    return detail::Unboxed<Held<K>>::of(*held<Held<K>>());
  }
  template <auto K>
  const Member<K>& get() const {
    return const_cast<Union*>(this)->template get<K>();
  }

  /// Member K, or null if another one, or none, is set.
  template <auto K>
  Member<K>* get_if() noexcept {
    return is<K>() ? &detail::Unboxed<Held<K>>::of(*held<Held<K>>()) : nullptr;
  }
  template <auto K>
  const Member<K>* get_if() const noexcept {
    return const_cast<Union*>(this)->template get_if<K>();
  }

  /// Sets member K to a value made from `args`, and returns it.
  template <auto K, class... Args>
  Member<K>& emplace(Args&&... args) {
    check_kind<K>();
    if constexpr (sizeof...(Args) == 0) {
      reset();
      ::new (static_cast<void*>(storage_)) Held<K>();
    } else {
      // Made before the old member goes, as `args` may be part of it.
      Held<K> made(Member<K>{std::forward<Args>(args)...});
      reset();
      ::new (static_cast<void*>(storage_)) Held<K>(std::move(made));
    }
    tag_ = static_cast<Tag>(K);
    return detail::Unboxed<Held<K>>::of(*held<Held<K>>());
  }

  /// Leaves no member set.
  void reset() noexcept {
    if (tag_ == 0) return;
    using Destroy = void (*)(void*) noexcept;
    static constexpr Destroy kDestroy[] = {destroy_as<Members>...};
    kDestroy[tag_ - 1](storage_);
    tag_ = 0;
  }

 protected:
  /// Same member, equal value.
  bool equals(const Union& other) const {
    if (tag_ != other.tag_) return false;
    if (tag_ == 0) return true;
    using Equal = bool (*)(const void*, const void*);
    static constexpr Equal kEqual[] = {equal_as<Members>...};
    return kEqual[tag_ - 1](storage_, other.storage_);
  }

 private:
  using Tag = std::conditional_t<(sizeof...(Members) < 256), std::uint8_t, std::uint16_t>;

  template <auto K>
  static constexpr void check_kind() noexcept {
    static_assert(std::is_same_v<decltype(K), typename Self::Kind>, "member of another union");
    static_assert(static_cast<std::size_t>(K) != 0, "unset is no member");
  }

  template <class T>
  T* held() noexcept {
    return std::launder(reinterpret_cast<T*>(storage_));
  }

  void copy_from(const Union& other) {
    if (other.tag_ == 0) return;
    using Copy = void (*)(void*, const void*);
    static constexpr Copy kCopy[] = {copy_as<Members>...};
    kCopy[other.tag_ - 1](storage_, other.storage_);
    tag_ = other.tag_;
  }

  void move_from(Union& other) noexcept {
    if (other.tag_ == 0) return;
    using Move = void (*)(void*, void*) noexcept;
    static constexpr Move kMove[] = {move_as<Members>...};
    kMove[other.tag_ - 1](storage_, other.storage_);
    tag_ = other.tag_;
    other.reset();
  }

  template <class T>
  static void destroy_as(void* at) noexcept {
    static_cast<T*>(at)->~T();
  }
  template <class T>
  static void copy_as(void* to, const void* from) {
    ::new (to) T(*static_cast<const T*>(from));
  }
  template <class T>
  static void move_as(void* to, void* from) noexcept {
    ::new (to) T(std::move(*static_cast<T*>(from)));
  }
  template <class T>
  static bool equal_as(const void* a, const void* b) {
    return *static_cast<const T*>(a) == *static_cast<const T*>(b);
  }

  alignas(Members...) unsigned char storage_[detail::largest_size<Members...>()];
  Tag tag_;
};

}  // namespace schemagen
