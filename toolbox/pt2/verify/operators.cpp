#include "pt2/verify/check.h"

#include <algorithm>
#include <iterator>

#include "pt2/nodes/argument_fit.h"
#include "pt2/nodes/moved_operators.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/text/python_name.h"
#include "pt2/text/words.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

std::size_t count_names(std::string_view text) {
  std::size_t count = 0;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return 0;
    ++count;
    if (dot == text.npos) return count;
    text.remove_prefix(dot + 1);
  }
}

bool is_target(std::string_view target) {
  if (starts_with(target, "#")) {  // of an extension: #namespace:name
    const std::size_t colon = target.find(':');
    return colon != target.npos && colon > 1 && target.find(':', colon + 1) == target.npos;
  }
  const std::size_t names = count_names(target);
  // torch.ops.aten.add.Tensor; higher-order operators have no overload.
  if (starts_with(target, "torch.ops.")) return names == 4 || names == 5;
  return names >= 2 &&
         (starts_with(target, "torch.") || starts_with(target, "_operator.") || starts_with(target, "math."));
}

std::string wrong_target(const std::string& target) {
  return "expected 'torch.ops.namespace.name.overload', or a function from torch, _operator or math, found " +
         schemagen::quoted(target);
}

template <class Path>
void check_enum(Check& check, const Argument& argument, const Path& path) {
  const auto require_known = [&](const auto* value, const char* member, const char* what) {
    const std::string unknown = value == nullptr ? "" : unknown_number(*value);
    if (!unknown.empty()) check.add(RuleId::enum_unknown, path() + member, what + unknown);
  };
  require_known(argument.get_if<Argument::as_scalar_type>(), ".as_scalar_type", "unknown dtype ");
  require_known(argument.get_if<Argument::as_memory_format>(), ".as_memory_format", "unknown memory format ");
  require_known(argument.get_if<Argument::as_layout>(), ".as_layout", "unknown layout ");
}

void check_inputs(const NodePlace& place) {
  for (std::uint32_t input = 0; input < place.node.inputs.size(); ++input) {
    const Argument& argument = place.node.inputs[input].arg;
    const auto path = [&] { return place.path_of_input(input); };
    check_argument(place.check, argument, path);
    if (const auto* callee = argument.get_if<Argument::as_operator>()) {
      if (is_target(*callee)) continue;
      place.check.add(RuleId::target_syntax, path() + ".as_operator", wrong_target(*callee));
    } else if (const auto* device = argument.get_if<Argument::as_device>()) {
      report_device(*device, [&](RuleId rule, const char* member, const std::string& message) {
        place.check.add(rule, path() + ".as_device" + member, message);
      });
    } else {
      check_enum(place.check, argument, path);
    }
  }
}

bool is_result(const Argument& argument) {
  const ArgumentForm form = form_of(argument.kind());
  return form == ArgumentForm::none || form == ArgumentForm::value || form == ArgumentForm::values ||
         argument.is<Argument::as_ints>();
}

void check_results(const NodePlace& place) {
  const std::vector<Argument>& outputs = place.node.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    check_argument(place.check, outputs[i],
                   [&] { return at_index(place.check.path_of(place.scope, place.number) + ".outputs", i); });
    if (is_result(outputs[i])) continue;
    place.add(RuleId::result_kind, at_index(".outputs", i),
              "expected a value, found " + std::string(name_of(outputs[i].kind())));
  }
}

/// torch stores no metadata for a node without results. Its verifier accepts that only for operators whose
/// schema has none (_check_val() in torch/_export/verifier.py), and never for functions and higher-order
/// operators.
void check_has_result(const NodePlace& place) {
  if (!place.node.outputs.empty()) return;
  const Operator* const op = place.op;
  const bool may_have_none = op == nullptr ? starts_with(place.node.target, "torch.ops.") &&
                                                 !starts_with(place.node.target, "torch.ops.higher_order.")
                                           : op->kind == OperatorKind::overload && op->returns.empty();
  if (may_have_none || place.node.target.empty() || place.node.target[0] == '#') return;
  place.check.add(RuleId::result_count, Severity::error,
                  place.check.path_of(place.scope, place.number) + ".outputs",
                  "the node has no results, but " + schemagen::quoted(place.node.target) + " returns some");
}

bool is_known_namespace(std::string_view target) {
  constexpr std::string_view kNamespaces[] = {"torch.ops.aten.", "torch.ops.prims.",
                                              "torch.ops.higher_order.", "_operator.", "math."};
  return std::any_of(std::begin(kNamespaces), std::end(kNamespaces),
                     [&](std::string_view prefix) { return starts_with(target, prefix); });
}

void check_unknown(const NodePlace& place) {
  const std::string& target = place.node.target;
  if (!is_target(target)) {
    place.add(RuleId::target_syntax, ".target", wrong_target(target));
  } else if (is_known_namespace(target)) {
    const OperatorReleases& releases = operator_releases();
    place.add(RuleId::operator_missing, ".target",
              "torch " + std::string(releases.first) + " to " + std::string(releases.last) + " have no " +
                  schemagen::quoted(target));
  } else {
    place.add(RuleId::operator_unknown, ".target", "unknown operator " + schemagen::quoted(target));
  }
}

bool is_mutable(const Operator& op) {
  return std::any_of(op.arguments.begin(), op.arguments.end(), [](const OperatorArgument& argument) {
    return argument.alias && argument.alias->is_write;
  });
}

void check_given(const NodePlace& place, std::uint32_t input, const OperatorArgument& declared) {
  const NamedArgument& given = place.node.inputs[input];
  if (given.arg.kind() != Argument::unset && !fits(given.arg, declared.type)) {
    place.add(RuleId::argument_type, input,
              "expected " + schema_text(declared.type) + " for " + schemagen::quoted(declared.name) +
                  ", found " + std::string(name_of(given.arg.kind())));
  }
  if (declared.is_keyword_only && given.kind == ArgumentKind::POSITIONAL) {
    place.add(RuleId::argument_kind, input,
              "the keyword-only argument " + schemagen::quoted(declared.name) + " is passed by position");
  }
}

void check_result_count(const NodePlace& place) {
  const std::size_t results = place.node.outputs.size();
  const std::size_t returns = place.op->returns.size();
  const bool is_fixed = place.op->kind == OperatorKind::overload && !place.op->returns_more;
  if (!is_fixed || results == returns || results == 0) return;
  place.add(RuleId::result_count, ".outputs",
            "result count (" + std::to_string(results) + ") differs from the operator's (" +
                std::to_string(returns) + ")");
}

void check_repeated(const NodePlace& place) {
  const std::vector<NamedArgument>& inputs = place.node.inputs;
  std::vector<std::pair<std::string_view, std::uint32_t>> names;
  for (std::uint32_t input = 0; input < inputs.size(); ++input) {
    if (!inputs[input].name.empty()) names.emplace_back(inputs[input].name, input);
  }
  std::sort(names.begin(), names.end());
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i].first != names[i - 1].first) continue;
    place.add(RuleId::argument_repeated, names[i].second,
              "the argument " + schemagen::quoted(names[i].first) + " is passed twice");
  }
}

}  // namespace

void check_verifiers(Check& check) {
  const std::vector<std::string>& verifiers = check.program.verifiers;
  for (std::size_t i = 0; i < verifiers.size(); ++i) {
    if (verifiers[i].empty() || has_word("ATEN TRAINING EDGE", verifiers[i])) continue;
    check.add(RuleId::verifier_unknown, at_index("verifiers", i),
              "torch has no dialect " + schemagen::quoted(verifiers[i]));
  }
}

void check_operator(const NodePlace& place) {
  if (place.op == nullptr) check_unknown(place);
  const Node& node = place.node;
  if (const auto* moved = find_moved(node, place.scope.index.graph(), operator_releases().schemas)) {
    place.add(RuleId::operator_moved, ".target", schemagen::quoted(node.target) + " " + moved_text(*moved));
  }
  check_inputs(place);
  check_results(place);
  check_has_result(place);
}

void check_arguments(const NodePlace& place) {
  if (place.op == nullptr) return check_repeated(place);
  const Operator& op = *place.op;
  const std::vector<std::string>& dialects = place.check.program.verifiers;
  const auto allows_writes = [](const std::string& dialect) { return dialect == "TRAINING"; };
  if (is_mutable(op) && !std::all_of(dialects.begin(), dialects.end(), allows_writes)) {
    place.add(RuleId::not_functional, ".target",
              "the operator writes to an argument, which requires the TRAINING dialect");
  }
  std::vector<bool> is_given(op.arguments.size());
  bool may_repeat = false;
  for (std::uint32_t input = 0; input < place.node.inputs.size(); ++input) {
    const auto& [name, argument, kind] = place.node.inputs[input];
    const bool is_in_order = input < is_given.size() && op.arguments[input].name == name;
    const std::size_t at = name.empty() || is_in_order ? input : argument_position(op, name);
    if (at >= is_given.size()) {
      may_repeat = true;
      // torch passes extra arguments on by keyword only.
      if (!op.takes_more || (!name.empty() && kind == ArgumentKind::POSITIONAL)) {
        place.add(RuleId::argument_unknown, input,
                  name.empty() ? "expected at most " + schemagen::counted(is_given.size(), "argument")
                               : "the operator has no argument " + schemagen::quoted(name));
      }
    } else {
      check_given(place, input, op.arguments[at]);
      may_repeat = may_repeat || is_given[at];
      is_given[at] = true;
    }
    // Functions take positional arguments.
    if (name.empty() && op.kind == OperatorKind::overload) {
      place.add(RuleId::argument_unnamed, input, "an operator argument has no name");
    }
  }
  if (may_repeat) check_repeated(place);
  for (std::size_t i = 0; i < is_given.size(); ++i) {
    if (is_given[i] || op.arguments[i].default_value) continue;
    place.add(RuleId::argument_missing, ".inputs",
              "missing required argument " + schemagen::quoted(op.arguments[i].name));
  }
  check_result_count(place);
}

}  // namespace pt2
