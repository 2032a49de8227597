// Results of arithmetic with symbolic numbers.
#include "pt2/infer/rules.h"

#include <utility>

#include "pt2/text/expression.h"
#include "pt2/text/literal.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

Expression call_of(const char* head, std::vector<Expression> operands) {
  return {Expression::Kind::call, head, "", std::move(operands)};
}

Expression float_of(double value) {
  return call_of("Float", {{Expression::Kind::string, float_literal(value), "", {}},
                           {Expression::Kind::number, "53", "precision", {}}});
}

/// An operand: a whole number, or an expression of floats or truth values.
struct Number {
  bool is_whole = false;
  Size size;
  Expression expression;  // whatever it is
  bool is_truth = false;
};

Number of_whole(Size size) {
  Expression expression = parse_expression(size.srepr());
  return {true, std::move(size), std::move(expression), false};
}

template <class Table>
const std::string& expression_text_of(const Table& table, const std::string& name) {
  const auto* const value = table.find(name);
  using Held = std::remove_const_t<std::remove_pointer_t<decltype(value)>>;
  const auto* const expression = value == nullptr ? nullptr : value->template get_if<Held::as_expr>();
  if (expression == nullptr)
    throw schemagen::DataError("there is no symbolic value " + schemagen::quoted(name));
  return expression->expr_str;
}

Number number_of(const InferredCall& call, std::string_view name) {
  const Argument& argument = call.arguments.at(name).value();
  switch (argument.kind()) {
    case Argument::as_int:
    case Argument::as_sym_int:
      return of_whole(call.size(name));
    case Argument::as_float:
      return {false, {}, float_of(argument.get<Argument::as_float>()), false};
    case Argument::as_bool: {
      const bool value = argument.get<Argument::as_bool>();
      return {false, {}, {Expression::Kind::constant, value ? "true" : "false", "", {}}, true};
    }
    case Argument::as_sym_float: {
      const auto& symbol = argument.get<Argument::as_sym_float>();
      if (const auto* const literal = symbol.get_if<SymFloatArgument::as_float>()) {
        return {false, {}, float_of(*literal), false};
      }
      const std::string& value = symbol.get<SymFloatArgument::as_name>();
      return {false, {}, parse_expression(expression_text_of(call.graph.sym_float_values, value)), false};
    }
    case Argument::as_sym_bool: {
      const std::string* const value =
          argument.get<Argument::as_sym_bool>().get_if<SymBoolArgument::as_name>();
      if (value == nullptr) break;
      return {false, {}, parse_expression(expression_text_of(call.graph.sym_bool_values, *value)), true};
    }
    case Argument::unset:
    case Argument::as_none:
    case Argument::as_tensor:
    case Argument::as_tensors:
    case Argument::as_ints:
    case Argument::as_floats:
    case Argument::as_string:
    case Argument::as_strings:
    case Argument::as_sym_ints:
    case Argument::as_scalar_type:
    case Argument::as_memory_format:
    case Argument::as_layout:
    case Argument::as_device:
    case Argument::as_bools:
    case Argument::as_sym_bools:
    case Argument::as_graph:
    case Argument::as_optional_tensors:
    case Argument::as_custom_obj:
    case Argument::as_operator:
    case Argument::as_sym_floats:
    case Argument::as_optional_tensor:
    case Argument::as_complex:
    case Argument::as_nested_tensors:
    case Argument::as_int_lists:
    case Argument::as_string_to_argument:
    case Argument::as_float_lists:
      break;
  }
  throw schemagen::DataError("an operand is no number");
}

std::vector<ValueType> whole(const InferredCall& call, const Size& size) {
  return {size.sym_int(call.hints)};
}

std::vector<ValueType> real(const Expression& expression) {
  SymFloat value;
  value.emplace<SymFloat::as_expr>().expr_str = srepr(expression);
  return {value};
}

std::vector<ValueType> truth(const Expression& expression) {
  SymBool value;
  value.emplace<SymBool::as_expr>().expr_str = srepr(expression);
  return {value};
}

// ---- Rules ----

enum class Operation { sum, difference, product };

template <Operation Op>
std::vector<ValueType> arithmetic(const InferredCall& call) {
  const Number a = number_of(call, "a");
  Number b = number_of(call, "b");
  if (a.is_whole && b.is_whole) {
    return whole(call, Op == Operation::sum          ? a.size + b.size
                       : Op == Operation::difference ? a.size - b.size
                                                     : a.size * b.size);
  }
  const auto as_real = [](const Number& n) {
    return n.is_whole ? call_of("ToFloat", {n.expression}) : n.expression;
  };
  Expression second = as_real(b);
  if (Op == Operation::difference) {
    second = call_of("Mul", {parse_expression(Size(-1).srepr()), std::move(second)});
  }
  return real(call_of(Op == Operation::product ? "Mul" : "Add", {as_real(a), std::move(second)}));
}

std::vector<ValueType> floor_division(const InferredCall& call) {
  const Number a = number_of(call, "a");
  const Number b = number_of(call, "b");
  require(a.is_whole && b.is_whole, "only whole numbers are divided so");
  return whole(call, floor_div(a.size, b.size));
}

/// A function of two whole numbers that stays as it is.
std::vector<ValueType> whole_function(const InferredCall& call, const char* head) {
  const Number a = number_of(call, "a");
  const Number b = number_of(call, "b");
  require(a.is_whole && b.is_whole, "this is inferred of whole numbers only");
  return whole(call, Size::of(call_of(head, {a.expression, b.expression})));
}

std::vector<ValueType> modulo(const InferredCall& call) {
  const Number a = number_of(call, "a");
  const Number b = number_of(call, "b");
  if (a.is_whole && b.is_whole && quotient(a.size, b.size)) return whole(call, 0);
  return whole_function(call, "PythonMod");
}

std::vector<ValueType> maximum(const InferredCall& call) {
  return whole_function(call, "Max");
}

std::vector<ValueType> minimum(const InferredCall& call) {
  return whole_function(call, "Min");
}

std::vector<ValueType> true_division(const InferredCall& call) {
  const Number a = number_of(call, "a");
  const Number b = number_of(call, "b");
  return real(
      call_of(a.is_whole && b.is_whole ? "IntTrueDiv" : "FloatTrueDiv", {a.expression, b.expression}));
}

std::vector<ValueType> to_float(const InferredCall& call) {
  const Number a = number_of(call, "a");
  return real(a.is_whole ? call_of("ToFloat", {a.expression}) : a.expression);
}

std::vector<ValueType> negation(const InferredCall& call) {
  const Number a = number_of(call, "a");
  require(a.is_whole, "this is inferred of whole numbers only");
  return whole(call, Size(0) - a.size);
}

std::vector<ValueType> related(const InferredCall& call, const char* head) {
  return truth(call_of(head, {number_of(call, "a").expression, number_of(call, "b").expression}));
}

std::vector<ValueType> equal(const InferredCall& call) {
  return related(call, "Equality");
}
std::vector<ValueType> unequal(const InferredCall& call) {
  return related(call, "Unequality");
}
std::vector<ValueType> less(const InferredCall& call) {
  return related(call, "StrictLessThan");
}
std::vector<ValueType> less_or_equal(const InferredCall& call) {
  return related(call, "LessThan");
}
std::vector<ValueType> greater(const InferredCall& call) {
  return related(call, "StrictGreaterThan");
}
std::vector<ValueType> greater_or_equal(const InferredCall& call) {
  return related(call, "GreaterThan");
}
std::vector<ValueType> conjunction(const InferredCall& call) {
  return related(call, "And");
}
std::vector<ValueType> disjunction(const InferredCall& call) {
  return related(call, "Or");
}

std::vector<ValueType> negated(const InferredCall& call) {
  const Number a = number_of(call, "a");
  require(a.is_truth, "only a truth value can be negated so");
  return truth(call_of("Not", {a.expression}));
}

std::vector<ValueType> size_of_dim(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  require(!self.sizes.empty() && call.declares("dim"), "a scalar has no sizes");
  return whole(call, self.sizes[call.dim("dim", self.sizes.size())]);
}

std::vector<ValueType> element_count_of(const InferredCall& call) {
  return whole(call, element_count(call.tensor("self").sizes));
}

}  // namespace

const NamedRules& symbol_rules() {
  static const NamedRules rules = {{"_operator.add", arithmetic<Operation::sum>},
                                   {"_operator.sub", arithmetic<Operation::difference>},
                                   {"_operator.mul", arithmetic<Operation::product>},
                                   {"_operator.floordiv", floor_division},
                                   {"_operator.mod", modulo},
                                   {"_operator.truediv", true_division},
                                   {"_operator.neg", negation},
                                   {"_operator.eq", equal},
                                   {"_operator.ne", unequal},
                                   {"_operator.lt", less},
                                   {"_operator.le", less_or_equal},
                                   {"_operator.gt", greater},
                                   {"_operator.ge", greater_or_equal},
                                   {"_operator.and_", conjunction},
                                   {"_operator.or_", disjunction},
                                   {"torch.sym_float", to_float},
                                   {"torch.sym_max", maximum},
                                   {"torch.sym_min", minimum},
                                   {"torch.sym_not", negated},
                                   {"sym_size", size_of_dim},
                                   {"sym_numel", element_count_of}};
  return rules;
}

}  // namespace pt2
