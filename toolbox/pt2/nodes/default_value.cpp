#include "pt2/nodes/default_value.h"

#include <type_traits>

#include "pt2/operators/operator_schema.h"
#include "pt2/operators/visit.h"
#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

/// By c10's numbers (c10/core/ScalarType.h); 0 if the format lacks the dtype.
constexpr std::int32_t kScalarTypes[] = {1,  2, 3, 4, 5, 6, 7, 8, 9,  10, 11, 12, 0,  0,  0,
                                         13, 0, 0, 0, 0, 0, 0, 0, 30, 29, 32, 31, 28, 34, 35};
constexpr std::int32_t kTorchLayouts[] = {7, 1, 2, 6, 3, 4, 5};  // c10/core/Layout.h
constexpr std::int32_t kTorchMemoryFormats[] = {1, 4, 2, 3};     // c10/core/MemoryFormat.h

template <class E, std::size_t N>
E enumerator(const std::int32_t (&numbers)[N], std::int64_t number) {
  const bool is_known = number >= 0 && number < static_cast<std::int64_t>(N);
  return static_cast<E>(is_known ? numbers[static_cast<std::size_t>(number)] : 0);
}

Argument of_number(std::int64_t number, OperatorTypeKind kind) {
  switch (kind) {
    case OperatorTypeKind::ScalarType:
      return enumerator<ScalarType>(kScalarTypes, number);
    case OperatorTypeKind::Layout:
      return enumerator<Layout>(kTorchLayouts, number);
    case OperatorTypeKind::MemoryFormat:
      return enumerator<MemoryFormat>(kTorchMemoryFormats, number);
    case OperatorTypeKind::float_:
      return static_cast<double>(number);
    default:
      return number;
  }
}

}  // namespace

Argument argument_of(const OperatorValue& value, const OperatorType& type) {
  const OperatorTypeKind kind = without_optional(type).kind;
  Argument argument = Argument::of<Argument::as_none>(true);
  schemagen::visit(value, [&](auto, const auto& member) {
    using T = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<T, std::int64_t>) {
      argument = of_number(member, kind);
    } else if constexpr (std::is_same_v<T, std::string>) {
      argument = kind == OperatorTypeKind::Device ? Argument(device_named(member))
                                                  : Argument::of<Argument::as_string>(member);
    } else if constexpr (std::is_same_v<T, bool>) {
      argument = Argument::of<Argument::as_bool>(member);
    } else if constexpr (!std::is_same_v<T, schemagen::Unit>) {
      argument = T(member);
    }
  });
  return argument;
}

}  // namespace pt2
