#include "pt2/strings/argument_text.h"

#include <cstdint>
#include <vector>

#include "pt2/text/join.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

constexpr const char* kUnset = "<unset>";

template <class T, class ItemText>
std::string list_text(const std::vector<T>& items, const ItemText& text) {
  return "[" + join_texts(items, ", ", [&](const T& item) { return text(item); }) + "]";
}

class ArgumentText {
 public:
  explicit ArgumentText(const ValueText& value) : value_(value) {}

  std::string text(const Argument& argument) const;

 private:
  std::string tensor(const TensorArgument& tensor) const {
    return value_({ValueName::Table::tensors, tensor.name});
  }
  std::string tensors(const std::vector<TensorArgument>& tensors) const {
    return list_text(tensors, [&](const TensorArgument& item) { return tensor(item); });
  }

  std::string optional_tensor(const OptionalTensorArgument& argument) const {
    if (const auto* const held = argument.get_if<OptionalTensorArgument::as_tensor>()) return tensor(*held);
    return argument.is<OptionalTensorArgument::as_none>() ? "None" : kUnset;
  }

  template <auto Literal, class T, class Number>
  std::string symbolic(const T& argument, ValueName::Table table, std::string (*literal_text)(Number)) const {
    if (const auto* const name = argument.template get_if<T::as_name>()) return value_({table, *name});
    const auto* const literal = argument.template get_if<Literal>();
    return literal == nullptr ? kUnset : literal_text(*literal);
  }
  std::string sym_int(const SymIntArgument& argument) const {
    return symbolic<SymIntArgument::as_int>(argument, ValueName::Table::sym_ints, int_literal);
  }
  std::string sym_float(const SymFloatArgument& argument) const {
    return symbolic<SymFloatArgument::as_float>(argument, ValueName::Table::sym_floats, float_literal);
  }
  std::string sym_bool(const SymBoolArgument& argument) const {
    return symbolic<SymBoolArgument::as_bool>(argument, ValueName::Table::sym_bools, bool_literal);
  }

  std::string dict(const schemagen::Map<Argument>& items) const {
    std::string dict = "{";
    for (const auto& [key, item] : items) {
      dict += (dict.size() == 1 ? "" : ", ") + string_literal(key) + ": " + text(item);
    }
    return dict + "}";
  }

  const ValueText& value_;
};

// NOLINTNEXTLINE(readability-function-size): one case per member
std::string ArgumentText::text(const Argument& argument) const {
  using A = Argument;
  switch (argument.kind()) {
    case A::unset:
      break;
    case A::as_none:
      return "None";
    case A::as_tensor:
      return tensor(argument.get<A::as_tensor>());
    case A::as_tensors:
      return tensors(argument.get<A::as_tensors>());
    case A::as_int:
      return int_literal(argument.get<A::as_int>());
    case A::as_ints:
      return list_text(argument.get<A::as_ints>(), int_literal);
    case A::as_float:
      return float_literal(argument.get<A::as_float>());
    case A::as_floats:
      return list_text(argument.get<A::as_floats>(), float_literal);
    case A::as_string:
      return string_literal(argument.get<A::as_string>());
    case A::as_strings:
      return list_text(argument.get<A::as_strings>(), string_literal);
    case A::as_sym_int:
      return sym_int(argument.get<A::as_sym_int>());
    case A::as_sym_ints:
      return list_text(argument.get<A::as_sym_ints>(), [&](const auto& item) { return sym_int(item); });
    case A::as_scalar_type:
      return dtype_text(argument.get<A::as_scalar_type>());
    case A::as_memory_format:
      return memory_format_text(argument.get<A::as_memory_format>());
    case A::as_layout:
      return layout_text(argument.get<A::as_layout>());
    case A::as_device:
      return device_text(argument.get<A::as_device>());
    case A::as_bool:
      return bool_literal(argument.get<A::as_bool>());
    case A::as_bools:
      return list_text(argument.get<A::as_bools>(), bool_literal);
    case A::as_sym_bool:
      return sym_bool(argument.get<A::as_sym_bool>());
    case A::as_sym_bools:
      return list_text(argument.get<A::as_sym_bools>(), [&](const auto& item) { return sym_bool(item); });
    case A::as_graph:
      return printable(argument.get<A::as_graph>().name);
    case A::as_optional_tensors:
      return list_text(argument.get<A::as_optional_tensors>(),
                       [&](const auto& item) { return optional_tensor(item); });
    case A::as_custom_obj:
      return value_({ValueName::Table::custom_objects, argument.get<A::as_custom_obj>().name});
    case A::as_operator:
      return operator_text(argument.get<A::as_operator>());
    case A::as_sym_float:
      return sym_float(argument.get<A::as_sym_float>());
    case A::as_sym_floats:
      return list_text(argument.get<A::as_sym_floats>(), [&](const auto& item) { return sym_float(item); });
    case A::as_optional_tensor:
      return optional_tensor(argument.get<A::as_optional_tensor>());
    case A::as_complex: {
      const ComplexValue& value = argument.get<A::as_complex>();
      return complex_literal(value.real, value.imag);
    }
    case A::as_nested_tensors:
      return list_text(argument.get<A::as_nested_tensors>(), [&](const auto& list) { return tensors(list); });
    case A::as_int_lists:
      return list_text(argument.get<A::as_int_lists>(),
                       [](const auto& list) { return list_text(list, int_literal); });
    case A::as_string_to_argument:
      return dict(argument.get<A::as_string_to_argument>());
    case A::as_float_lists:
      return list_text(argument.get<A::as_float_lists>(),
                       [](const auto& list) { return list_text(list, float_literal); });
  }
  return kUnset;
}

template <class T>
std::string symbolic_type(const char* kind, const T* value, std::string (*text)(const T&)) {
  return value == nullptr ? "" : std::string(kind) + "(" + text(*value) + ")";
}

}  // namespace

std::string name_text(const ValueName& value) {
  return printable(value.name);
}

std::string type_text(const Graph& graph, const ValueName& value) {
  switch (value.table) {
    case ValueName::Table::tensors: {
      const TensorMeta* const meta = graph.tensor_values.find(value.name);
      return meta == nullptr ? "" : tensor_type_text(*meta);
    }
    case ValueName::Table::sym_ints:
      return symbolic_type("int", graph.sym_int_values.find(value.name), sym_int_text);
    case ValueName::Table::sym_floats:
      return symbolic_type("float", graph.sym_float_values.find(value.name), sym_float_text);
    case ValueName::Table::sym_bools:
      return symbolic_type("bool", graph.sym_bool_values.find(value.name), sym_bool_text);
    case ValueName::Table::custom_objects:
      break;
  }
  const CustomObjArgument* const object = graph.custom_obj_values.find(value.name);
  return object == nullptr ? "" : printable(object->class_fqn);
}

std::string argument_text(const Argument& argument, const ValueText& value) {
  return ArgumentText(value).text(argument);
}

std::string constant_text(const ConstantValue& constant) {
  switch (constant.kind()) {
    case ConstantValue::unset:
      break;
    case ConstantValue::as_none:
      return "None";
    case ConstantValue::as_int:
      return int_literal(constant.get<ConstantValue::as_int>());
    case ConstantValue::as_float:
      return float_literal(constant.get<ConstantValue::as_float>());
    case ConstantValue::as_string:
      return string_literal(constant.get<ConstantValue::as_string>());
    case ConstantValue::as_bool:
      return bool_literal(constant.get<ConstantValue::as_bool>());
  }
  return kUnset;
}

std::string operator_text(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.";
  if (target.substr(0, kPrefix.size()) == kPrefix) target.remove_prefix(kPrefix.size());
  return printable(target);
}

}  // namespace pt2
