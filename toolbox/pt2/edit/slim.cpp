#include "pt2/edit/slim.h"

#include <algorithm>
#include <utility>

#include "pt2/canonical/canonical.h"
#include "pt2/canonical/map_order.h"
#include "pt2/edit/graph.h"
#include "pt2/edit/passes.h"
#include "pt2/edit/placement.h"
#include "pt2/edit/slim_sizes.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

bool is_tensor_of_model(InputSpec::Kind kind) {
  return kind == InputSpec::parameter || kind == InputSpec::buffer || kind == InputSpec::tensor_constant;
}

std::vector<std::string> drop_unused(ExportedProgram& program) {
  GraphModule& module = program.graph_module;
  std::vector<InputSpec>& specs = module.signature.input_specs;
  std::vector<Argument>& inputs = module.graph.inputs;
  const GraphIndex index(module.graph);
  const schemagen::Map<bool> of_modules = module_values(module);
  schemagen::Map<bool> changed;
  for (const OutputSpec& spec : module.signature.output_specs) {
    const auto parts = parts_of(spec);
    if (parts.target != nullptr && !parts.target_is_input) changed.try_emplace(*parts.target);
  }
  const auto is_unused = [&](const InputSpec& spec) {
    if (!is_tensor_of_model(spec.kind())) return false;
    const auto parts = parts_of(spec);
    const std::uint32_t value = index.find(*parts.name);
    return value != GraphIndex::kNone && index.users(value).empty() && !of_modules.contains(*parts.name) &&
           !changed.contains(*parts.target);
  };
  std::vector<InputSpec> kept_specs;
  std::vector<Argument> kept_inputs;
  schemagen::Map<bool> gone;
  std::vector<std::string> targets;
  for (std::size_t i = 0; i < specs.size() && i < inputs.size(); ++i) {
    if (is_unused(specs[i])) {
      const auto parts = parts_of(std::as_const(specs[i]));
      gone.try_emplace(*parts.name);
      targets.push_back(*parts.target);
    } else {
      kept_specs.push_back(std::move(specs[i]));
      kept_inputs.push_back(std::move(inputs[i]));
    }
  }
  const std::size_t both = kept_specs.size() + targets.size();
  std::move(specs.begin() + static_cast<std::ptrdiff_t>(both), specs.end(), std::back_inserter(kept_specs));
  std::move(inputs.begin() + static_cast<std::ptrdiff_t>(both), inputs.end(),
            std::back_inserter(kept_inputs));
  specs = std::move(kept_specs);
  inputs = std::move(kept_inputs);
  remove_values(module.graph, gone);
  return targets;
}

void drop_stack_traces(ExportedProgram& program) {
  for_each_graph(program.graph_module.graph, [](Graph& graph) {
    for (Node& node : graph.nodes) node.metadata.erase("stack_trace");
  });
}

/// Readers ignore this order.
void sort_tables(ExportedProgram& program) {
  for_each_graph(program.graph_module.graph, [](Graph& graph) {
    for_each_table(graph, [](auto& table, ValueName::Table) { sort_by_key(table); });
    for (Node& node : graph.nodes) sort_by_key(node.metadata);
  });
  sort_by_key(program.graph_module.metadata);
  sort_by_key(program.graph_module.treespec_namedtuple_fields);
  sort_by_key(program.opset_version);
  sort_by_key(program.range_constraints);
  std::sort(program.guards_code.begin(), program.guards_code.end());
}

}  // namespace

std::string_view name_of(SlimPart part) {
  constexpr std::string_view kNames[] = {"stack-traces", "metadata", "samples", "unused", "names"};
  return kNames[static_cast<std::size_t>(part)];
}

SlimPart slim_part_named(std::string_view name) {
  std::string known;
  for (const SlimPart part : kSlimParts) {
    if (name == name_of(part)) return part;
    known += (known.empty() ? "" : ", ") + std::string(name_of(part));
  }
  throw schemagen::UsageError("unknown part " + schemagen::quoted(name) + ", expected one of " + known);
}

std::vector<std::string> slim(ExportedProgram& program, SlimPart part) {
  switch (part) {
    case SlimPart::stack_traces:
      drop_stack_traces(program);
      break;
    case SlimPart::metadata:
      take_metadata(program);
      break;
    case SlimPart::samples:
      break;
    case SlimPart::unused:
      return drop_unused(program);
    case SlimPart::names:
      program = canonicalize(std::move(program), CanonicalForm::names, Provenance::keep);
      break;
  }
  return {};
}

bool can_keep_unknown(const SlimOptions& options) {
  return std::none_of(options.parts.begin(), options.parts.end(),
                      [](SlimPart part) { return part == SlimPart::unused || part == SlimPart::names; });
}

SlimProgram slim_into(ExportedProgram& program, const std::vector<schemagen::UnknownField>& kept,
                      const SlimOptions& options, Savings& savings) {
  if (!kept.empty() && !can_keep_unknown(options)) {
    throw schemagen::DataError(
        "the unknown field may refer to values, so 'unused' and 'names' cannot be dropped",
        path_text(kept.front()));
  }
  schemagen::JsonWriteOptions writing;
  writing.preserved = &kept;
  SlimProgram slimmed;
  slimmed.json = schemagen::to_json(program, writing);
  for (const SlimPart part : kSlimParts) {
    if (std::find(options.parts.begin(), options.parts.end(), part) == options.parts.end()) continue;
    for (std::string& name : slim(program, part)) slimmed.unused.push_back(std::move(name));
    std::string json = schemagen::to_json(program, writing);
    savings[part] += slimmed.json.size() - std::min(json.size(), slimmed.json.size());
    slimmed.json = std::move(json);
  }
  if (options.reproducible) {
    sort_tables(program);
    slimmed.json = schemagen::to_json(program, writing);
  }
  return slimmed;
}

std::vector<SlimSaving> list_of(const Savings& savings) {
  std::vector<SlimSaving> list;
  for (const auto& [part, bytes] : savings) list.push_back({part, bytes});
  return list;
}

std::vector<SlimSaving> slim(ExportedProgram& program, const SlimOptions& options) {
  Savings savings;
  slim_into(program, {}, options, savings);
  return list_of(savings);
}

std::vector<SlimSaving> slim(LoadedProgram& loaded, const SlimOptions& options) {
  Savings savings;
  slim_into(loaded.program, loaded.unknown_fields, options, savings);
  return list_of(savings);
}

}  // namespace pt2
