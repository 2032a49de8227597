// Arguments: they fit the operator's schema.
#include <algorithm>
#include <array>
#include <set>

#include "pt2/graph/operator_schema.h"
#include "pt2/graph/operators.h"
#include "pt2/schema_info.h"
#include "pt2/verify/check.h"

namespace pt2 {
namespace {

bool is_one_of(Argument::Kind kind, std::initializer_list<Argument::Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_number(Argument::Kind kind) {
  using A = Argument;
  return is_one_of(kind, {A::as_int, A::as_float, A::as_bool, A::as_complex, A::as_sym_int, A::as_sym_float,
                          A::as_sym_bool});
}

/// Whether `argument` is a list without items. It may be of any kind: torch up to 2.1 wrote as_bools, today's
/// writes as_ints.
bool is_empty_list(const Argument& argument) {
  const auto* const ints = argument.get_if<Argument::as_ints>();
  const auto* const bools = argument.get_if<Argument::as_bools>();
  return (ints != nullptr && ints->empty()) || (bools != nullptr && bools->empty());
}

/// Whether a list can be one of `items`.
bool fits_list(const Argument& argument, const OperatorType& items) {
  using A = Argument;
  const A::Kind kind = argument.kind();
  if (is_empty_list(argument)) return true;
  const OperatorType& item = without_optional(items);
  switch (item.kind) {
    case OperatorTypeKind::Tensor:
      return is_one_of(kind, {A::as_tensors, A::as_optional_tensors});
    case OperatorTypeKind::int_:
    case OperatorTypeKind::SymInt:
      return is_one_of(kind, {A::as_ints, A::as_sym_ints});
    case OperatorTypeKind::float_:
    case OperatorTypeKind::Scalar:
      return is_one_of(kind, {A::as_ints, A::as_floats, A::as_bools, A::as_sym_ints, A::as_sym_floats});
    case OperatorTypeKind::bool_:
      return is_one_of(kind, {A::as_bools, A::as_sym_bools});
    case OperatorTypeKind::str:
      return kind == A::as_strings;
    default:
      return true;
  }
}

/// Whether `argument` can be what the schema says. Types of which nothing is known take all.
bool fits(const Argument& argument, const OperatorType& type) {
  using A = Argument;
  const A::Kind kind = argument.kind();
  switch (type.kind) {
    case OperatorTypeKind::optional:
      return kind == A::as_none || fits(argument, type.items->front());
    case OperatorTypeKind::list:
      // Of int[2], one int is both.
      return fits_list(argument, type.items->front()) || (type.size && fits(argument, type.items->front()));
    case OperatorTypeKind::Tensor:  // a number becomes one
      return is_one_of(kind, {A::as_tensor, A::as_optional_tensor}) || is_number(kind);
    case OperatorTypeKind::Scalar:
      return is_number(kind) || kind == A::as_tensor;
    case OperatorTypeKind::int_:
    case OperatorTypeKind::SymInt:
      return is_one_of(kind, {A::as_int, A::as_sym_int, A::as_bool, A::as_scalar_type, A::as_tensor});
    case OperatorTypeKind::float_:
      return is_one_of(kind, {A::as_float, A::as_int, A::as_sym_float, A::as_sym_int, A::as_tensor});
    case OperatorTypeKind::bool_:
      return is_one_of(kind, {A::as_bool, A::as_sym_bool, A::as_int, A::as_tensor});
    case OperatorTypeKind::str:
      return kind == A::as_string;
    case OperatorTypeKind::ScalarType:
      return is_one_of(kind, {A::as_scalar_type, A::as_int});
    case OperatorTypeKind::Layout:
      return is_one_of(kind, {A::as_layout, A::as_int});
    case OperatorTypeKind::MemoryFormat:
      return is_one_of(kind, {A::as_memory_format, A::as_int});
    case OperatorTypeKind::Device:
      return is_one_of(kind, {A::as_device, A::as_string});
    default:
      return true;
  }
}

/// Whether the operator writes to an argument, as its schema says.
bool is_mutable(const Operator& op) {
  return std::any_of(op.arguments.begin(), op.arguments.end(), [](const OperatorArgument& argument) {
    return argument.alias && argument.alias->is_write;
  });
}

class OperatorCheck {
 public:
  OperatorCheck(Check& check, const Check::Scope& scope, std::uint32_t node, const Operator& op)
      : check_(check), scope_(scope), number_(node), node_(scope.index.graph().nodes[node]), op_(op) {}

  void check_inputs() {
    std::vector<bool> is_given(op_.arguments.size(), false);
    for (std::uint32_t input = 0; input < node_.inputs.size(); ++input) {
      const std::string& name = node_.inputs[input].name;
      const std::size_t at = place(name, input);
      if (at < is_given.size()) {
        is_given[at] = true;
        check_input(input, op_.arguments[at]);
      } else if (!op_.takes_more) {
        add("ARGUMENT_UNKNOWN", input,
            name.empty() ? "the operator takes " + std::to_string(op_.arguments.size()) + " arguments"
                         : "the operator has no argument " + quoted(name));
      }
      // Functions get their arguments by position.
      if (name.empty() && op_.kind == OperatorKind::overload) {
        add("ARGUMENT_UNNAMED", input, "an operator gets its arguments by name");
      }
    }
    for (std::size_t i = 0; i < is_given.size(); ++i) {
      if (is_given[i] || op_.arguments[i].default_value) continue;
      check_.add("ARGUMENT_MISSING", check_.path_of(scope_, number_) + ".inputs",
                 "the operator needs an argument " + quoted(op_.arguments[i].name));
    }
  }

  void check_results() {
    if (op_.kind != OperatorKind::overload || op_.returns_more) return;
    if (node_.outputs.size() == op_.returns.size()) return;
    check_.add("RESULT_COUNT", check_.path_of(scope_, number_) + ".outputs",
               "expected as many results as the operator has, " + std::to_string(op_.returns.size()) +
                   ", found " + std::to_string(node_.outputs.size()));
  }

 private:
  std::size_t place(const std::string& name, std::uint32_t input) const {
    if (name.empty()) return input;
    const auto found = std::find_if(op_.arguments.begin(), op_.arguments.end(),
                                    [&](const OperatorArgument& argument) { return argument.name == name; });
    return static_cast<std::size_t>(found - op_.arguments.begin());
  }

  void check_input(std::uint32_t input, const OperatorArgument& declared) {
    const NamedArgument& given = node_.inputs[input];
    if (given.arg.kind() != Argument::unset && !fits(given.arg, declared.type)) {
      add("ARGUMENT_TYPE", input,
          "expected " + schema_text(declared.type) + " for " + quoted(declared.name) + ", found " +
              std::string(name_of(given.arg.kind())));
    }
    if (declared.is_keyword_only && given.kind == ArgumentKind::POSITIONAL) {
      add("ARGUMENT_KIND", input, quoted(declared.name) + " can be given by keyword only");
    }
  }

  void add(const char* rule, std::uint32_t input, std::string message) {
    check_.add(rule, check_.path_of_input(scope_, number_, input), std::move(message));
  }

  Check& check_;
  const Check::Scope& scope_;
  std::uint32_t number_;
  const Node& node_;
  const Operator& op_;
};

/// Whether all operators of the target's namespace are known.
bool is_known_namespace(std::string_view target) {
  constexpr std::array<std::string_view, 5> kNamespaces = {"torch.ops.aten.", "torch.ops.prims.",
                                                           "torch.ops.higher_order.", "_operator.", "math."};
  return std::any_of(kNamespaces.begin(), kNamespaces.end(),
                     [&](std::string_view prefix) { return target.substr(0, prefix.size()) == prefix; });
}

void check_unknown(Check& check, const Check::Scope& scope, std::uint32_t node) {
  const std::string& target = scope.index.graph().nodes[node].target;
  const std::string path = check.path_of(scope, node) + ".target";
  if (is_known_namespace(target)) {
    check.add("OPERATOR_MISSING", path, "torch 2.1 to 2.15 have no " + quoted(target));
  } else {
    check.add("OPERATOR_UNKNOWN", path, "nothing is known of " + quoted(target));
  }
}

}  // namespace

void check_arguments(Check& check) {
  const std::vector<std::string>& verifiers = check.program().verifiers;
  const bool must_be_functional = std::any_of(
      verifiers.begin(), verifiers.end(), [](const std::string& dialect) { return dialect != "TRAINING"; });
  for (const Check::Scope& scope : check.index().scopes()) {
    const std::vector<Node>& nodes = scope.index.graph().nodes;
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      const Operator* const op = find_operator(nodes[node].target);
      if (op == nullptr) {
        if (is_target(nodes[node].target)) check_unknown(check, scope, node);
        continue;
      }
      if (must_be_functional && is_mutable(*op)) {
        check.add("NOT_FUNCTIONAL", check.path_of(scope, node) + ".target",
                  "the operator writes to an argument, which only programs of the dialect TRAINING may do");
      }
      if (op->kind == OperatorKind::higher_order) continue;
      OperatorCheck node_check(check, scope, node, *op);
      node_check.check_inputs();
      node_check.check_results();
    }
  }
}

}  // namespace pt2
