#include "pt2/operators/operator_schema.h"

#include <catch2/catch.hpp>
#include <string>

#include "schemagen/base/error.h"

using pt2::parse_operator;
using pt2::schema_text;
using pt2::operators::OperatorKind;
using pt2::operators::OperatorTypeKind;
using pt2::operators::OperatorValue;

namespace {

std::string error_of(const std::string& schema) {
  try {
    parse_operator(schema);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a schema string has names, types, default values and keyword-only arguments") {
  const pt2::Operator op =
      parse_operator("my::scale(Tensor x, int[2] dims=1, *, float a=2, str? mode=None) -> Tensor y");
  CHECK(op.target == "torch.ops.my.scale.default");
  CHECK(op.kind == OperatorKind::overload);
  REQUIRE(op.arguments.size() == 4);
  CHECK(op.arguments[0].name == "x");
  CHECK(op.arguments[0].type.kind == OperatorTypeKind::Tensor);
  CHECK_FALSE(op.arguments[0].default_value);
  CHECK(op.arguments[1].type.size == 2);
  CHECK(op.arguments[1].default_value->get<OperatorValue::as_ints>() == std::vector<std::int64_t>{1, 1});
  CHECK_FALSE(op.arguments[1].is_keyword_only);
  CHECK(op.arguments[2].default_value->get<OperatorValue::as_float>() == 2.0);
  CHECK(op.arguments[2].is_keyword_only);
  CHECK(op.arguments[3].default_value->kind() == OperatorValue::as_none);
  REQUIRE(op.returns.size() == 1);
  CHECK(op.returns[0].name == "y");
}

TEST_CASE("aliases describe shared and written memory") {
  const pt2::Operator op =
      parse_operator("my::op(Tensor(a!) x, Tensor(b -> *) y, Tensor(c!)[] z) -> (Tensor(a!), Tensor(*)[])");
  CHECK(op.arguments[0].alias->is_write);
  CHECK(op.arguments[0].alias->before == std::vector<std::string>{"a"});
  CHECK_FALSE(op.arguments[1].alias->is_write);
  CHECK(op.arguments[1].alias->after == std::vector<std::string>{"*"});
  CHECK(op.arguments[2].alias->is_of_items);
  CHECK(op.returns[1].alias->is_of_items);
}

TEST_CASE("the name determines the kind of operator") {
  CHECK(parse_operator("aten::add.Tensor(Tensor self) -> Tensor").target == "torch.ops.aten.add.Tensor");
  CHECK(parse_operator("higher_order::cond(Any pred, ...) -> ...").target == "torch.ops.higher_order.cond");
  CHECK(parse_operator("higher_order::cond(Any pred, ...) -> ...").kind == OperatorKind::higher_order);
  CHECK(parse_operator("torch.sym_max(Scalar a, Scalar b) -> Scalar").kind == OperatorKind::function);
}

TEST_CASE("parsing and printing an operator restores the schema string") {
  for (const char* schema :
       {"my::op() -> ()",
        "my::op.out(Tensor(a!)[] x, (int, Dict(str, t))[] y, *, str s=\"a\\\"\\n\") -> (str, int)",
        "my::op(...) -> ...", "math.trunc(Scalar x) -> int", "higher_order::map_impl(Any f, ...) -> ...",
        "higher_order::scan(Any f, int dim=0, (Any) more) -> ...",
        "my::op(__torch__.torch.classes.rnn.CellParamsBase[] p, bool[] b=[True, False]) -> Tensor(a|b)?"}) {
    CHECK(schema_text(parse_operator(schema)) == schema);
  }
}

TEST_CASE("malformed schema strings are errors with the byte and the expectation") {
  CHECK(error_of("scale(Tensor x) -> Tensor") ==
        "operator schema: expected '::' after the namespace, got '(' (byte 5)");
  CHECK(error_of("my::scale(Tensor x -> Tensor") ==
        "operator schema: expected ',' or ')' after an argument, got '-' (byte 19)");
  CHECK(error_of("my::scale(Tensr x) -> Tensor") == "operator schema: unknown type 'Tensr' (byte 10)");
  CHECK(error_of("my::scale(Tensor x, int x) -> Tensor") ==
        "operator schema: duplicate argument 'x' (byte 24)");
  CHECK(error_of("my::scale(int x=1, int y) -> Tensor") ==
        "operator schema: argument 'y' needs a default value, because the argument before it has one (byte "
        "23)");
  CHECK(error_of("my::scale(int x=1.5) -> Tensor") ==
        "operator schema: default value '1.5' does not fit 'int' (byte 16)");
  CHECK(error_of("my::scale(int x=99999999999999999999) -> Tensor") ==
        "operator schema: '99999999999999999999' is not a 64-bit number (byte 16)");
  CHECK(error_of("my::scale(str x=\"a) -> Tensor") == "operator schema: unterminated string (byte 16)");
  CHECK(error_of("my::scale(Tensor x) -> Tensor y z") ==
        "operator schema: expected the end, got 'z' (byte 32)");
  CHECK(error_of("my::scale(Tensor x)") == "operator schema: expected '->', got the end (byte 19)");
  CHECK(error_of("my::scale(int[1000000000] x=1) -> ()") ==
        "operator schema: expected a size from 1 to 64 (byte 14)");
  CHECK(error_of("my::op(Tensor(a)[](b) x) -> ()") == "operator schema: unexpected second alias (byte 18)");
  CHECK(error_of("") == "operator schema: expected the operator's name, got the end (byte 0)");
}

TEST_CASE("deeply nested types are errors") {
  std::string brackets = "my::op(int";
  std::string tuples = "my::op(";
  for (int i = 0; i < 100000; ++i) brackets += "[]";
  for (int i = 0; i < 100000; ++i) tuples += "(";
  CHECK(error_of(brackets).find("nested too deep") != std::string::npos);
  CHECK(error_of(tuples).find("nested too deep") != std::string::npos);
}
