#include "pt2/strings/argument_text.h"

#include "pt2/operators/higher_order.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "pt2/visit.h"

namespace pt2 {
namespace {

constexpr const char* kUnset = "<unset>";

/// One function for each type that members of the unions have.
class ArgumentText {
 public:
  explicit ArgumentText(const ValueText& value) : value_(value) {}

  template <class Union>
  std::string text(const Union& part) const {
    std::string result = kUnset;
    schemagen::visit(part, [&](auto field, const auto& member) {
      constexpr std::string_view kName = decltype(field)::name;
      if constexpr (kName == "as_none") {
        result = "None";
      } else if constexpr (kName == "as_operator") {
        result = operator_text(member);
      } else if constexpr (kName == "as_name") {
        constexpr bool kIsInt = std::is_same_v<Union, SymIntArgument>;
        constexpr bool kIsFloat = std::is_same_v<Union, SymFloatArgument>;
        using SymTable = ValueName::Table;
        result = value_({kIsInt     ? SymTable::sym_ints
                         : kIsFloat ? SymTable::sym_floats
                                    : SymTable::sym_bools,
                         member});
      } else {
        result = text(member);
      }
    });
    return result;
  }

 private:
  static std::string text(bool value) { return bool_literal(value); }
  static std::string text(std::int64_t value) { return int_literal(value); }
  static std::string text(double value) { return float_literal(value); }
  static std::string text(const std::string& value) { return string_literal(value); }
  static std::string text(const ComplexValue& value) { return complex_literal(value.real, value.imag); }
  static std::string text(ScalarType dtype) { return dtype_text(dtype); }
  static std::string text(MemoryFormat format) { return memory_format_text(format); }
  static std::string text(Layout layout) { return layout_text(layout); }
  static std::string text(const Device& device) { return device_text(device); }
  static std::string text(const GraphArgument& graph) { return printable(graph.name); }
  std::string text(const TensorArgument& tensor) const {
    return value_({ValueName::Table::tensors, tensor.name});
  }
  std::string text(const CustomObjArgument& object) const {
    return value_({ValueName::Table::custom_objects, object.name});
  }
  template <class T>
  std::string text(const std::vector<T>& items) const {
    return "[" + join_texts(items, ", ", [&](const T& item) { return text(item); }) + "]";
  }
  std::string text(const schemagen::Map<Argument>& items) const {
    std::string dict = "{";
    for (const auto& [key, item] : items) {
      dict += (dict.size() == 1 ? "" : ", ") + string_literal(key) + ": " + text(item);
    }
    return dict + "}";
  }

  const ValueText& value_;
};

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
  return ArgumentText(name_text).text(constant);
}

std::string operator_text(std::string_view target) {
  if (starts_with(target, kOperatorPrefix)) target.remove_prefix(kOperatorPrefix.size());
  return printable(target);
}

}  // namespace pt2
