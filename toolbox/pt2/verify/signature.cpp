#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/schema_info.h"
#include "pt2/text/python_name.h"
#include "pt2/text/words.h"
#include "pt2/visit.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/same_value.h"

namespace pt2 {
namespace {

constexpr const char* kSignature = "graph_module.signature";

/// NaN is the same as NaN, and -0.0 as 0.0.
template <class T>
bool is_same(const T& a, const T& b) {
  return a == b || schemagen::is_same_value(a, b);
}

template <class Spec>
void check_spec(Check& check, const SpecParts<Spec>& parts, const Argument& argument,
                const std::string& path) {
  if (parts.argument != nullptr) {
    if (!is_same(*parts.argument, argument)) {
      check.add(RuleId::signature_mismatch, path,
                "the graph has a different value or literal at this position");
    }
    return;
  }
  // Members of a constant have the same names.
  const Argument::Kind held =
      name_of(parts.kind) == "custom_obj" ? Argument::as_custom_obj : Argument::as_tensor;
  const std::string_view expected =
      parts.constant == nullptr ? name_of(held) : name_of(parts.constant->kind());
  if (name_of(argument.kind()) != expected) {
    check.add(RuleId::signature_mismatch, path,
              "expected " + std::string(expected) + " at this position of the graph, found " +
                  std::string(name_of(argument.kind())));
  } else if (parts.constant != nullptr) {
    if (is_same(constant_of(argument), *parts.constant)) return;
    check.add(RuleId::signature_mismatch, path, "the graph has a different literal at this position");
  } else if (const std::string name = names_in(argument).front(); name != *parts.name) {
    check.add(RuleId::signature_mismatch, path,
              "the graph has " + schemagen::quoted(name) + " at this position, but the spec names " +
                  schemagen::quoted(*parts.name));
  }
}

template <class Spec>
void check_specs(Check& check, const std::vector<SpecParts<Spec>>& specs,
                 const std::vector<Argument>& arguments, const char* what) {
  const std::string path = std::string(kSignature) + "." + what + "_specs";
  if (specs.size() != arguments.size()) {
    check.add(RuleId::signature_count, path,
              schemagen::counted(specs.size(), "spec") + ", but the graph has " +
                  schemagen::counted(arguments.size(), what));
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].kind == std::remove_const_t<Spec>::unset) {
      check.add(RuleId::member_missing, at_index(path, i), "no member of the spec is set");
    } else if (i < arguments.size()) {
      check_spec(check, specs[i], arguments[i], at_index(path, i));
    }
  }
}

void check_output_targets(Check& check) {
  const ExportGraphSignature& signature = check.index.signature();
  std::set<std::pair<std::string_view, std::string_view>> known;  // what the user or the model calls it
  for (const auto& parts : signature.inputs()) {
    if (parts.argument != nullptr && parts.name != nullptr) known.emplace("user input", *parts.name);
    if (parts.kind == InputSpec::buffer) known.emplace("buffer", *parts.target);
    if (parts.kind == InputSpec::parameter) known.emplace("parameter", *parts.target);
  }
  for (std::size_t i = 0; i < signature.outputs().size(); ++i) {
    const auto& parts = signature.outputs()[i];
    if (parts.target == nullptr) continue;
    const std::string noun = parts.target_is_input                       ? "user input"
                             : parts.kind == OutputSpec::buffer_mutation ? "buffer"
                                                                         : "parameter";
    if (known.count({noun, *parts.target}) != 0) continue;
    check.add(RuleId::target_unknown, at_index(std::string(kSignature) + ".output_specs", i),
              "no input is the " + noun + " " + schemagen::quoted(*parts.target));
  }
}

/// Weights cannot have these names. NAME_CODE covers methods and special names.
constexpr std::string_view kAttributesOfGraphModule =
    "_code _create_node_hooks _deepcopy_hooks _erase_node_hooks _graph _guards_fn _in_spec _lineno_map "
    "_out_spec _prologue_start _replace_hooks _tracer_cls code graph meta range_constraints shape_env "
    "validate_inputs";

/// The part that torch cannot write in code or assign. Source: _unlift_exported_program_lifted_states() in
/// torch/export/_unlift.py.
std::string_view reserved_part(std::string_view target) {
  const std::string_view first = target.substr(0, target.find('.'));
  if (has_word(kAttributesOfGraphModule, first)) return first;
  while (true) {
    const std::size_t dot = target.find('.');
    if (is_keyword(target.substr(0, dot))) return target.substr(0, dot);
    if (dot == target.npos) return {};
    target.remove_prefix(dot + 1);
  }
}

void check_input_targets(Check& check) {
  const ExportGraphSignature& signature = check.index.signature();
  const auto& inputs = signature.inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].target == nullptr) continue;
    const std::string path = at_index(std::string(kSignature) + ".input_specs", i);
    if (inputs[i].target->empty())
      check.add(RuleId::target_empty, path, "expected the name of a weight in the model");
    if (const std::string_view reserved = reserved_part(*inputs[i].target); !reserved.empty()) {
      check.add(
          RuleId::target_reserved, path,
          schemagen::quoted(reserved) + " in " + schemagen::quoted(*inputs[i].target) +
              (is_keyword(reserved) ? " is a Python keyword" : " is an attribute of every GraphModule"));
    }
    if (signature.input_of_target(*inputs[i].target) != inputs[i].name) {
      check.add(RuleId::target_repeated, path,
                "another input also has the target " + schemagen::quoted(*inputs[i].target));
    }
  }
}

/// In nativert's order; negative: anywhere, as for user inputs.
int input_group(const SpecParts<const InputSpec>& parts) {
  if (is_users(parts.kind)) return -1;
  return 2 * spec_kind(parts.kind).torch_rank + (parts.persistent == false ? 1 : 0);
}

void check_order(Check& check) {
  const ExportGraphSignature& signature = check.index.signature();
  int group = 0;
  bool has_loss = false;
  for (std::size_t i = 0; i < signature.outputs().size(); ++i) {
    const OutputSpec::Kind kind = signature.outputs()[i].kind;
    // torch takes outputs by position.
    const int next = kind == OutputSpec::token ? 0 : is_mutation(kind) ? 1 : 2;
    if (next < group) {
      check.add(RuleId::output_order, at_index(std::string(kSignature) + ".output_specs", i),
                "expected tokens first, then mutations, then user outputs");
    }
    group = std::max(group, next);
    if (kind == OutputSpec::loss_output && std::exchange(has_loss, true)) {
      check.add(RuleId::loss_repeated, at_index(std::string(kSignature) + ".output_specs", i),
                "expected at most one loss, found a second");
    }
  }
  group = 0;
  for (std::size_t i = 0; i < signature.inputs().size(); ++i) {
    const int next = input_group(signature.inputs()[i]);
    if (next < 0) continue;
    if (next < group) {
      check.add(
          RuleId::nativert_order, at_index(std::string(kSignature) + ".input_specs", i),
          "expected nativert's order: tokens, parameters, persistent buffers, other buffers, constants, "
          "objects");
      return;
    }
    group = next;
  }
}

}  // namespace

void check_signature(Check& check) {
  const Graph& graph = check.program.graph_module.graph;
  const ExportGraphSignature& signature = check.index.signature();
  check_specs(check, signature.inputs(), graph.inputs, "input");
  check_specs(check, signature.outputs(), graph.outputs, "output");
  check_input_targets(check);
  check_output_targets(check);
  check_order(check);
}

}  // namespace pt2
