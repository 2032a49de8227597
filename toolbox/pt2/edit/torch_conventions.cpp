#include "pt2/edit/torch_conventions.h"

#include "pt2/operators/higher_order.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/text/affix.h"
#include "pt2/text/treespec.h"
#include "pt2/text/words.h"
#include "schemagen/base/ascii.h"

namespace pt2 {
namespace {

using schemagen::is_digit;
using schemagen::is_letter;

/// Python 3.11's keywords and builtins, and names that FX reserves.
constexpr std::string_view kReserved =
    "NoneType abs all and any as ascii assert async await bin bool break bytes chr class compile complex "
    "continue copyright credits def del delattr device dict dir divmod elif else enumerate eval except exec "
    "exit filter finally float for format from frozenset fx_pytree getattr global globals hasattr hash help "
    "hex id if import in inf input int is isinstance issubclass iter lambda len license list locals map max "
    "memoryview min nan next nonlocal not object oct open or ord pass pow print property pytree quit raise "
    "range repr return reversed round set setattr slice sorted staticmethod str sum super torch try tuple "
    "type vars while with yield zip";

}  // namespace

bool is_reserved_name(std::string_view name) noexcept {
  return has_word(kReserved, name);
}

ValueName::Table table_of(const OperatorType& type) {
  switch (without_optional(type).kind) {
    case OperatorTypeKind::int_:
    case OperatorTypeKind::SymInt:
      return ValueName::Table::sym_ints;
    case OperatorTypeKind::float_:
    case OperatorTypeKind::SymFloat:
      return ValueName::Table::sym_floats;
    case OperatorTypeKind::bool_:
    case OperatorTypeKind::SymBool:
      return ValueName::Table::sym_bools;
    default:
      return ValueName::Table::tensors;
  }
}

std::string node_name_of(std::string_view target) {
  // FX omits their overload.
  if (target == "torch.ops.aten.sym_size.int") return "sym_size_int";
  if (target == "torch.ops.aten._assert_scalar.default") return "_assert_scalar_default";
  if (starts_with(target, kOperatorPrefix) && !starts_with(target, "torch.ops.higher_order."))
    target = target.substr(0, target.rfind('.'));
  return std::string(target.substr(target.rfind('.') + 1));
}

std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name) {
  std::string name(prefix);
  for (const char c : fully_qualified_name) {
    name += is_letter(c) || is_digit(c) ? schemagen::lower(c) : '_';
  }
  return name;
}

ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs) {
  const auto leaves = [](std::size_t count) { return tuple_spec(std::vector<TreeSpec>(count)); };
  ModuleCallEntry entry;
  entry.signature.emplace();
  entry.signature->in_spec = treespec_json(tuple_spec({leaves(inputs), dict_spec({}, {})}));
  entry.signature->out_spec = treespec_json(outputs == 1 ? TreeSpec() : leaves(outputs));
  return entry;
}

ModuleCallSignature* root_signature(ExportedProgram& program) {
  std::vector<ModuleCallEntry>& calls = program.graph_module.module_call_graph;
  return calls.empty() || !calls[0].fqn.empty() || !calls[0].signature ? nullptr : &*calls[0].signature;
}

}  // namespace pt2
