#include "pt2/nodes/default_value.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include "pt2/operators/operator_schema.h"

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

Device device(const std::string& text) {
  Device result;
  const std::size_t colon = text.find(':');
  result.type = text.substr(0, colon);
  if (colon != text.npos) {
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), result.index.emplace());
  }
  return result;
}

Argument of_number(std::int64_t number, OperatorTypeKind kind) {
  Argument argument;
  switch (kind) {
    case OperatorTypeKind::ScalarType:
      argument.emplace<Argument::as_scalar_type>(enumerator<ScalarType>(kScalarTypes, number));
      return argument;
    case OperatorTypeKind::Layout:
      argument.emplace<Argument::as_layout>(enumerator<Layout>(kTorchLayouts, number));
      return argument;
    case OperatorTypeKind::MemoryFormat:
      argument.emplace<Argument::as_memory_format>(enumerator<MemoryFormat>(kTorchMemoryFormats, number));
      return argument;
    case OperatorTypeKind::float_:
      argument.emplace<Argument::as_float>(static_cast<double>(number));
      return argument;
    default:
      argument.emplace<Argument::as_int>(number);
      return argument;
  }
}

}  // namespace

Argument argument_of(const OperatorValue& value, const OperatorType& type) {
  using V = OperatorValue;
  const OperatorTypeKind kind = without_optional(type).kind;
  Argument argument;
  switch (value.kind()) {
    case V::as_bool:
      argument.emplace<Argument::as_bool>(value.get<V::as_bool>());
      break;
    case V::as_int:
      return of_number(value.get<V::as_int>(), kind);
    case V::as_float:
      argument.emplace<Argument::as_float>(value.get<V::as_float>());
      break;
    case V::as_string:
      if (kind == OperatorTypeKind::Device) {
        argument.emplace<Argument::as_device>(device(value.get<V::as_string>()));
      } else {
        argument.emplace<Argument::as_string>(value.get<V::as_string>());
      }
      break;
    case V::as_bools:
      argument.emplace<Argument::as_bools>(value.get<V::as_bools>());
      break;
    case V::as_ints:
      argument.emplace<Argument::as_ints>(value.get<V::as_ints>());
      break;
    case V::as_floats:
      argument.emplace<Argument::as_floats>(value.get<V::as_floats>());
      break;
    case V::unset:
    case V::as_none:
      argument.emplace<Argument::as_none>(true);
      break;
  }
  return argument;
}

}  // namespace pt2
