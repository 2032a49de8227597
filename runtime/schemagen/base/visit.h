// Any generated type by its fields: their names, ids, types and values; and what follows from these: pointers
// to members as names, hashes, the order of values in C++20, values as text. Include the schema's own
// visit.h. All functions may be called from several threads at once. Several threads may read the same object
// at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/base/fields.h"
#include "schemagen/base/map.h"
#include "schemagen/base/reflection.h"
#include "schemagen/base/union.h"
#include "schemagen/base/value.h"

namespace schemagen {

namespace detail {
// As TypeAt in union.h, which see.
template <std::size_t Index, auto Value>
struct IndexedValue {
  static constexpr auto value = Value;
};
template <class Indices, auto... Values>
struct IndexedValues;
template <std::size_t... Indices, auto... Values>
struct IndexedValues<std::index_sequence<Indices...>, Values...> : IndexedValue<Indices, Values>... {};
template <std::size_t Index, auto Value>
IndexedValue<Index, Value> value_at(const IndexedValue<Index, Value>*);
}  // namespace detail

/// What a schema's visit.h says of one of its types: its place in the tables and, of a struct, its members,
/// in the schema's order.
template <const Reflection& Schema, std::uint32_t Type, auto... Members>
struct Fields {
  static constexpr const Reflection& schema = Schema;
  static constexpr const ReflectedType& type = Schema.types[Type];
  /// The pointer to the member of field `Index`.
  template <std::size_t Index>
  static constexpr auto member = decltype(detail::value_at<Index>(
      static_cast<const detail::IndexedValues<std::make_index_sequence<sizeof...(Members)>, Members...>*>(
          nullptr)))::value;
};

namespace detail {
template <class T, class = void>
struct FieldsOf {
  static constexpr bool kFound = false;
};
template <class T>
struct FieldsOf<T, std::void_t<decltype(fields_of(static_cast<const T*>(nullptr)))>>
    : decltype(fields_of(static_cast<const T*>(nullptr))) {
  static constexpr bool kFound = true;
};
}  // namespace detail

/// Whether T is a struct, union or enum of a schema whose visit.h is included.
template <class T>
constexpr bool kIsReflected = detail::FieldsOf<T>::kFound;

/// What the schema says of T, which is reflected.
template <class T>
constexpr const ReflectedType& reflected_type() noexcept {
  return detail::FieldsOf<T>::type;
}

namespace detail {
template <class T, ReflectedType::Kind Kind>
constexpr bool is_reflected_as() noexcept {
  if constexpr (kIsReflected<T>) {
    return reflected_type<T>().kind == Kind;
  } else {
    return false;
  }
}
}  // namespace detail

template <class T>
constexpr bool kIsReflectedStruct = detail::is_reflected_as<T, ReflectedType::structure>();
template <class T>
constexpr bool kIsReflectedUnion = detail::is_reflected_as<T, ReflectedType::union_>();
template <class T>
constexpr bool kIsReflectedEnum = detail::is_reflected_as<T, ReflectedType::enumeration>();

/// A field of the struct T, or a member of the union T, in the schema's order: known when compiling.
template <class T, std::size_t Index>
struct Field {
  static constexpr std::size_t index = Index;
  static constexpr std::string_view name = reflected_type<T>().fields[Index].name;
  static constexpr std::int32_t id = reflected_type<T>().fields[Index].id;
  static constexpr const ReflectedType& type =
      detail::FieldsOf<T>::schema.types[reflected_type<T>().fields[Index].type];

  /// The field in a T: of a boxed one, what is in the Box. Errors: wrong_union_member(), if it is not set.
  template <class Value>
  static constexpr auto& of(Value& value) {
    if constexpr (kIsReflectedUnion<T>) {
      return value.template get<static_cast<typename T::Kind>(Index + 1)>();
    } else {
      auto& member = value.*detail::FieldsOf<T>::template member<Index>;
      return detail::Unboxed<std::remove_const_t<std::remove_reference_t<decltype(member)>>>::of(member);
    }
  }
};

namespace detail {
template <class T, class Value, class Visitor, std::size_t... Indices>
constexpr void visit_struct([[maybe_unused]] Value& value, [[maybe_unused]] Visitor& visitor,
                            std::index_sequence<Indices...>) {
  // Not by a fold, which compilers end at some hundred members.
  const int order[] = {0,
                       (static_cast<void>(visitor(Field<T, Indices>{}, Field<T, Indices>::of(value))), 0)...};
  static_cast<void>(order);
}

template <class T, std::size_t Index, class Value, class Visitor>
void visit_member(Value& value, Visitor& visitor) {
  visitor(Field<T, Index>{}, Field<T, Index>::of(value));
}

template <class T, class Value, class Visitor, std::size_t... Indices>
void visit_union(Value& value, Visitor& visitor, std::index_sequence<Indices...>) {
  using Call = void (*)(Value&, Visitor&);
  static constexpr Call kCalls[] = {visit_member<T, Indices, Value, Visitor>...};
  if (value.kind() != T::unset) kCalls[static_cast<std::size_t>(value.kind()) - 1](value, visitor);
}
}  // namespace detail

/// Calls `visitor(Field<T, Index>{}, member)` with each field of a struct T, in the schema's order, or with
/// the member that is set of a union T, and not at all if none is. What is in a Box is passed without it;
/// `member` is const if `value` is. Constant expressions may visit structs of numbers.
///
///     schemagen::visit(device, [](auto field, const auto& member) { std::cout << field.name << field.id; });
template <class Value, class Visitor>
constexpr void visit(Value&& value, Visitor&& visitor) {
  using T = std::remove_cv_t<std::remove_reference_t<Value>>;
  static_assert(kIsReflectedStruct<T> || kIsReflectedUnion<T>, "include visit.h of the schema of this type");
  using Indices = std::make_index_sequence<reflected_type<T>().field_count>;
  if constexpr (kIsReflectedUnion<T>) {
    detail::visit_union<T>(value, visitor, Indices{});
  } else {
    detail::visit_struct<T>(value, visitor, Indices{});
  }
}

namespace detail {
template <class T, class Value>
T struct_of(Value T::*);

template <auto A, auto B>
constexpr bool is_same_member() noexcept {
  if constexpr (std::is_same_v<decltype(A), decltype(B)>) {
    return A == B;
  } else {
    return false;
  }
}

template <auto Member, const Reflection& Schema, std::uint32_t Type, auto... Members>
constexpr std::size_t index_of_member(const Fields<Schema, Type, Members...>*) noexcept {
  const bool is_it[] = {is_same_member<Member, Members>()...};
  std::size_t index = 0;
  while (!is_it[index]) ++index;
  return index;
}

template <auto Member>
constexpr FieldName name_of_field() noexcept {
  using T = decltype(struct_of(Member));
  static_assert(kIsReflectedStruct<T>, "include visit.h of the schema of this type");
  constexpr std::size_t kIndex = index_of_member<Member>(static_cast<const FieldsOf<T>*>(nullptr));
  return {reflected_type<T>().name, reflected_type<T>().fields[kIndex].name};
}
}  // namespace detail

/// The name of a field, as `schemagen::field_name<&pt2::Node::metadata>`, for options that take some.
template <auto Member>
inline constexpr FieldName field_name = detail::name_of_field<Member>();

namespace detail {

/// Takes in one value after the other. What is equal by `==` is the same to it.
class Hasher {
 public:
  explicit Hasher(std::uint64_t start) noexcept : state_(start) {}

  std::uint64_t result() const noexcept { return state_; }

  void add(bool value) noexcept { add_word(value ? 1 : 0); }
  void add(std::int64_t value) noexcept { add_word(static_cast<std::uint64_t>(value)); }
  void add(std::uint64_t value) noexcept { add_word(value); }
  template <class T, std::enable_if_t<kIsSmallInteger<T>, int> = 0>
  void add(T value) noexcept {
    add(std::int64_t{value});
  }
  void add(float value) noexcept { add(double{value}); }
  void add(double value) noexcept {
    static_assert(sizeof(double) == sizeof(std::uint64_t));
    if (value == 0) value = 0;  // of either sign
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
    std::uint64_t entries = 0;  // a sum, as their order does not matter
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

/// A hash of all of `value`: the same for values that are equal, so of 0.0 and -0.0, and of maps in any
/// order. It differs from run to run, so that no document can be made to collide.
template <class T>
std::size_t hash(const T& value) noexcept {
  detail::Hasher hasher(hash_key({}));
  hasher.add(value);
  return static_cast<std::size_t>(hasher.result());
}

/// What std::hash is for generated structs and unions.
struct ValueHash {
  template <class T>
  std::size_t operator()(const T& value) const noexcept {
    return hash(value);
  }
};

}  // namespace schemagen

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

/// The order of two structs or unions: fields one after the other as the schema has them, a union's members
/// as they stand there, none and null first, lists item by item, maps by their keys, whatever the order of
/// their entries. Equivalent are those that are equal; NaN makes values unordered.
template <class T>
requires(kIsReflectedStruct<T> || kIsReflectedUnion<T>) std::partial_ordering operator<=>(const T& a,
                                                                                          const T& b) {
  return detail::Order::of(a, b);
}

}  // namespace schemagen
#endif

// Values as text for people: in messages, logs and debuggers.

namespace schemagen {

struct TextOptions {
  std::size_t bytes = 4096;  // of the text at most, beside `...` for what is left out
};

namespace detail {

/// A text that takes no more once it is full.
class ValueText {
 public:
  explicit ValueText(std::size_t most) : most_(most) {}

  bool is_full() const noexcept { return is_full_; }
  std::string take() { return std::move(text_); }

  void put(std::string_view text);

  void add(bool value) { put(value ? "true" : "false"); }
  void add(std::int64_t value);
  void add(std::uint64_t value);
  template <class T, std::enable_if_t<kIsSmallInteger<T>, int> = 0>
  void add(T value) {
    add(std::int64_t{value});
  }
  void add(double value);
  void add(float value);
  void add(const std::string& value);
  void add(const Bytes& value);
  void add(Unit) { put("()"); }
  void add(const Json& value);

  template <class T>
  void add(const Box<T>& value) {
    add(*value);
  }
  template <class T>
  void add(const std::optional<T>& value) {
    value ? add(*value) : put("null");
  }
  template <class T>
  void add(const std::vector<T>& value) {
    add_items("[", value, "]", [this](const auto& item) { this->add(item); });
  }
  void add(const ByteList& value) { add<std::uint8_t>(value); }
  template <class T, class Key>
  void add(const Map<T, Key>& value) {
    add_items("{", value, "}", [this](const MapEntry<T, Key>& entry) {
      add(entry.key());
      put(": ");
      add(entry.value);
    });
  }
  template <class T, std::enable_if_t<kIsReflected<T>, int> = 0>
  void add(const T& value) {
    constexpr const ReflectedType& type = reflected_type<T>();
    if constexpr (kIsReflectedEnum<T>) {
      add_enum(type, static_cast<std::int32_t>(value));
    } else if constexpr (kIsReflectedUnion<T>) {
      put(type.name);
      if (value.kind() == T::unset) put(".unset");
      visit(value, [this](auto member, const auto& held) {
        put(".");
        put(member.name);
        put("(");
        add(held);
        put(")");
      });
    } else {
      put(type.name);
      put("{");
      visit(value, [this](auto field, const auto& member) {
        if (is_full()) return;
        put(field.index == 0 ? "" : ", ");
        put(field.name);
        put(": ");
        add(member);
      });
      put("}");
    }
  }

 private:
  void add_enum(const ReflectedType& type, std::int32_t number);

  template <class Items, class Add>
  void add_items(std::string_view open, const Items& items, std::string_view close, Add add_item) {
    put(open);
    bool is_first = true;
    for (const auto& item : items) {
      if (is_full()) return;
      put(is_first ? "" : ", ");
      is_first = false;
      add_item(item);
    }
    put(close);
  }

  std::string text_;
  std::size_t most_;
  bool is_full_ = false;
};

}  // namespace detail

/// `value` in one line: `RangeConstraint{min_val: 2, max_val: null}`, `SymInt.as_int(3)`, `SymInt.unset`;
/// strings quoted, enums by name or, without one, number. Printable, strings cut after 100 bytes; `...` ends
/// a text that would be longer than the options allow, and what it leaves out takes no time. The form may
/// change: nothing should read it.
template <class T>
std::string to_text(const T& value, const TextOptions& options = {}) {
  detail::ValueText text(options.bytes);
  text.add(value);
  return text.take();
}

}  // namespace schemagen
