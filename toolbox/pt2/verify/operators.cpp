#include "pt2/verify/check.h"

#include <algorithm>
#include <array>

#include "pt2/graph/argument_form.h"
#include "pt2/nodes/moved_operators.h"
#include "pt2/schema_info.h"
#include "pt2/text/python_name.h"

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

bool has_prefix(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_target(std::string_view target) {
  if (has_prefix(target, "#")) {  // of an extension: #namespace:name
    const std::size_t colon = target.find(':');
    return colon != target.npos && colon > 1 && target.find(':', colon + 1) == target.npos;
  }
  const std::size_t names = count_names(target);
  // torch.ops.aten.add.Tensor; higher-order operators have no overload.
  if (has_prefix(target, "torch.ops.")) return names == 4 || names == 5;
  return names >= 2 &&
         (has_prefix(target, "torch.") || has_prefix(target, "_operator.") || has_prefix(target, "math."));
}

void add_target(Check& check, const std::string& target, const std::string& path) {
  check.add(
      RuleId::target_syntax, path,
      "expected 'torch.ops.namespace.name.overload', or a function from torch, _operator or math, found " +
          schemagen::quoted(target));
}

template <class Path>
void check_enum(Check& check, const Argument& argument, const Path& path) {
  if (const auto* dtype = argument.get_if<Argument::as_scalar_type>()) {
    const std::string unknown = unknown_number(*dtype);
    if (unknown.empty()) return;
    check.add(RuleId::enum_unknown, path() + ".as_scalar_type", "unknown dtype " + unknown);
  } else if (const auto* format = argument.get_if<Argument::as_memory_format>()) {
    const std::string unknown = unknown_number(*format);
    if (unknown.empty()) return;
    check.add(RuleId::enum_unknown, path() + ".as_memory_format", "unknown memory format " + unknown);
  } else if (const auto* layout = argument.get_if<Argument::as_layout>()) {
    const std::string unknown = unknown_number(*layout);
    if (unknown.empty()) return;
    check.add(RuleId::enum_unknown, path() + ".as_layout", "unknown layout " + unknown);
  }
}

void check_inputs(Check& check, const NodePlace& place) {
  for (std::uint32_t input = 0; input < place.node.inputs.size(); ++input) {
    const Argument& argument = place.node.inputs[input].arg;
    const auto path = [&] { return check.path_of_input(place.scope, place.number, input); };
    if (const auto* callee = argument.get_if<Argument::as_operator>()) {
      if (!is_target(*callee)) add_target(check, *callee, path() + ".as_operator");
    } else if (const auto* device = argument.get_if<Argument::as_device>()) {
      check_device(check, *device, [&] { return path() + ".as_device"; });
    } else {
      check_enum(check, argument, path);
    }
  }
}

bool is_result(const Argument& argument) {
  switch (form_of(argument.kind())) {
    case ArgumentForm::none:
    case ArgumentForm::value:
    case ArgumentForm::values:
      return true;
    case ArgumentForm::literals:
      return argument.is<Argument::as_ints>();
    case ArgumentForm::literal:
    case ArgumentForm::dict:
      break;
  }
  return false;
}

void check_results(Check& check, const NodePlace& place) {
  const std::vector<Argument>& outputs = place.node.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (is_result(outputs[i])) continue;
    check.add(RuleId::result_kind, at_index(check.path_of(place.scope, place.number) + ".outputs", i),
              "expected a value, found " + std::string(name_of(outputs[i].kind())));
  }
}

/// torch stores no metadata for a node without results. Its verifier accepts that only for operators whose
/// schema has none (_check_val() in torch/_export/verifier.py), and never for functions and higher-order
/// operators.
void check_has_result(Check& check, const NodePlace& place) {
  if (!place.node.outputs.empty()) return;
  const Operator* const op = place.op;
  const bool may_have_none = op == nullptr ? has_prefix(place.node.target, "torch.ops.") &&
                                                 !has_prefix(place.node.target, "torch.ops.higher_order.")
                                           : op->kind == OperatorKind::overload && op->returns.empty();
  if (may_have_none || place.node.target.empty() || place.node.target[0] == '#') return;
  check.add(RuleId::result_count, Severity::error, check.path_of(place.scope, place.number) + ".outputs",
            "the node has no results, but " + schemagen::quoted(place.node.target) + " returns some");
}

std::string releases_text() {
  const OperatorReleases& releases = operator_releases();
  return "torch " + std::string(releases.first) + " to " + std::string(releases.last);
}

bool is_known_namespace(std::string_view target) {
  constexpr std::array<std::string_view, 5> kNamespaces = {"torch.ops.aten.", "torch.ops.prims.",
                                                           "torch.ops.higher_order.", "_operator.", "math."};
  return std::any_of(kNamespaces.begin(), kNamespaces.end(),
                     [&](std::string_view prefix) { return has_prefix(target, prefix); });
}

void check_unknown(Check& check, const NodePlace& place) {
  const std::string& target = place.node.target;
  const std::string path = check.path_of(place.scope, place.number) + ".target";
  if (!is_target(target)) {
    add_target(check, target, path);
  } else if (is_known_namespace(target)) {
    check.add(RuleId::operator_missing, path, releases_text() + " have no " + schemagen::quoted(target));
  } else {
    check.add(RuleId::operator_unknown, path, "unknown operator " + schemagen::quoted(target));
  }
}

void check_moved(Check& check, const NodePlace& place) {
  const MovedOperator* const moved =
      find_moved(place.node, place.scope.index.graph(), operator_releases().schemas);
  if (moved == nullptr) return;
  check.add(RuleId::operator_moved, check.path_of(place.scope, place.number) + ".target",
            schemagen::quoted(place.node.target) + " " + moved_text(*moved));
}

}  // namespace

void check_verifiers(Check& check) {
  constexpr std::array<std::string_view, 4> kKnown = {"", "ATEN", "TRAINING", "EDGE"};
  const std::vector<std::string>& verifiers = check.program().verifiers;
  for (std::size_t i = 0; i < verifiers.size(); ++i) {
    if (std::find(kKnown.begin(), kKnown.end(), verifiers[i]) != kKnown.end()) continue;
    check.add(RuleId::verifier_unknown, at_index("verifiers", i),
              "torch has no dialect " + schemagen::quoted(verifiers[i]));
  }
}

void check_operator(Check& check, const NodePlace& place) {
  if (place.op == nullptr) check_unknown(check, place);
  check_moved(check, place);
  check_inputs(check, place);
  check_results(check, place);
  check_has_result(check, place);
}

}  // namespace pt2
