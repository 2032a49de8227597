#include "pt2/text/guard.h"

#include <algorithm>
#include <utility>

#include "schemagen/value/error.h"

namespace pt2 {
namespace {

void add_terms(Expression condition, std::vector<Expression>& terms) {
  if (!condition.is_call("And")) return terms.push_back(std::move(condition));
  for (Expression& operand : condition.operands) add_terms(std::move(operand), terms);
}

}  // namespace

Guard read_guard(std::string text) {
  Guard guard;
  guard.text = std::move(text);
  try {
    Expression condition = parse_expression(guard.text);
    for_each_symbol(condition, [&](std::string_view name) {
      const bool is_new = std::find(guard.names.begin(), guard.names.end(), name) == guard.names.end();
      if (is_new) guard.names.emplace_back(name);
    });
    add_terms(std::move(condition), guard.terms);
  } catch (const schemagen::DataError& error) {
    guard.error = error.what();
  }
  return guard;
}

}  // namespace pt2
