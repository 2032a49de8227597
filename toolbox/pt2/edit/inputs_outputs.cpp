#include "pt2/edit/graph.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "pt2/edit/placement.h"
#include "pt2/edit/root_call.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/text/python_name.h"
#include "pt2/text/treespec.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_change(const std::string& message) {
  throw schemagen::UsageError(message);
}

std::ptrdiff_t offset(std::size_t index) {
  return static_cast<std::ptrdiff_t>(index);
}

template <class Spec>
std::size_t leaves_before(std::vector<Spec>& specs, std::size_t count) {
  const auto end = specs.begin() + offset(std::min(count, specs.size()));
  return static_cast<std::size_t>(
      std::count_if(specs.begin(), end, [](Spec& spec) { return is_users(spec.kind()); }));
}

bool is_dict(const TreeSpec& tree) {
  return tree.type == "builtins.dict";
}

bool remove_leaf(TreeSpec& tree, std::size_t leaf) {
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    TreeSpec& child = tree.children[i];
    const std::size_t count = child.leaf_count();
    if (leaf >= count) {
      leaf -= count;
      continue;
    }
    if (child.type) return remove_leaf(child, leaf);
    if (!is_dict(tree) && tree.type != "builtins.tuple" && tree.type != "builtins.list") return false;
    std::vector<schemagen::Json> keys_left = keys(tree);
    tree.children.erase(tree.children.begin() + offset(i));
    if (!is_dict(tree)) return true;
    keys_left.erase(keys_left.begin() + offset(i));
    tree = dict_spec(keys_left, std::move(tree.children));
    return true;
  }
  return false;
}

TreeSpec arguments_tree(const std::string& text) {
  TreeSpec tree = parse_treespec(text);
  const bool is_call =
      tree.children.size() == 2 && tree.children[0].type == "builtins.tuple" && is_dict(tree.children[1]);
  if (!is_call) cannot_change("expected in_spec to consist of a tuple and a dict of arguments");
  return tree;
}

void remove_from_trees(ModuleCallSignature& root, std::size_t leaf, std::string_view name) {
  TreeSpec tree = arguments_tree(root.in_spec);
  const std::size_t by_position = tree.children[0].children.size();
  const std::size_t by_keyword = tree.children[1].children.size();
  if (!remove_leaf(tree, leaf)) {
    cannot_change("cannot remove the input " + schemagen::quoted(name) +
                  ": its container has a fixed number of items");
  }
  root.in_spec = treespec_json(tree);
  const bool is_whole_argument =
      tree.children[0].children.size() < by_position || tree.children[1].children.size() < by_keyword;
  if (!root.forward_arg_names || !is_whole_argument) return;
  std::vector<std::string>& names = *root.forward_arg_names;
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
}

void require_unused(const ExportedProgram& program, const SpecParts<const InputSpec>& parts) {
  const std::string asked = "cannot remove the input " + schemagen::quoted(*parts.name) + ": ";
  const std::vector<std::string> users = users_of(program, program.graph_module.graph, *parts.name);
  if (!users.empty()) cannot_change(asked + "it is used by " + users_text(users));
  for (const OutputSpec& spec : program.graph_module.signature.output_specs) {
    const auto output = parts_of(spec);
    if (parts.target == nullptr || output.target == nullptr || output.target_is_input) continue;
    if (*output.target == *parts.target) cannot_change(asked + "an output is a mutation or gradient of it");
  }
}

}  // namespace

void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta) {
  GraphModule& module = program.graph_module;
  std::vector<InputSpec>& specs = module.signature.input_specs;
  if (!is_value_name(name))
    cannot_change("cannot add an input: " + schemagen::quoted(name) + " is not a valid name");
  for_each_defined_name(module.graph, [&](const std::string& taken) {
    if (taken == name)
      cannot_change("cannot add an input: the name " + schemagen::quoted(name) + " is taken");
  });
  std::size_t at = specs.size();
  if (ModuleCallSignature* const root = root_signature(program)) {
    TreeSpec tree = arguments_tree(root->in_spec);
    TreeSpec& by_position = tree.children[0];
    const std::size_t leaves = by_position.leaf_count();
    at = 0;
    while (at < specs.size() && leaves_before(specs, at + 1) <= leaves) ++at;
    if (root->forward_arg_names) {
      std::vector<std::string>& names = *root->forward_arg_names;
      names.insert(names.begin() + offset(std::min(by_position.children.size(), names.size())), name);
    }
    by_position.children.emplace_back();
    root->in_spec = treespec_json(tree);
  }
  const Argument argument(TensorArgument{name});
  module.graph.inputs.insert(module.graph.inputs.begin() + offset(std::min(at, module.graph.inputs.size())),
                             argument);
  specs.insert(specs.begin() + offset(at), InputSpec::of<InputSpec::user_input>(UserInputSpec{argument}));
  module.graph.tensor_values[name] = std::move(meta);
}

void remove_input(ExportedProgram& program, std::string_view name) {
  GraphModule& module = program.graph_module;
  std::vector<InputSpec>& specs = module.signature.input_specs;
  const auto is_it = [&](InputSpec& spec) {
    const auto parts = parts_of(spec);
    return parts.name != nullptr && *parts.name == name;
  };
  const auto found = std::find_if(specs.begin(), specs.end(), is_it);
  const auto at = static_cast<std::size_t>(found - specs.begin());
  if (found == specs.end() || at >= module.graph.inputs.size()) {
    cannot_change("the program has no input " + schemagen::quoted(name));
  }
  require_unused(program, parts_of(std::as_const(*found)));
  ModuleCallSignature* const root = root_signature(program);
  if (root != nullptr && is_users(found->kind())) remove_from_trees(*root, leaves_before(specs, at), name);
  schemagen::Map<bool> gone;
  gone.try_emplace(std::string(name));
  specs.erase(found);
  module.graph.inputs.erase(module.graph.inputs.begin() + offset(at));
  remove_values(module.graph, gone);
}

void add_output(ExportedProgram& program, const std::string& value) {
  GraphModule& module = program.graph_module;
  {
    const GraphIndex index(module.graph);
    const std::uint32_t found = index.find(value);
    if (found == GraphIndex::kNone || !index.is_defined(found)) {
      cannot_change("the graph lacks the value " + schemagen::quoted(value));
    }
  }
  const Argument argument = value_argument(module.graph, value);
  if (ModuleCallSignature* const root = root_signature(program)) {
    TreeSpec tree = parse_treespec(root->out_spec);
    if (tree.type != "builtins.tuple" && tree.type != "builtins.list") {
      tree = tuple_spec({std::move(tree)});
    }
    tree.children.emplace_back();
    root->out_spec = treespec_json(tree);
  }
  module.graph.outputs.push_back(argument);
  module.signature.output_specs.push_back(OutputSpec::of<OutputSpec::user_output>(UserOutputSpec{argument}));
}

void remove_output(ExportedProgram& program, std::string_view value) {
  GraphModule& module = program.graph_module;
  std::vector<OutputSpec>& specs = module.signature.output_specs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < std::min(module.graph.outputs.size(), specs.size()); ++i) {
    const std::string* const name = value_of(module.graph.outputs[i]);
    if (name != nullptr && *name == value) places.push_back(i);
  }
  if (places.empty()) cannot_change("the program has no output " + schemagen::quoted(value));
  ModuleCallSignature* const root = root_signature(program);
  std::optional<TreeSpec> tree;
  if (root != nullptr) tree = parse_treespec(root->out_spec);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (!tree || !is_users(specs[*place].kind())) continue;
    if (!tree->type) {
      tree = tuple_spec({});
    } else if (!remove_leaf(*tree, leaves_before(specs, *place))) {
      cannot_change("cannot remove the output " + schemagen::quoted(value) +
                    ": its container has a fixed number of items");
    }
  }
  if (tree) root->out_spec = treespec_json(*tree);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    specs.erase(specs.begin() + offset(*place));
    module.graph.outputs.erase(module.graph.outputs.begin() + offset(*place));
  }
}

}  // namespace pt2
