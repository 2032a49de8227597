#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/nodes/argument_fit.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/operators/operators.h"
#include "pt2/schema_info.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

bool is_mutable(const Operator& op) {
  return std::any_of(op.arguments.begin(), op.arguments.end(), [](const OperatorArgument& argument) {
    return argument.alias && argument.alias->is_write;
  });
}

class ArgumentCheck {
 public:
  ArgumentCheck(Check& check, const NodePlace& place)
      : check_(check), place_(place), inputs_(place.node.inputs), op_(*place.op) {
    // Most nodes give the first arguments in schema order.
    const std::size_t most = std::min(inputs_.size(), op_.arguments.size());
    while (in_order_ < most &&
           (inputs_[in_order_].name.empty() || inputs_[in_order_].name == op_.arguments[in_order_].name)) {
      ++in_order_;
    }
  }

  bool are_all_in_order() const { return in_order_ == inputs_.size(); }

  void check_inputs() {
    for (std::uint32_t input = 0; input < inputs_.size(); ++input) {
      const std::string& name = inputs_[input].name;
      const std::size_t at = position(input);
      // torch passes extra arguments on by keyword only.
      const bool is_more =
          op_.takes_more && (name.empty() || inputs_[input].kind != ArgumentKind::POSITIONAL);
      if (at < op_.arguments.size()) {
        check_input(input, op_.arguments[at]);
      } else if (!is_more) {
        add(RuleId::argument_unknown, input,
            name.empty() ? "expected at most " + schemagen::counted(op_.arguments.size(), "argument")
                         : "the operator has no argument " + schemagen::quoted(name));
      }
      // Functions take positional arguments.
      if (name.empty() && op_.kind == OperatorKind::overload) {
        add(RuleId::argument_unnamed, input, "an operator argument has no name");
      }
    }
  }

  void check_missing() {
    for (std::size_t i = in_order_; i < op_.arguments.size(); ++i) {
      const OperatorArgument& declared = op_.arguments[i];
      if (declared.default_value) continue;
      const auto is_it = [&](const NamedArgument& input) { return input.name == declared.name; };
      if (i < inputs_.size() && inputs_[i].name.empty()) continue;
      if (std::any_of(inputs_.begin(), inputs_.end(), is_it)) continue;
      check_.add(RuleId::argument_missing, check_.path_of(place_.scope, place_.number) + ".inputs",
                 "missing required argument " + schemagen::quoted(declared.name));
    }
  }

  void check_result_count() {
    const std::size_t results = place_.node.outputs.size();
    if (op_.kind != OperatorKind::overload || op_.returns_more || results == op_.returns.size()) return;
    if (results == 0) return;
    check_.add(RuleId::result_count, check_.path_of(place_.scope, place_.number) + ".outputs",
               "result count (" + std::to_string(results) + ") differs from the operator's (" +
                   std::to_string(op_.returns.size()) + ")");
  }

 private:
  std::size_t position(std::size_t input) const {
    const std::string& name = inputs_[input].name;
    return input < in_order_ || name.empty() ? input : argument_position(op_, name);
  }

  void check_input(std::uint32_t input, const OperatorArgument& declared) {
    const NamedArgument& given = inputs_[input];
    if (given.arg.kind() != Argument::unset && !fits(given.arg, declared.type)) {
      add(RuleId::argument_type, input,
          "expected " + schema_text(declared.type) + " for " + schemagen::quoted(declared.name) + ", found " +
              std::string(name_of(given.arg.kind())));
    }
    if (declared.is_keyword_only && given.kind == ArgumentKind::POSITIONAL) {
      add(RuleId::argument_kind, input,
          "the keyword-only argument " + schemagen::quoted(declared.name) + " is passed by position");
    }
  }

  void add(RuleId rule, std::uint32_t input, std::string message) {
    check_.add(rule, check_.path_of_input(place_.scope, place_.number, input), std::move(message));
  }

  Check& check_;
  const NodePlace& place_;
  const std::vector<NamedArgument>& inputs_;
  const Operator& op_;
  std::size_t in_order_ = 0;
};

void check_repeated(Check& check, const NodePlace& place) {
  const std::vector<NamedArgument>& inputs = place.node.inputs;
  std::vector<std::pair<std::string_view, std::uint32_t>> names;
  for (std::uint32_t input = 0; input < inputs.size(); ++input) {
    if (!inputs[input].name.empty()) names.emplace_back(inputs[input].name, input);
  }
  std::sort(names.begin(), names.end());
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i].first != names[i - 1].first) continue;
    check.add(RuleId::argument_repeated, check.path_of_input(place.scope, place.number, names[i].second),
              "the argument " + schemagen::quoted(names[i].first) + " is passed twice");
  }
}

/// Only the TRAINING dialect allows writes.
bool must_be_functional(const ExportedProgram& program) {
  return std::any_of(program.verifiers.begin(), program.verifiers.end(),
                     [](const std::string& dialect) { return dialect != "TRAINING"; });
}

}  // namespace

void check_arguments(Check& check, const NodePlace& place) {
  if (place.op == nullptr) return check_repeated(check, place);
  if (is_mutable(*place.op) && must_be_functional(check.program())) {
    check.add(RuleId::not_functional, check.path_of(place.scope, place.number) + ".target",
              "the operator writes to an argument, which requires the TRAINING dialect");
  }
  ArgumentCheck arguments(check, place);
  if (!arguments.are_all_in_order()) check_repeated(check, place);
  arguments.check_inputs();
  arguments.check_missing();
  arguments.check_result_count();
}

}  // namespace pt2
