#include "pt2/edit/builder.h"

#include "pt2/edit/graph.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

Argument operand_argument(const Value& value) {
  if (value.table != ValueName::Table::custom_objects) return value_argument(value.table, value.name);
  throw schemagen::UsageError("expected an Argument that names the class of the custom object " +
                              schemagen::quoted(value.name) + ", got a Value");
}

}  // namespace

Operand::Operand(const Value& value) : held_(operand_argument(value)) {}

Operand Operand::any(const std::string& name) {
  Operand operand(value_argument(ValueName::Table::tensors, name));
  operand.is_any_ = true;
  return operand;
}

}  // namespace pt2
