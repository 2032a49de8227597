// Visits the fields of any generated struct or union and provides their names, ids, types and values. Include
// the schema's own visit.h instead of this header.
#pragma once

#include "schemagen/base/reflection.h"
#include "schemagen/base/union.h"

namespace schemagen {

/// A schema's visit.h uses this template to declare each type. `Type` is the type's index in the tables. For
/// a struct, `Members` are its members in the schema's order.
template <const Reflection& Schema, std::uint32_t Type, auto... Members>
struct Fields {
  static constexpr const Reflection& schema = Schema;
  static constexpr const ReflectedType& type = Schema.types[Type];
  template <std::size_t Index>
  static constexpr auto member =
      detail::TypeAt<Index, std::integral_constant<decltype(Members), Members>...>::value;
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

/// Returns the description of T in the schema.
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

/// A field of the struct T, or a member of the union T, as a compile-time constant.
template <class T, std::size_t Index>
struct Field {
  static constexpr std::size_t index = Index;
  static constexpr std::string_view name = reflected_type<T>().fields[Index].name;
  static constexpr std::int32_t id = reflected_type<T>().fields[Index].id;
  static constexpr const ReflectedType& type =
      detail::FieldsOf<T>::schema.types[reflected_type<T>().fields[Index].type];

  /// Returns the field of `value`, without its Box. Throws UsageError (from wrong_union_member()) if T is a
  /// union and this member is not set.
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
  // Not a fold expression, because compilers limit these to a few hundred members.
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

/// Calls `visitor(Field<T, Index>{}, member)` for each field of a struct in the schema's order, or for a
/// union's set member. Boxed members are passed without their Box. `member` is const if `value` is
/// const. A struct that contains only numbers can be visited in a constant expression.
///
///     schemagen::visit(device, [](auto field, const auto& member) { std::cout << field.name << field.id; });
template <class Value, class Visitor>
constexpr void visit(Value&& value, Visitor&& visitor) {
  using T = std::remove_cv_t<std::remove_reference_t<Value>>;
  static_assert(kIsReflectedStruct<T> || kIsReflectedUnion<T>, "include the visit.h of this type's schema");
  using Indices = std::make_index_sequence<reflected_type<T>().field_count>;
  if constexpr (kIsReflectedUnion<T>) {
    detail::visit_union<T>(value, visitor, Indices{});
  } else {
    detail::visit_struct<T>(value, visitor, Indices{});
  }
}

}  // namespace schemagen
