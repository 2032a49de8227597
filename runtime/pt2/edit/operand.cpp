#include "pt2/edit/builder.h"

#include "pt2/edit/graph.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

Argument argument_of(const Value& value) {
  if (value.table != ValueName::Table::custom_objects) return value_argument(value.table, value.name);
  throw schemagen::UsageError("the custom object " + schemagen::quoted(value.name) +
                              " is given as an Argument, with its class");
}

}  // namespace

Operand::Operand(const Value& value) : held_(argument_of(value)) {}

}  // namespace pt2
