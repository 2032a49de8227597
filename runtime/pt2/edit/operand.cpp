#include "pt2/edit/operand.h"

#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

Argument argument_of(const Value& value) {
  using Table = ValueName::Table;
  switch (value.table) {
    case Table::tensors:
      return Argument(TensorArgument{value.name});
    case Table::sym_ints:
      return Argument(SymIntArgument::of<SymIntArgument::as_name>(value.name));
    case Table::sym_floats:
      return Argument(SymFloatArgument::of<SymFloatArgument::as_name>(value.name));
    case Table::sym_bools:
      return Argument(SymBoolArgument::of<SymBoolArgument::as_name>(value.name));
    case Table::custom_objects:
      break;
  }
  throw schemagen::UsageError("the custom object " + schemagen::quoted(value.name) +
                              " is given as an Argument, with its class");
}

}  // namespace

Operand::Operand(const Value& value) : held_(argument_of(value)) {}

}  // namespace pt2
