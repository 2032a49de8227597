// Defines the base class of generated unions.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <new>
#include <string_view>

#include "schemagen/base/value.h"

namespace schemagen {

/// Throws UsageError because the caller read a member that is not set. `wanted` names this member, and
/// `actual` names the member that is set. An empty `wanted` means any member; an empty `actual` means that no
/// member is set. Not inline, because headers can be compiled without exceptions.
[[noreturn]] void wrong_union_member(std::string_view wanted, std::string_view actual);

namespace detail {
// Neither recursive nor a fold expression, because compilers limit both to a few hundred members.
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

/// The position of T in `Types`, counting from 1, or 0 if T does not occur exactly once.
template <class T, class... Types>
constexpr std::size_t only_index() noexcept {
  std::size_t found = 0;
  std::size_t index = 0;
  for (const bool is_same : {std::is_same_v<T, Types>...}) {
    ++index;
    if (!is_same) continue;
    if (found != 0) return 0;
    found = index;
  }
  return found;
}

template <class T>
struct Unboxed {
  using type = T;
  static constexpr T& of(T& held) noexcept { return held; }
  static constexpr const T& of(const T& held) noexcept { return held; }
};
template <class T>
struct Unboxed<Box<T>> {
  using type = T;
  static T& of(Box<T>& held) noexcept { return *held; }
  static const T& of(const Box<T>& held) noexcept { return *held; }
};
}  // namespace detail

/// A tagged union. `Self` is the generated type. Its unscoped enum `Kind` starts with `unset`, which is 0,
/// followed by one enumerator per member, in the order of `Members`.
///
///     Argument a;                                        // unset
///     a.emplace<Argument::as_ints>({1, 2});
///     a = Argument::of<Argument::as_string>("sum");      // by name: other members also have this type
///     a = TensorArgument{"x"};                           // by type: only one member has it
///     switch (a.kind()) { case Argument::as_int: use(a.get<Argument::as_int>()); ... }
///
/// Boxed members are accessed in the same way: `get` returns the value in the Box.
template <class Self, class... Members>
class Union {
  template <auto K>
  using HeldMember = detail::TypeAt<static_cast<std::size_t>(K) - 1, Members...>;

  /// The number of the member whose type matches an expression of type T. 0 if T is the union itself, or if
  /// the number of matching members is not one.
  template <class T, class Value = std::decay_t<T>>
  static constexpr std::size_t kOnlyMember =
      std::is_same_v<Value, Self> || std::is_same_v<Value, Union>
          ? 0
          : detail::only_index<Value, typename detail::Unboxed<Members>::type...>();

 public:
  /// The type of member K.
  template <auto K>
  using Member = typename detail::Unboxed<HeldMember<K>>::type;

  Union() noexcept : tag_(0) {}
  /// Sets the only member of this type. Does not compile if several members have the type.
  template <class T, std::enable_if_t<kOnlyMember<T> != 0, int> = 0>
  Union(T&& value) : tag_(0) {  // NOLINT: implicit, so that a member can be assigned to the union
    emplace<static_cast<typename Self::Kind>(kOnlyMember<T>)>(std::forward<T>(value));
  }
  /// Returns a union with member K set to a value made from `args`.
  template <auto K, class... Args>
  static Self of(Args&&... args) {
    Self made;
    made.template emplace<K>(std::forward<Args>(args)...);
    return made;
  }

  Union(const Union& other) : tag_(0) { copy_from(other); }
  Union(Union&& other) noexcept : tag_(0) { move_from(other); }
  Union& operator=(const Union& other) {
    if (this != &other) *this = Union(other);
    return *this;
  }
  Union& operator=(Union&& other) noexcept {
    if (this != &other) {
      Union taken(std::move(other));  // move before destroying the old member: `other` could be part of it
      reset();
      move_from(taken);
    }
    return *this;
  }
  ~Union() { reset(); }

  /// Returns the kind of the member that is set, or `Self::unset` if no member is set.
  auto kind() const noexcept { return static_cast<typename Self::Kind>(tag_); }

  template <auto K>
  bool is() const noexcept {
    check_kind<K>();
    return tag_ == static_cast<MemberNumber>(K);
  }

  /// Returns member K. Throws UsageError (from wrong_union_member()) if K is not set.
  template <auto K>
  Member<K>& get() {
    if (!is<K>()) wrong_union_member(name_of(K), name_of(kind()));
    return detail::Unboxed<HeldMember<K>>::of(*held<HeldMember<K>>());
  }
  template <auto K>
  const Member<K>& get() const {
    return const_cast<Union*>(this)->template get<K>();
  }

  /// Returns member K, or null if K is not set.
  template <auto K>
  Member<K>* get_if() noexcept {
    return is<K>() ? &detail::Unboxed<HeldMember<K>>::of(*held<HeldMember<K>>()) : nullptr;
  }
  template <auto K>
  const Member<K>* get_if() const noexcept {
    return const_cast<Union*>(this)->template get_if<K>();
  }

  /// Calls `visitor` with the member that is set. `visitor` must accept the type of every member. The return
  /// type is the type that `visitor` returns for the first member. Throws UsageError (from
  /// wrong_union_member()) if no member is set.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) {
    return visit_held<Members...>(visitor, storage_);
  }
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return visit_held<const Members...>(visitor, storage_);
  }

  /// Sets member K to `T(args...)`, or to `T{args...}` for numbers and aggregates, and returns the member.
  template <auto K, class... Args>
  Member<K>& emplace(Args&&... args) {
    check_kind<K>();
    if constexpr (sizeof...(Args) == 0) {
      reset();
      ::new (static_cast<void*>(storage_)) HeldMember<K>();
    } else {
      // Created before the old member is destroyed, because `args` could refer to it.
      HeldMember<K> made(make<Member<K>>(std::forward<Args>(args)...));
      reset();
      ::new (static_cast<void*>(storage_)) HeldMember<K>(std::move(made));
    }
    tag_ = static_cast<MemberNumber>(K);
    return detail::Unboxed<HeldMember<K>>::of(*held<HeldMember<K>>());
  }
  /// Sets member K, which must be a list or map, to these items, e.g. `emplace<Argument::as_ints>({1, 2})`.
  template <auto K, class Items = Member<K>>
  Member<K>& emplace(std::initializer_list<typename Items::value_type> items) {
    return emplace<K>(Items(items));
  }

  /// Returns member K. If K is not set, first sets it to a default value.
  template <auto K>
  Member<K>& ensure() {
    if (!is<K>()) return emplace<K>();
    if constexpr (std::is_same_v<HeldMember<K>, Member<K>>) {
      return *held<Member<K>>();
    } else {
      return held<HeldMember<K>>()->filled();
    }
  }

  /// Unsets the union.
  void reset() noexcept {
    with_held(storage_, [](auto& held) {
      using T = std::remove_reference_t<decltype(held)>;
      held.~T();
    });
    tag_ = 0;
  }

 protected:
  /// Returns whether the same member is set in both unions and has equal values.
  bool equals(const Union& other) const {
    if (tag_ != other.tag_) return false;
    bool is_equal = true;
    with_held(storage_, [&](const auto& held) {
      using T = std::decay_t<decltype(held)>;
      is_equal = held == *std::launder(reinterpret_cast<const T*>(other.storage_));
    });
    return is_equal;
  }

 private:
  using MemberNumber = std::conditional_t<(sizeof...(Members) < 256), std::uint8_t, std::uint16_t>;

  template <auto K>
  static constexpr void check_kind() noexcept {
    static_assert(std::is_same_v<decltype(K), typename Self::Kind>, "member of another union");
    static_assert(static_cast<std::size_t>(K) != 0, "unset is not a member");
  }

  // Strings and lists use parentheses, because braces would turn constructor arguments into items. Numbers
  // use braces, to reject narrowing conversions.
  template <class T, class... Args>
  static T make(Args&&... args) {
    if constexpr (std::is_class_v<T> && !std::is_aggregate_v<T>) {
      return T(std::forward<Args>(args)...);
    } else {
      return T{std::forward<Args>(args)...};
    }
  }

  template <class... Held, class Visitor, class Storage>
  decltype(auto) visit_held(Visitor& visitor, Storage& storage) const {
    using First = detail::TypeAt<0, Held...>;
    using Call = decltype(visit_as<First>(visitor, storage)) (*)(Visitor&, Storage&);
    static constexpr Call kCalls[] = {visit_as<Held, Visitor, Storage>...};
    if (tag_ == 0) wrong_union_member({}, {});
    return kCalls[tag_ - 1](visitor, storage);
  }
  template <class Held, class Visitor, class Storage>
  static decltype(auto) visit_as(Visitor& visitor, Storage& storage) {
    return visitor(
        detail::Unboxed<std::remove_const_t<Held>>::of(*std::launder(reinterpret_cast<Held*>(storage))));
  }

  template <class T>
  T* held() noexcept {
    return std::launder(reinterpret_cast<T*>(storage_));
  }

  /// Calls `use` with the member that is set, inside its Box if it has one. Does nothing if no member is set.
  /// `use` is passed by value: its one or two pointers then stay in registers.
  template <class Storage, class Use>
  void with_held(Storage& storage, Use use) const {
    using Call = void (*)(Storage&, Use);
    static constexpr Call kCalls[] = {call_with<Members, Storage, Use>...};
    if (tag_ != 0) kCalls[tag_ - 1](storage, use);
  }
  template <class T, class Storage, class Use>
  static void call_with(Storage& storage, Use use) {
    using Held = std::conditional_t<std::is_const_v<Storage>, const T, T>;
    use(*std::launder(reinterpret_cast<Held*>(storage)));
  }

  void copy_from(const Union& other) {
    other.with_held(other.storage_, [this](const auto& held) {
      using T = std::decay_t<decltype(held)>;
      ::new (static_cast<void*>(storage_)) T(held);
    });
    tag_ = other.tag_;
  }

  void move_from(Union& other) noexcept {
    other.with_held(other.storage_, [this](auto& held) {
      using T = std::decay_t<decltype(held)>;
      ::new (static_cast<void*>(storage_)) T(std::move(held));
    });
    tag_ = other.tag_;
    other.reset();
  }

  alignas(Members...) unsigned char storage_[detail::largest_size<Members...>()];
  MemberNumber tag_;
};

}  // namespace schemagen
