#include "pt2/infer/rules.h"

#include "pt2/graph/index.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::string function_text(std::string_view head, const std::vector<std::string>& operands) {
  return std::string(head) + "(" + join_texts(operands, ", ") + ")";
}

std::string float_srepr(double value) {
  return "Float('" + float_literal(value) + "', precision=53)";
}

struct Number {
  std::optional<Size> integer;
  std::string text;  // an srepr, of integers too
  bool is_bool = false;
};

template <class Table>
std::string expression_text_of(const Table& table, const std::string& name) {
  const auto* const value = table.find(name);
  using Held = std::remove_const_t<std::remove_pointer_t<decltype(value)>>;
  const auto* const expression = value == nullptr ? nullptr : value->template get_if<Held::as_expr>();
  if (expression == nullptr) fail_inference("unknown symbolic value ", schemagen::quoted(name));
  return srepr(parse_expression(expression->expr_str));
}

Number number_of(const InferredCall& call, std::string_view name) {
  const Argument& argument = call.arguments.at(name).value();
  const auto dtype = number_dtype(argument);
  const std::vector<std::string> names = names_in(argument);
  if (dtype == ScalarType::LONG) return {call.size(name), call.size(name).srepr(), false};
  if (dtype == ScalarType::FLOAT && !names.empty())
    return {{}, expression_text_of(call.graph.sym_float_values, names.front()), false};
  if (dtype == ScalarType::BOOL && !names.empty())
    return {{}, expression_text_of(call.graph.sym_bool_values, names.front()), true};
  if (const auto* const flag = argument.get_if<Argument::as_bool>())
    return {{}, *flag ? "true" : "false", true};
  const auto* number = argument.get_if<Argument::as_float>();
  if (const auto* const symbol = argument.get_if<Argument::as_sym_float>())
    number = symbol->get_if<SymFloatArgument::as_float>();
  if (number != nullptr) return {{}, float_srepr(*number), false};
  fail_inference("argument ", schemagen::quoted(name), ": expected a number");
}

Size integer_of(const InferredCall& call, std::string_view name) {
  const Number number = number_of(call, name);
  if (!number.integer) fail_inference("argument ", schemagen::quoted(name), ": expected an integer");
  return *number.integer;
}

Results whole(const InferredCall& call, const Size& size) {
  return {size.sym_int(call.hints)};
}

/// `Value` is SymFloat or SymBool.
template <class Value>
Results symbolic_result(const std::string& text) {
  Value value;
  value.template emplace<Value::as_expr>().expr_str = text;
  return {value};
}

std::string as_real(const Number& number) {
  return number.integer ? function_text("ToFloat", {number.text}) : number.text;
}

/// By words: the sign.
Results arithmetic(const InferredCall& call) {
  const char sign = call.words[0];
  const Number a = number_of(call, "a");
  const Number b = number_of(call, "b");
  if (a.integer && b.integer) {
    return whole(call, sign == '+'   ? *a.integer + *b.integer
                       : sign == '-' ? *a.integer - *b.integer
                                     : *a.integer * *b.integer);
  }
  std::string second = as_real(b);
  if (sign == '-') second = function_text("Mul", {Size(-1).srepr(), second});
  return symbolic_result<SymFloat>(
      function_text(sign == '*' ? "Mul" : "Add", {as_real(a), std::move(second)}));
}

/// By words: a function of two integers.
Results of_integers(const InferredCall& call) {
  const Size a = integer_of(call, "a");
  const Size b = integer_of(call, "b");
  return whole(call, call.words == "//"    ? floor_div(a, b)
                     : call.words == "max" ? larger(a, b)
                                           : smaller(a, b));
}

Results modulo(const InferredCall& call) {
  const Size a = integer_of(call, "a");
  const Size b = integer_of(call, "b");
  if (quotient(a, b)) return whole(call, 0);
  return whole(call, Size::of(parse_expression(function_text("PythonMod", {a.srepr(), b.srepr()}))));
}

Results number_power(const InferredCall& call) {
  const Size base = integer_of(call, "a");
  const auto exponent = integer_of(call, "b").number();
  if (!exponent || *exponent < 0 || *exponent > 16) return {};
  Size result = 1;
  for (std::int64_t i = 0; i < *exponent; ++i) result = result * base;
  return whole(call, result);
}

Results truncation(const InferredCall& call) {
  const Number number = number_of(call, call.op.arguments.front().name);
  return whole(call, number.integer ? *number.integer
                                    : Size::of(parse_expression(function_text("TruncToInt", {number.text}))));
}

Results true_division(const InferredCall& call) {
  const Number a = number_of(call, "a");
  const Number b = number_of(call, "b");
  return symbolic_result<SymFloat>(
      function_text(a.integer && b.integer ? "IntTrueDiv" : "FloatTrueDiv", {a.text, b.text}));
}

/// By words: a function of the real number, or none.
Results to_float(const InferredCall& call) {
  const std::string number = as_real(number_of(call, "a"));
  return symbolic_result<SymFloat>(call.words.empty() ? number : function_text(call.words, {number}));
}

Results negation(const InferredCall& call) {
  return whole(call, Size(0) - integer_of(call, "a"));
}

/// By words: the relation's name in sympy.
Results relation(const InferredCall& call) {
  return symbolic_result<SymBool>(
      function_text(call.words, {number_of(call, "a").text, number_of(call, "b").text}));
}

Results logical_not(const InferredCall& call) {
  const Number a = number_of(call, "a");
  require(a.is_bool, "argument 'a': expected a bool");
  return symbolic_result<SymBool>(function_text("Not", {a.text}));
}

/// By words: what of the tensor.
Results of_tensor(const InferredCall& call, const TensorType& self) {
  if (call.words == "count") return whole(call, element_count(self.sizes));
  if (call.words == "offset") return whole(call, self.offset);
  require_min_rank(self, 1);
  require(call.declares("dim"), "expected the overload with 'dim'");
  const std::size_t dim = call.dim("dim", self.sizes.size());
  return whole(call, call.words == "size" ? self.sizes[dim] : self.strides[dim]);
}

/// The recorded number, or a new symbol.
Results single_item(const InferredCall& call, const TensorType& self) {
  const ScalarType dtype = self.dtype;
  require(!is_complex(dtype), "torch cannot export the item of a complex tensor");
  if (call.node.outputs.size() != 1) return {};
  const std::string* const name = first_name(call.node.outputs);
  const ValueMeta recorded = name == nullptr ? ValueMeta() : find_value(call.graph, *name);
  if (is_float(dtype)) {
    if (recorded.sym_float != nullptr) return {*recorded.sym_float};
    return symbolic_result<SymFloat>("Symbol('" + call.new_symbol("zuf") + "')");
  }
  if (dtype == ScalarType::BOOL) {
    if (recorded.sym_bool != nullptr) return {*recorded.sym_bool};
    return symbolic_result<SymBool>(function_text("Equality", {call.new_size().srepr(), "Integer(1)"}));
  }
  if (recorded.sym_int != nullptr) return {*recorded.sym_int};
  return whole(call, call.new_size());
}

}  // namespace

NamedRules symbol_rules() {
  return {
      {arithmetic, "+", "_operator.add"},
      {arithmetic, "-", "_operator.sub"},
      {arithmetic, "*", "_operator.mul"},
      {of_integers, "//", "_operator.floordiv"},
      {modulo, "_operator.mod"},
      {true_division, "_operator.truediv"},
      {negation, "_operator.neg"},
      {relation, "Equality", "_operator.eq"},
      {relation, "Unequality", "_operator.ne"},
      {relation, "StrictLessThan", "_operator.lt"},
      {relation, "LessThan", "_operator.le"},
      {relation, "StrictGreaterThan", "_operator.gt"},
      {relation, "GreaterThan", "_operator.ge"},
      {relation, "And", "_operator.and_"},
      {relation, "Or", "_operator.or_"},
      {to_float, "torch.sym_float"},
      {of_integers, "max", "torch.sym_max"},
      {of_integers, "min", "torch.sym_min"},
      {logical_not, "torch.sym_not"},
      {of_tensor, "size", "sym_size"},
      {of_tensor, "stride", "sym_stride"},
      {of_tensor, "offset", "sym_storage_offset"},
      {single_item, "item _local_scalar_dense"},
      {truncation, "math.trunc torch.sym_int"},
      {to_float, "OpaqueUnaryFn_sqrt", "torch._sym_sqrt"},
      {number_power, "_operator.pow"},
      {of_tensor, "count", "sym_numel"},
  };
}

}  // namespace pt2
