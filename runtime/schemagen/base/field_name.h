// Names the members of generated structs.
#pragma once

#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/visit.h"

namespace schemagen {

namespace detail {
template <class T, class Value>
T struct_of(Value T::*);

template <auto Member>
struct MemberConstant {};

template <auto Member, const Reflection& Schema, std::uint32_t Type, auto... Members>
constexpr std::size_t index_of_member(const Fields<Schema, Type, Members...>*) noexcept {
  const bool is_it[] = {std::is_same_v<MemberConstant<Member>, MemberConstant<Members>>...};
  std::size_t index = 0;
  while (!is_it[index]) ++index;
  return index;
}

template <auto Member>
constexpr FieldName name_of_field() noexcept {
  using T = decltype(struct_of(Member));
  static_assert(kIsReflectedStruct<T>, "include the visit.h of this type's schema");
  constexpr std::size_t kIndex = index_of_member<Member>(static_cast<const FieldsOf<T>*>(nullptr));
  return {reflected_type<T>().name, reflected_type<T>().fields[kIndex].name};
}
}  // namespace detail

/// The name of a field, e.g. `schemagen::field_name<&pt2::Node::metadata>`. Pass it in options that list
/// fields.
template <auto Member>
inline constexpr FieldName field_name = detail::name_of_field<Member>();

}  // namespace schemagen
