#include "pt2/edit/graph.h"

#include <algorithm>

#include "pt2/edit/placement.h"
#include "pt2/edit/rename.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/graph/index.h"
#include "pt2/text/python_name.h"
#include "pt2/text/treespec.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/json_writer.h"

namespace pt2 {
namespace {

std::ptrdiff_t offset(std::size_t index) {
  return static_cast<std::ptrdiff_t>(index);
}

template <class Spec>
std::size_t leaves_before(std::vector<Spec>& specs, std::size_t count) {
  const auto end = specs.begin() + offset(std::min(count, specs.size()));
  return static_cast<std::size_t>(
      std::count_if(specs.begin(), end, [](Spec& spec) { return is_users(spec.kind()); }));
}

/// Returns whether items can be added and removed.
bool is_open(const TreeSpec& tree) {
  const bool is_list = tree.type == "builtins.tuple" || tree.type == "builtins.list";
  return is_list || is_dict(tree) || (tree.type == "collections.deque" && tree.context.text == "\"null\"");
}

/// `asked` is e.g. `cannot add an output: `.
[[noreturn]] void refuse_container(const std::string& asked, const TreeSpec& tree) {
  throw schemagen::UsageError(asked + "its container, a " + *tree.type + ", has a fixed number of items");
}

void remove_leaf(TreeSpec& tree, std::size_t leaf, const std::string& asked) {
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    TreeSpec& child = tree.children[i];
    const std::size_t count = child.leaf_count();
    if (leaf >= count) {
      leaf -= count;
      continue;
    }
    if (child.type) return remove_leaf(child, leaf, asked);
    if (!is_open(tree)) refuse_container(asked, tree);
    std::vector<schemagen::Json> keys_left = keys(tree);
    tree.children.erase(tree.children.begin() + offset(i));
    if (!is_dict(tree)) return;
    keys_left.erase(keys_left.begin() + offset(i));
    return set_keys(tree, keys_left);
  }
}

schemagen::Json new_key(const std::string& key, const std::vector<schemagen::Json>& taken) {
  schemagen::Json made{schemagen::JsonWriter().string(key).text()};
  if (std::find(taken.begin(), taken.end(), made) != taken.end())
    throw schemagen::UsageError("the outputs already have the key " + schemagen::quoted(key));
  return made;
}

void name_output(ExportedProgram& program, const std::string& value, const std::string& name) {
  const auto is_it = [&](const std::string& input) { return input == value; };
  if (names_any(program.graph_module.graph.inputs, is_it)) {
    throw schemagen::UsageError("cannot name the output " + schemagen::quoted(name) + ": " +
                                schemagen::quoted(value) + " is an input");
  }
  rename(program, {{value, name}});
}

Argument output_argument(const Graph& graph, const std::string& value) {
  const GraphIndex index(graph);
  const std::uint32_t found = index.find(value);
  if (!index.is_defined(found))
    throw schemagen::UsageError("the graph lacks the value " + schemagen::quoted(value));
  return value_argument(graph, value);
}

std::vector<std::size_t> outputs_that_are(const ExportedProgram& program, std::string_view value,
                                          bool only_users = false) {
  const std::vector<Argument>& outputs = program.graph_module.graph.outputs;
  const std::vector<OutputSpec>& specs = program.graph_module.signature.output_specs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < std::min(outputs.size(), specs.size()); ++i) {
    const std::string* const name = value_of(outputs[i]);
    const bool is_it = name != nullptr && *name == value;
    if (is_it && (!only_users || is_users(specs[i].kind()))) places.push_back(i);
  }
  if (places.empty()) throw schemagen::UsageError("the program has no output " + schemagen::quoted(value));
  return places;
}

TreeSpec arguments_tree(const std::string& text) {
  TreeSpec tree = parse_treespec(text);
  const bool is_call = tree.children.size() == 2 && tree.children[0].type == "builtins.tuple" &&
                       tree.children[1].type == "builtins.dict";
  if (!is_call) throw schemagen::UsageError("expected in_spec to consist of a tuple and a dict of arguments");
  return tree;
}

void remove_from_trees(ModuleCallSignature& root, std::size_t leaf, std::string_view name) {
  TreeSpec tree = arguments_tree(root.in_spec);
  const std::size_t by_position = tree.children[0].children.size();
  const std::size_t by_keyword = tree.children[1].children.size();
  remove_leaf(tree, leaf, "cannot remove the input " + schemagen::quoted(name) + ": ");
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
  if (!users.empty()) throw schemagen::UsageError(asked + "it is used by " + users_text(users));
  for (const OutputSpec& spec : program.graph_module.signature.output_specs) {
    const auto output = parts_of(spec);
    if (parts.target == nullptr || output.target == nullptr || output.target_is_input) continue;
    if (*output.target == *parts.target)
      throw schemagen::UsageError(asked + "an output is a mutation or gradient of it");
  }
}

}  // namespace

void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta) {
  GraphModule& module = program.graph_module;
  std::vector<InputSpec>& specs = module.signature.input_specs;
  if (!is_value_name(name))
    throw schemagen::UsageError("cannot add an input: " + schemagen::quoted(name) + " is not a valid name");
  for_each_defined_name(module.graph, [&](const std::string& taken) {
    if (taken == name)
      throw schemagen::UsageError("cannot add an input: the name " + schemagen::quoted(name) + " is taken");
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
    throw schemagen::UsageError("the program has no input " + schemagen::quoted(name));
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

void add_output(ExportedProgram& program, const std::string& value, const std::string& name) {
  GraphModule& module = program.graph_module;
  Argument argument = output_argument(module.graph, value);
  ModuleCallSignature* const root = root_signature(program);
  TreeSpec tree = root != nullptr ? parse_treespec(root->out_spec) : tuple_spec({});
  if (!tree.type) tree = tuple_spec({std::move(tree)});
  if (!is_open(tree)) refuse_container("cannot add the output " + schemagen::quoted(value) + ": ", tree);
  std::vector<schemagen::Json> all_keys = keys(tree);
  if (is_dict(tree)) all_keys.push_back(new_key(name.empty() ? value : name, all_keys));
  tree.children.emplace_back();
  if (is_dict(tree)) {
    set_keys(tree, all_keys);
  } else if (!name.empty() && name != value) {
    name_output(program, value, name);
    argument = value_argument(module.graph, name);
  }
  std::vector<OutputSpec>& specs = module.signature.output_specs;
  const auto place = std::find_if(specs.begin(), specs.end(), [](const OutputSpec& spec) {
    return spec.is<OutputSpec::gradient_to_parameter>() || spec.is<OutputSpec::gradient_to_user_input>();
  });
  std::vector<Argument>& outputs = module.graph.outputs;
  const std::ptrdiff_t after = std::min(specs.end() - place, outputs.end() - outputs.begin());
  outputs.insert(outputs.end() - after, argument);
  specs.insert(place, OutputSpec::of<OutputSpec::user_output>(UserOutputSpec{argument}));
  if (root != nullptr) root->out_spec = treespec_json(tree);
}

void replace_output(ExportedProgram& program, std::string_view old_value, const std::string& value) {
  GraphModule& module = program.graph_module;
  const Argument argument = output_argument(module.graph, value);
  for (const std::size_t place : outputs_that_are(program, old_value, true)) {
    module.graph.outputs[place] = argument;
    set_value(module.signature.output_specs[place], argument);
  }
}

void remove_output(ExportedProgram& program, std::string_view value) {
  GraphModule& module = program.graph_module;
  std::vector<OutputSpec>& specs = module.signature.output_specs;
  const std::vector<std::size_t> places = outputs_that_are(program, value);
  ModuleCallSignature* const root = root_signature(program);
  std::optional<TreeSpec> tree;
  if (root != nullptr) tree = parse_treespec(root->out_spec);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (!tree || !is_users(specs[*place].kind())) continue;
    if (!tree->type) {
      tree = tuple_spec({});
    } else {
      remove_leaf(*tree, leaves_before(specs, *place),
                  "cannot remove the output " + schemagen::quoted(value) + ": ");
    }
  }
  if (tree) root->out_spec = treespec_json(*tree);
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    specs.erase(specs.begin() + offset(*place));
    module.graph.outputs.erase(module.graph.outputs.begin() + offset(*place));
  }
}

}  // namespace pt2
