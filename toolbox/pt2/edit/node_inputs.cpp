#include "pt2/edit/builder.h"

#include <iterator>

#include "pt2/edit/retarget.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/nodes/argument_fit.h"
#include "pt2/nodes/default_value.h"
#include "pt2/nodes/list_items.h"
#include "pt2/operators/higher_order.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using TypeKind = OperatorTypeKind;

/// Null `item`: a higher-order operator, whose lists hold tensors.
Argument empty_list(const OperatorType* item) {
  const TypeKind kind = item == nullptr ? TypeKind::Tensor : without_optional(*item).kind;
  if (kind == TypeKind::str) return Argument::of<Argument::as_strings>();
  if (kind == TypeKind::Scalar) return Argument::of<Argument::as_ints>();
  switch (item == nullptr ? ValueName::Table::tensors : table_of(*item)) {
    case ValueName::Table::sym_bools:
      return Argument::of<Argument::as_bools>();
    case ValueName::Table::sym_floats:
      return Argument::of<Argument::as_floats>();
    case ValueName::Table::sym_ints:
      return Argument::of<Argument::as_ints>();
    default:
      return Argument::of<Argument::as_tensors>();
  }
}

bool is_free(const OperatorType* type) {
  constexpr TypeKind kFree[] = {TypeKind::Any,      TypeKind::variable, TypeKind::object,
                                TypeKind::PyObject, TypeKind::Dict,     TypeKind::tuple};
  return type == nullptr || std::find(std::begin(kFree), std::end(kFree), type->kind) != std::end(kFree);
}

bool is_of_kind(const Argument& argument, TypeKind type) {
  using A = Argument;
  constexpr std::pair<TypeKind, A::Kind> kKinds[] = {
      {TypeKind::Tensor, A::as_tensor},      {TypeKind::int_, A::as_int},
      {TypeKind::SymInt, A::as_sym_int},     {TypeKind::float_, A::as_sym_float},
      {TypeKind::SymFloat, A::as_sym_float}, {TypeKind::bool_, A::as_sym_bool},
      {TypeKind::SymBool, A::as_sym_bool},   {TypeKind::str, A::as_string},
      {TypeKind::complex, A::as_complex},    {TypeKind::ScalarType, A::as_scalar_type},
      {TypeKind::Layout, A::as_layout},      {TypeKind::MemoryFormat, A::as_memory_format},
      {TypeKind::Device, A::as_device},
  };
  const A::Kind given = argument.kind();
  if (type == TypeKind::Scalar) return is_number(given);
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const auto& row) {
    return row.first == type && (given == row.second || given == kind_of_literal(row.second));
  });
}

std::optional<Argument> enumerator_named(std::string_view name, TypeKind type) {
  if (type == TypeKind::ScalarType) return dtype_named(name);
  if (type == TypeKind::Layout) return layout_named(name);
  if (type == TypeKind::MemoryFormat) return memory_format_named(name);
  return std::nullopt;
}

class Conversion {
 public:
  /// Null `declared`: of a higher-order operator.
  Conversion(const Operator& op, const OperatorArgument* declared) : op_(op), declared_(declared) {}

  Argument argument(const Operand& operand) const {
    return converted(operand, declared_ == nullptr ? nullptr : &declared_->type);
  }

 private:
  /// A wildcard in a list must have the same kind as the other items.
  static Argument wildcard(const Argument& given, const OperatorType* type) {
    if (type == nullptr) return given;
    return value_argument(table_of(*type), *value_of(given));
  }

  Argument converted(const Operand& operand, const OperatorType* type) const {
    if (operand.is_any()) return wildcard(operand.argument(), type);
    if (operand.list() != nullptr) return list(*operand.list(), type);
    const Argument& given = operand.argument();
    if (is_free(type)) return given;
    if (type->kind == TypeKind::optional) {
      return given.is<Argument::as_none>() ? given : converted(operand, &type->items->front());
    }
    if (type->kind != TypeKind::list) return single(given, *type);
    if (items_of(given)) return given;
    const auto count = static_cast<std::size_t>(type->size.value_or(0));
    if (count == 0) fail(kind_text(given));
    return list(Operand::List(count, operand), type);
  }

  Argument list(const Operand::List& operands, const OperatorType* type) const {
    if (!is_free(type)) type = &without_optional(*type);
    const OperatorType* item = nullptr;
    if (!is_free(type)) {
      if (type->kind != TypeKind::list) fail("a list");
      item = &type->items->front();
    }
    if (operands.empty()) return empty_list(item);
    std::vector<Argument> items;
    for (const Operand& operand : operands) items.push_back(converted(operand, item));
    Argument made = list_of_items(std::move(items));
    if (made.kind() == Argument::unset) fail("a list with items of different kinds");
    return made;
  }

  Argument single(const Argument& given, const OperatorType& type) const {
    if (is_of_kind(given, type.kind)) return given;
    const auto* const whole = given.get_if<Argument::as_int>();
    if (whole != nullptr && type.kind == TypeKind::float_) {
      return Argument::of<Argument::as_float>(static_cast<double>(*whole));
    }
    const auto* const text = given.get_if<Argument::as_string>();
    if (text != nullptr) {
      if (type.kind == TypeKind::Device) return Argument(parse_device(*text));
      if (const auto named = enumerator_named(*text, type.kind)) return *named;
    }
    // A number may replace a tensor, as in `x + 1`, but not the first one.
    const bool is_first = declared_ == nullptr || declared_ == op_.arguments.data();
    if (type.kind == TypeKind::Tensor && is_number(given.kind()) && !is_first) return given;
    fail(kind_text(given));
  }

  [[noreturn]] void fail(const std::string& found) const {
    if (declared_ == nullptr) fail_call(op_, "an argument is " + found);
    fail_call(op_, "argument " + schemagen::quoted(declared_->name) + " is " + found + ", expected " +
                       schema_text(declared_->type));
  }

  const Operator& op_;
  const OperatorArgument* const declared_;
};

using Given = std::vector<const Operand*>;

Given place_operands(const Operator& op, const std::vector<Operand>& positional,
                     const std::vector<NamedOperand>& keywords) {
  Given given(op.arguments.size());
  for (std::size_t i = 0; i < positional.size() && i < given.size(); ++i) {
    if (op.arguments[i].is_keyword_only) {
      fail_call(op, "argument " + schemagen::quoted(op.arguments[i].name) + " is keyword-only");
    }
    given[i] = &positional[i];
  }
  if (positional.size() > given.size() && !op.takes_more) {
    fail_call(op, "expected at most " + schemagen::counted(given.size(), "argument") + ", got " +
                      std::to_string(positional.size()));
  }
  for (const NamedOperand& keyword : keywords) {
    const std::size_t at = argument_position(op, keyword.name);
    const std::string name = schemagen::quoted(keyword.name);
    if (at == op.arguments.size()) {
      if (op.takes_more) continue;
      fail_call(op, "it has no argument " + name);
    }
    if (given[at] != nullptr) fail_call(op, "argument " + name + " is given twice");
    given[at] = &keyword.value;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == nullptr && !op.arguments[i].default_value) {
      fail_call(op, "argument " + schemagen::quoted(op.arguments[i].name) + " is missing");
    }
  }
  return given;
}

std::vector<NamedArgument> typed_inputs(const Operator& op, const Given& given) {
  std::vector<NamedArgument> inputs;
  std::size_t kept = 0;  // without the last positional arguments if they are omitted
  for (std::size_t i = 0; i < given.size(); ++i) {
    const OperatorArgument& declared = op.arguments[i];
    std::optional<Argument> usual;
    if (declared.default_value) usual = argument_of(*declared.default_value, declared.type);
    Argument value = given[i] == nullptr ? Argument(*usual) : Conversion(op, &declared).argument(*given[i]);
    const bool is_usual = usual && value == *usual;
    if (declared.is_keyword_only) {
      inputs.resize(kept);
      if (!is_usual) inputs.push_back({declared.name, std::move(value), ArgumentKind::KEYWORD});
      kept = inputs.size();
    } else {
      inputs.push_back({declared.name, std::move(value), ArgumentKind::POSITIONAL});
      if (!is_usual) kept = inputs.size();
    }
  }
  inputs.resize(kept);
  return inputs;
}

/// Positional arguments of higher-order operators have no names.
std::vector<NamedArgument> free_inputs(const Operator& op, const std::vector<Operand>& positional,
                                       const std::vector<NamedOperand>& keywords) {
  const Conversion conversion(op, nullptr);
  std::vector<NamedArgument> inputs;
  for (const Operand& operand : positional)
    inputs.push_back({"", conversion.argument(operand), ArgumentKind::POSITIONAL});
  for (const NamedOperand& keyword : keywords)
    inputs.push_back({keyword.name, conversion.argument(keyword.value), ArgumentKind::KEYWORD});
  return inputs;
}

}  // namespace

void fail_call(const Operator& op, const std::string& what) {
  std::string_view name = op.target;
  if (op.kind != OperatorKind::function) name.remove_prefix(kOperatorPrefix.size());
  throw schemagen::UsageError("cannot call " + schemagen::quoted(name) + ": " + what + "; its schema is " +
                              schema_text(op));
}

const Operator& operator_called(std::string_view target, const OperatorSet& operators) {
  if (const Operator* const op = operators.find(target)) return *op;
  std::string name(target);
  if (const std::size_t colons = name.find("::"); colons != name.npos) name.replace(colons, 2, ".");
  for (const std::string_view overload : {"", ".default"}) {
    const std::string full = std::string(kOperatorPrefix).append(name).append(overload);
    if (const Operator* const op = operators.find(full)) return *op;
  }
  throw schemagen::UsageError("unknown operator " + schemagen::quoted(target) +
                              "; expected a name such as 'aten.add.Tensor'");
}

std::vector<NamedArgument> node_inputs(const Operator& op, const std::vector<Operand>& positional,
                                       const std::vector<NamedOperand>& keywords) {
  const Given given = place_operands(op, positional, keywords);
  return op.kind == OperatorKind::higher_order ? free_inputs(op, positional, keywords)
                                               : typed_inputs(op, given);
}

}  // namespace pt2
