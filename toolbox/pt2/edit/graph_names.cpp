#include "pt2/edit/graph_names.h"

#include <algorithm>
#include <iterator>

#include "schemagen/base/ascii.h"

namespace pt2 {
namespace {

using schemagen::is_digit;
using schemagen::is_letter;

/// Python 3.11's keywords and builtins, and names that FX reserves.
constexpr std::string_view kReserved[] = {
    "NoneType", "abs",       "all",        "and",        "any",        "as",      "ascii",     "assert",
    "async",    "await",     "bin",        "bool",       "break",      "bytes",   "chr",       "class",
    "compile",  "complex",   "continue",   "copyright",  "credits",    "def",     "del",       "delattr",
    "device",   "dict",      "dir",        "divmod",     "elif",       "else",    "enumerate", "eval",
    "except",   "exec",      "exit",       "filter",     "finally",    "float",   "for",       "format",
    "from",     "frozenset", "fx_pytree",  "getattr",    "global",     "globals", "hasattr",   "hash",
    "help",     "hex",       "id",         "if",         "import",     "in",      "inf",       "input",
    "int",      "is",        "isinstance", "issubclass", "iter",       "lambda",  "len",       "license",
    "list",     "locals",    "map",        "max",        "memoryview", "min",     "nan",       "next",
    "nonlocal", "not",       "object",     "oct",        "open",       "or",      "ord",       "pass",
    "pow",      "print",     "property",   "pytree",     "quit",       "raise",   "range",     "repr",
    "return",   "reversed",  "round",      "set",        "setattr",    "slice",   "sorted",    "staticmethod",
    "str",      "sum",       "super",      "torch",      "try",        "tuple",   "type",      "vars",
    "while",    "with",      "yield",      "zip",
};

}  // namespace

bool is_reserved_name(std::string_view name) noexcept {
  return std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved);
}

std::string node_name_of(std::string_view target) {
  // FX omits their overload.
  if (target == "torch.ops.aten.sym_size.int") return "sym_size_int";
  if (target == "torch.ops.aten._assert_scalar.default") return "_assert_scalar_default";
  constexpr std::string_view kOperators = "torch.ops.";
  constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
  const bool has_overload = target.substr(0, kOperators.size()) == kOperators &&
                            target.substr(0, kHigherOrder.size()) != kHigherOrder;
  if (has_overload) target = target.substr(0, target.rfind('.'));
  return std::string(target.substr(target.rfind('.') + 1));
}

std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name) {
  std::string name(prefix);
  for (const char c : fully_qualified_name) {
    name += is_letter(c) || is_digit(c) ? schemagen::lower(c) : '_';
  }
  return name;
}

}  // namespace pt2
