#include "pt2/show/diagram.h"

#include <algorithm>

#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/nodes/arguments.h"
#include "pt2/nodes/modules.h"
#include "pt2/show/diagram_groups.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

constexpr std::size_t kMostNameBytes = std::size_t{128} << 20;
constexpr std::size_t kMostOutputs = 8;  // of a kind that are not in a group

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += (begin == 0 ? "" : "\n") + printable(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

struct Boxes {
  using Scope = ProgramIndex::Scope;

  struct Place {
    std::size_t group = 0;
    std::string prefix;
    std::size_t first_value = 0;
    std::size_t first_node = 0;
  };

  Diagram build() {
    diagram.groups.push_back({DiagramGroup::Kind::program, "", "", 0});
    groups_of_nodes.assign(index.top().node_count(), 0);
    add_modules();
    for (std::size_t scope = 0; scope < index.scopes().size(); ++scope) add_scope(scope);
    return std::move(diagram);
  }

  void add_modules() {
    std::optional<schemagen::DataError> fault;
    const std::vector<ModuleCall> calls = module_calls(program.graph_module, index.top(), &fault);
    if (fault) diagram.remarks.push_back("modules are not shown: " + std::string(fault->what()));
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (i == 0) {
        diagram.groups[0].type = printable(calls[0].type);
        continue;
      }
      const std::string call = calls[i].call == 0 ? "" : " (call " + std::to_string(calls[i].call + 1) + ")";
      diagram.groups.push_back({DiagramGroup::Kind::module, printable(calls[i].path) + call,
                                printable(calls[i].type), calls[i].parent});
      for (const std::size_t node : calls[i].nodes) groups_of_nodes[node] = i;  // inner calls come later
    }
    if (calls.size() > 1) place_nodes_without_modules();
  }

  /// Nodes that a pass inserted, such as quantization, are where their users are.
  void place_nodes_without_modules() {
    const GraphIndex& graph = index.top();
    for (std::uint32_t node = graph.node_count(); node-- > 0;) {
      if (groups_of_nodes[node] != 0) continue;
      const std::vector<ModuleFrame> frames = module_frames(graph.graph().nodes[node]);
      if (!std::all_of(frames.begin(), frames.end(), is_placeholder)) continue;
      std::optional<std::size_t> place;
      for (std::uint32_t value = graph.outputs_begin(node); value < graph.outputs_end(node); ++value) {
        for (const GraphIndex::User& user : graph.users(value)) {
          const std::size_t group = user.node == GraphIndex::kNone ? 0 : groups_of_nodes[user.node];
          place = place ? common_group(diagram, *place, group) : group;
        }
      }
      groups_of_nodes[node] = place.value_or(0);
    }
  }

  void add_scope(std::size_t number) {
    const Scope& scope = index.scopes()[number];
    const GraphIndex& graph = scope.index;
    Place place;
    if (number != 0) place = enter_subgraph(scope);
    place.first_value = diagram.values.size();
    for (std::uint32_t value = 0; value < graph.size(); ++value) {
      const ValueName name{graph.table(value), graph.name(value)};
      diagram.values.push_back({name_text(name), type_text(graph.graph(), name), DiagramValue::kNone});
    }
    add_inputs(graph, place, number == 0);
    place.first_node = diagram.nodes.size();
    places.push_back(place);
    for (std::uint32_t i = 0; i < graph.node_count(); ++i) {
      add_operation(graph, i, place, number == 0 ? groups_of_nodes[i] : place.group);
    }
    add_outputs(graph, place, number == 0);
  }

  Place enter_subgraph(const Scope& scope) {
    DiagramNode& holder = diagram.nodes[places[scope.parent].first_node + scope.node];
    Place place;
    place.group = diagram.groups.size();
    const std::string name = printable(scope.argument->name);
    place.prefix = holder.name + "/" + name + "/";
    holder.subgraphs.push_back(place.group);
    diagram.groups.push_back({DiagramGroup::Kind::subgraph, name, "", holder.group});
    return place;
  }

  std::string unique_name(const std::string& name) {
    if (left < name.size()) {
      throw schemagen::DataError("the names of all nodes, including those in subgraphs, take more than " +
                                 std::to_string(kMostNameBytes) + " bytes");
    }
    left -= name.size();
    while (true) {
      const std::size_t number = ++names[name];
      if (number == 1) return name;
      std::string unique = name + " (" + std::to_string(number) + ")";
      if (names.try_emplace(unique).second) {
        names.at(unique) = 1;
        return unique;
      }
    }
  }

  DiagramNode& add_node(DiagramNode::Kind kind, const std::string& name, std::string label,
                        std::size_t group) {
    DiagramNode& node = diagram.nodes.emplace_back();
    node.kind = kind;
    node.name = unique_name(name);
    node.label = std::move(label);
    node.group = group;
    return node;
  }

  void make(std::size_t value) {
    diagram.nodes.back().values.push_back(value);
    diagram.values[value].producer = diagram.nodes.size() - 1;
  }

  void add_inputs(const GraphIndex& graph, const Place& place, bool is_top) {
    const std::vector<InputSpec>& specs = program.graph_module.signature.input_specs;
    std::size_t value = place.first_value;
    for (std::size_t i = 0; i < graph.graph().inputs.size(); ++i) {
      const Argument& input = graph.graph().inputs[i];
      const InputSpec* const spec = is_top && i < specs.size() ? &specs[i] : nullptr;
      const auto parts = spec == nullptr ? SpecParts<const InputSpec>() : parts_of(*spec);
      DiagramNode& node = add_node(
          parts.target == nullptr ? DiagramNode::Kind::input : DiagramNode::Kind::weight,
          place.prefix + argument_text(input), spec == nullptr ? "input" : meaning_text(*spec), place.group);
      if (parts.target != nullptr) node.target = printable(*parts.target);
      for_each_name(input, [&](const std::string& name) {
        if (!name.empty()) make(value++);  // a GraphIndex has no values without a name
      });
    }
  }

  void add_operation(const GraphIndex& graph, std::uint32_t i, const Place& place, std::size_t group) {
    const Node& node = graph.graph().nodes[i];
    const std::uint32_t end = graph.outputs_end(i);
    const std::uint32_t begin = graph.outputs_begin(i);
    std::string name = printable(node.name.value_or(""));
    if (begin != end) name = printable(graph.name(begin));
    const std::string label = operator_text(node.target);
    DiagramNode& box =
        add_node(DiagramNode::Kind::operation, place.prefix + (name.empty() ? label : name), label, group);
    box.arguments = arguments(graph, i, place);
    for (const auto& [key, text] : node.metadata) {
      if (key == "nn_module_stack" || key == "from_node") continue;  // groups and earlier graphs show it
      box.metadata.emplace_back(printable(key), printable_lines(text));
    }
    for (std::uint32_t value = begin; value < end; ++value) make(place.first_value + value);
  }

  std::vector<DiagramArgument> arguments(const GraphIndex& graph, std::uint32_t i, const Place& place) const {
    const Node& node = graph.graph().nodes[i];
    std::vector<DiagramArgument> given;
    for (const NamedArgument& input : node.inputs) {
      given.push_back({printable(input.name), argument_text(input.arg), false, {}});
    }
    for (const GraphIndex::Use& use : graph.uses(i)) {
      given[use.input].values.push_back(place.first_value + use.value);
    }
    try {
      const NodeArguments known = arguments_of(node, operators);
      std::vector<DiagramArgument> all;
      for (const NodeArgument& argument : known.all()) {
        const auto is_it = [&](const NamedArgument& input) { return &input.arg == argument.given; };
        const auto at = std::find_if(node.inputs.begin(), node.inputs.end(), is_it) - node.inputs.begin();
        all.push_back(argument.given == nullptr
                          ? DiagramArgument{argument.name, argument_text(argument.default_value), true, {}}
                          : std::move(given[static_cast<std::size_t>(at)]));
        all.back().name = printable(argument.name);
      }
      return all;
    } catch (const schemagen::DataError&) {
      return given;
    }
  }

  void add_outputs(const GraphIndex& graph, const Place& place, bool is_top) {
    const std::vector<OutputSpec>& specs = program.graph_module.signature.output_specs;
    std::map<OutputSpec::Kind, std::size_t> counts;
    for (std::size_t i = 0; is_top && i < specs.size(); ++i) ++counts[specs[i].kind()];
    std::map<OutputSpec::Kind, std::size_t> groups;
    for (std::size_t i = 0; i < graph.graph().outputs.size(); ++i) {
      const Argument& output = graph.graph().outputs[i];
      const OutputSpec* const spec = is_top && i < specs.size() ? &specs[i] : nullptr;
      std::size_t group = place.group;
      if (spec != nullptr && counts[spec->kind()] > kMostOutputs) {
        const auto [found, is_new] = groups.try_emplace(spec->kind(), diagram.groups.size());
        group = found->second;
        if (is_new)
          diagram.groups.push_back({DiagramGroup::Kind::outputs, words_of(spec->kind()).plural, "", 0});
      }
      DiagramNode& node = add_node(DiagramNode::Kind::output, place.prefix + "output " + std::to_string(i),
                                   spec == nullptr ? "output" : meaning_text(*spec), group);
      DiagramArgument argument{"", argument_text(output), false, {}};
      for_each_name(output, [&](const std::string& name) {
        if (!name.empty()) argument.values.push_back(place.first_value + graph.find(name));
      });
      node.arguments.push_back(std::move(argument));
    }
  }

  const ExportedProgram& program;
  const OperatorSet& operators;
  ProgramIndex index = ProgramIndex(program);
  Diagram diagram = {};
  std::vector<std::size_t> groups_of_nodes = {};
  std::vector<Place> places = {};
  schemagen::Map<std::size_t> names = {};
  std::size_t left = kMostNameBytes;
};

}  // namespace

Diagram diagram_of(const ExportedProgram& program, const OperatorSet& operators) {
  Diagram diagram = Boxes{program, operators}.build();
  arrange(diagram);
  return diagram;
}

std::string diagram_name(const std::vector<std::string>& path) {
  return join_texts(path, "/", [](const std::string& part) { return printable(part); });
}

std::size_t group_around(const Diagram& diagram, std::size_t group, DiagramGroup::Kind kind) {
  while (group != 0 && diagram.groups[group].kind != kind) group = diagram.groups[group].parent;
  return group;
}

std::string short_name(const Diagram& diagram, std::size_t group) {
  const DiagramGroup& own = diagram.groups[group];
  if (own.kind != DiagramGroup::Kind::module) return own.name;
  const std::size_t outer = group_around(diagram, own.parent, DiagramGroup::Kind::module);
  const std::string prefix = diagram.groups[outer].name + ".";
  return outer != 0 && starts_with(own.name, prefix) ? own.name.substr(prefix.size()) : own.name;
}

}  // namespace pt2
