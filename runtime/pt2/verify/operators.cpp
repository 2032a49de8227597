// Nodes: what they call, and with which arguments.
#include <algorithm>
#include <array>

#include "pt2/schema_info.h"
#include "pt2/verify/check.h"

namespace pt2 {
namespace {

bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || is_digit(c); });
}

/// How many identifiers with dots between them `text` is; 0 if it is not.
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

/// Whether torch would know where to look for an operator of this name.
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
      "TARGET_SYNTAX", path,
      "expected 'torch.ops.namespace.name.overload', or a function of torch, _operator or math, found " +
          quoted(target));
}

/// What an argument that is a number of an enum stands for is not known.
bool is_unknown_number(const Argument& argument) {
  if (const auto* dtype = argument.get_if<Argument::as_scalar_type>()) {
    return *dtype == ScalarType::UNKNOWN || name_of(*dtype).empty();
  }
  if (const auto* format = argument.get_if<Argument::as_memory_format>()) {
    return *format == MemoryFormat::Unknown || name_of(*format).empty();
  }
  if (const auto* layout = argument.get_if<Argument::as_layout>()) {
    return *layout == Layout::Unknown || name_of(*layout).empty();
  }
  return false;
}

void check_inputs(Check& check, const NodePlace& place) {
  for (std::uint32_t input = 0; input < place.node.inputs.size(); ++input) {
    const Argument& argument = place.node.inputs[input].arg;
    const auto path = [&] { return check.path_of_input(place.scope, place.number, input); };
    if (const auto* callee = argument.get_if<Argument::as_operator>()) {
      if (!is_target(*callee)) add_target(check, *callee, path() + ".as_operator");
    } else if (const auto* device = argument.get_if<Argument::as_device>()) {
      check_device(check, *device, [&] { return path() + ".as_device"; });
    } else if (is_unknown_number(argument)) {
      check.add("ENUM_UNKNOWN", path() + "." + std::string(name_of(argument.kind())),
                "this number stands for nothing that is known");
    }
  }
}

/// Whether a node can give it.
bool is_result(const Argument& argument) {
  switch (argument.kind()) {
    case Argument::unset:  // reported as such
    case Argument::as_none:
    case Argument::as_tensor:
    case Argument::as_tensors:
    case Argument::as_nested_tensors:
    case Argument::as_optional_tensor:
    case Argument::as_optional_tensors:
    case Argument::as_sym_int:
    case Argument::as_sym_ints:
    case Argument::as_sym_float:
    case Argument::as_sym_floats:
    case Argument::as_sym_bool:
    case Argument::as_sym_bools:
    case Argument::as_custom_obj:
    case Argument::as_ints:  // an empty list
      return true;
    default:
      return false;
  }
}

void check_results(Check& check, const NodePlace& place) {
  const std::vector<Argument>& outputs = place.node.outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (is_result(outputs[i])) continue;
    check.add("RESULT_KIND", at_index(check.path_of(place.scope, place.number) + ".outputs", i),
              "expected a value, found " + std::string(name_of(outputs[i].kind())));
  }
}

/// Whether all operators of the target's namespace are known.
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
    check.add("OPERATOR_MISSING", path, "torch 2.1 to 2.15 have no " + quoted(target));
  } else {
    check.add("OPERATOR_UNKNOWN", path, "nothing is known of " + quoted(target));
  }
}

}  // namespace

void check_verifiers(Check& check) {
  constexpr std::array<std::string_view, 4> kKnown = {"", "ATEN", "TRAINING", "EDGE"};
  const std::vector<std::string>& verifiers = check.program().verifiers;
  for (std::size_t i = 0; i < verifiers.size(); ++i) {
    if (std::find(kKnown.begin(), kKnown.end(), verifiers[i]) != kKnown.end()) continue;
    check.add("VERIFIER_UNKNOWN", at_index("verifiers", i), "torch has no dialect " + quoted(verifiers[i]));
  }
}

void check_operator(Check& check, const NodePlace& place) {
  if (place.op == nullptr) check_unknown(check, place);
  check_inputs(check, place);
  check_results(check, place);
}

}  // namespace pt2
