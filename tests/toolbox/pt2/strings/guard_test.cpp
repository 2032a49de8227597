// Guards are expressions over the inputs.
#include <catch2/catch.hpp>

#include "pt2/strings/expression_value.h"
#include "schemagen/base/error.h"

TEST_CASE("a guard is an expression over its input accesses") {
  const pt2::Expression guard = pt2::parse_expression(
      "(L['x'].size()[0] // 2) != 1 and (L['y'].size()[1] <= L['x'].size()[0] and n % 2 == 0)");
  CHECK(pt2::expression_text(guard.operands.at(0)) == "L['x'].size()[0]//2 != 1");
  std::vector<std::string> names;
  for_each_symbol(guard, [&](std::string_view name) { names.emplace_back(name); });
  CHECK(names == std::vector<std::string>{"L['x'].size()[0]", "L['y'].size()[1]", "L['x'].size()[0]", "n"});
  const pt2::Bindings values = {{"L['x'].size()[0]", 6}, {"L['y'].size()[1]", 5}, {"n", 4}};
  CHECK(evaluate(guard, values).text() == "True");
}

TEST_CASE("a malformed guard is an error with the byte") {
  CHECK_THROWS_WITH(pt2::parse_expression("L['x'] is not None"),
                    "expected an operator or the end, got 'is' (byte 7)");
}
