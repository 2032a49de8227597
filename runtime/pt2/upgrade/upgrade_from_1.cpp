#include "pt2/upgrade/upgrade_steps.h"

#include <algorithm>
#include <iterator>

#include "pt2/json.h"
#include "pt2/operators/higher_order.h"
#include "pt2/text/affix.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"
#include "schemagen/tree/dom.h"

namespace pt2::from_1 {
namespace {

using schemagen::DomMember;
using schemagen::DomValue;

/// `key:(path,type);key:(path,type)` becomes `key,path,type;key,path,type`.
std::optional<std::string> new_module_stack(std::string_view old) {
  std::string text;
  while (!old.empty()) {
    const std::size_t key = old.find(":(");
    const std::size_t end = old.find(");");
    const bool is_last = end == old.npos;
    const std::size_t stop = is_last ? old.size() - 1 : end;
    if (key == old.npos || key + 2 > stop || old[stop] != ')') return std::nullopt;
    if (!text.empty()) text += ';';
    text.append(old.substr(0, key)).append(",").append(old.substr(key + 2, stop - key - 2));
    old.remove_prefix(is_last ? old.size() : end + 2);
  }
  return text;
}

void rewrite_metadata(DomValue& metadata, const UpgradeContext& context) {
  if (metadata.object() == nullptr) return;
  for (auto& [name, value] : *metadata.object()) {
    if (name.view() == "source_fn") {
      name = "source_fn_stack";
      context.report("renamed 'source_fn' to 'source_fn_stack'", "metadata");
    } else if (name.view() == "nn_module_stack") {
      const std::optional<std::string> stack = new_module_stack(value.text());
      if (!stack) continue;
      value = *stack;
      context.report("changed 'nn_module_stack' to " + schemagen::quoted(*stack), "metadata");
    }
  }
}

std::string_view name_of(const DomValue& argument) {
  if (argument.object() == nullptr) return {};
  for (const DomMember& member : *argument.object()) {
    for (const char* key : {"name", "as_name"}) {
      if (const DomValue* const name = member.value.find(key)) return name->text();
    }
  }
  return {};
}

std::optional<std::string_view> find_text(const DomValue& map, std::string_view name) {
  const DomValue& found = map[name];
  if (name.empty() || !found.is_string()) return std::nullopt;
  return found.text();
}

DomValue named_spec(const char* kind, std::string_view name, const char* key, std::string_view target) {
  return DomValue::object_of(kind,
                             DomValue::Object{{"arg", DomValue::object_of("name", name)}, {key, target}});
}

DomValue user_spec(const char* kind, const DomValue& argument) {
  return DomValue::object_of(kind, DomValue::object_of("arg", argument));
}

DomValue::List& list_of(DomValue& graph, const char* name, const UpgradeContext& context) {
  DomValue::List* const found = graph.find_list(name);
  if (found == nullptr) context.fail("expected a list in " + schemagen::quoted(name));
  return *found;
}

DomValue model_input_spec(const DomValue& argument, const DomValue& signature) {
  const std::string_view name = name_of(argument);
  if (const auto parameter = find_text(signature["inputs_to_parameters"], name))
    return named_spec("parameter", name, "parameter_name", *parameter);
  if (const auto buffer = find_text(signature["inputs_to_buffers"], name))
    return named_spec("buffer", name, "buffer_name", *buffer);
  return {};
}

constexpr const char* kEmpty = "removed 'constants', which is empty";

DomValue read_meta(const std::string& name, std::string_view base64, const UpgradeContext& context) {
  const std::string constant = "the constant " + schemagen::quoted(name);
  const std::optional<schemagen::Bytes> bytes = schemagen::from_base64(base64);
  if (!bytes) context.fail(constant + ": expected a torch.save file encoded as base64");
  try {
    std::string file(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return schemagen::parse_dom(schemagen::to_json(context.read_constant(name, std::move(file)))).value();
  } catch (const schemagen::DataError& error) {
    context.fail(constant + ", pickled in the program: " + error.what());
  }
}

/// Removes `constants` from the program's top-level graph. These are torch.save files encoded as base64, by
/// name. Passes each file to context.read_constant(), and adds the constant as a tensor value and as an input
/// before the input at `position`. Returns the number of constants. Throws DataError if a constant is not
/// base64, cannot be read, or has the name of another value. Source: GraphModuleSerializer.serialize_input
/// and serialize_graph.
std::size_t lift_constants(DomValue& graph, std::size_t position, const UpgradeContext& context) {
  const DomValue constants = graph.take("constants");
  if (constants.object() == nullptr) return 0;
  if (constants.object()->empty()) return context.report(kEmpty, "graph"), 0;
  DomValue* const found = graph.find("tensor_values");
  DomValue::Object* const values = found == nullptr ? nullptr : found->object();
  if (values == nullptr) context.fail("expected a graph with 'tensor_values'");
  schemagen::Set names;
  for (const DomMember& value : *values) names.insert(value.name.view());
  DomValue::List inputs;
  for (const auto& [key, saved] : *constants.object()) {
    const std::string name(key.view());
    const std::string constant = "the constant " + schemagen::quoted(name);
    if (!names.insert(name)) context.fail(constant + " has the same name as another value");
    values->push_back({key, read_meta(name, saved.text(), context)});
    inputs.push_back(DomValue::object_of("as_tensor", DomValue::object_of("name", name)));
    context.report("turned " + constant + " into an input, and moved its pickled tensor to the archive",
                   "graph");
  }
  const std::size_t count = inputs.size();
  DomValue::List& all = *graph.find("inputs")->list();
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(position), std::make_move_iterator(inputs.begin()),
             std::make_move_iterator(inputs.end()));
  return count;
}

/// Constants become inputs after parameters and buffers, as in later versions.
DomValue::List input_specs(const DomValue& signature, DomValue& graph, const UpgradeContext& context) {
  const DomValue::List& inputs = list_of(graph, "inputs", context);
  const auto is_of_user = [&](const DomValue& input) { return model_input_spec(input, signature).is_null(); };
  const auto first_of_user =
      static_cast<std::size_t>(std::find_if(inputs.begin(), inputs.end(), is_of_user) - inputs.begin());
  const std::size_t end_of_constants = first_of_user + lift_constants(graph, first_of_user, context);
  DomValue::List specs;
  for (const DomValue& argument : list_of(graph, "inputs", context)) {
    const bool is_constant = specs.size() >= first_of_user && specs.size() < end_of_constants;
    const std::string_view name = name_of(argument);
    DomValue spec = is_constant ? named_spec("tensor_constant", name, "tensor_constant_name", name)
                                : model_input_spec(argument, signature);
    if (spec.is_null()) spec = user_spec("user_input", argument);
    specs.push_back(std::move(spec));
  }
  return specs;
}

DomValue output_spec(const DomValue& argument, const DomValue& signature) {
  const std::string_view name = name_of(argument);
  const DomValue& backward = signature["backward_signature"];
  if (backward.object() != nullptr && !name.empty()) {
    if (backward["loss_output"].text() == name) {
      return DomValue::object_of("loss_output",
                                 DomValue::object_of("arg", DomValue::object_of("name", name)));
    }
    if (const auto target = find_text(backward["gradients_to_parameters"], name))
      return named_spec("gradient_to_parameter", name, "parameter_name", *target);
    if (const auto target = find_text(backward["gradients_to_user_inputs"], name))
      return named_spec("gradient_to_user_input", name, "user_input_name", *target);
  }
  return user_spec("user_output", argument);
}

DomValue new_signature(const DomValue& old, DomValue& graph, const UpgradeContext& context) {
  DomValue::List inputs = input_specs(old, graph, context);
  // The first outputs update buffers. A user output may have the same name.
  const DomValue& mutated = old["buffers_to_mutate"];
  const std::size_t mutations = mutated.object() != nullptr ? mutated.object()->size() : 0;
  DomValue::List outputs;
  for (const DomValue& argument : list_of(graph, "outputs", context)) {
    const std::string_view name = name_of(argument);
    const auto buffer = outputs.size() < mutations ? find_text(mutated, name) : std::nullopt;
    outputs.push_back(buffer ? named_spec("buffer_mutation", name, "buffer_name", *buffer)
                             : output_spec(argument, old));
  }
  return DomValue::Object{{"input_specs", std::move(inputs)}, {"output_specs", std::move(outputs)}};
}

/// `((args), {kwargs})`. A call without keywords has only the tree of its arguments, so f(tuple, dict) looks
/// like a call with keywords; that is rarer.
bool has_keywords(const DomValue& tree) {
  const DomValue::List* const children = tree["children_spec"].list();
  if (children == nullptr || children->size() != 2) return false;
  const DomValue& keywords = (*children)[1];
  const DomValue::List* const leaves = keywords["children_spec"].list();
  return tree["type"].text() == "builtins.tuple" && (*children)[0]["type"].text() == "builtins.tuple" &&
         keywords["type"].text() == "builtins.dict" && leaves != nullptr && !leaves->empty();
}

/// `[1, tree]` becomes `[1, (tree, {})]`.
std::string new_in_spec(std::string_view old, const UpgradeContext& context) {
  const std::optional<DomValue> spec = schemagen::parse_dom(old);
  const DomValue::List* const parts = spec ? spec->list() : nullptr;
  if (parts == nullptr || parts->size() != 2 || (*parts)[1].object() == nullptr)
    context.fail("expected a treespec of the inputs, such as [1, {...}], in call_spec.in_spec");
  if (has_keywords((*parts)[1])) return std::string(old);
  const std::size_t tree = old.find('{');
  const std::size_t end = old.rfind('}') + 1;
  return std::string(old.substr(0, tree)) +
         R"({"type": "builtins.tuple", "context": "null", "children_spec": [)" +
         std::string(old.substr(tree, end - tree)) +
         R"(, {"type": "builtins.dict", "context": "[]", "children_spec": []}]})" +
         std::string(old.substr(end));
}

DomValue whole_model_entry(DomValue& call_spec, const UpgradeContext& context) {
  const DomValue in_spec = call_spec.take("in_spec");
  DomValue::Object call = {{"inputs", DomValue::List()},
                           {"outputs", DomValue::List()},
                           {"in_spec", new_in_spec(in_spec.text(), context)},
                           {"out_spec", call_spec.take("out_spec")}};
  return DomValue::Object{{"fqn", ""}, {"signature", std::move(call)}};
}

void drop_member(DomValue& object, const char* name, const char* why, const UpgradeContext& context) {
  if (object.find(name) == nullptr) return;
  object.take(name);
  context.report(why, name);
}

}  // namespace

void unwrap_tensor_value(DomValue& value, const UpgradeContext& context) {
  if (value.find("meta") == nullptr) return;
  value = value.take("meta");
  context.report("replaced by its 'meta'");
}

void widen_hint(DomValue& expression, const UpgradeContext& context) {
  wrap_member(expression, "hint", &DomValue::is_number, "as_int", context);
}

void wrap_bool_expression(DomValue& symbol, const UpgradeContext& context) {
  wrap_member(symbol, "as_expr", &DomValue::is_string, "expr_str", context);
}

void refuse_pickled_object(DomValue&, const UpgradeContext& context) {
  context.fail(
      "later schema versions do not support objects that are pickled inside the program; export the model "
      "again with "
      "torch 2.6 or later");
}

void drop_constants_of_subgraph(DomValue& argument, const UpgradeContext& context) {
  DomValue* const graph = argument.find("graph");
  if (graph == nullptr) return;
  const DomValue constants = graph->take("constants");
  if (constants.object() == nullptr) return;
  if (constants.object()->empty()) return context.report(kEmpty, "graph");
  std::vector<std::string_view> names;
  for (const DomMember& constant : *constants.object()) names.push_back(constant.name.view());
  context.fail(
      "a subgraph has the constants " + schemagen::quoted_list(names) +
      ", but later versions allow them only in the top-level graph; export the model again with torch 2.6 or "
      "later");
}

void rewrite_node(DomValue& node, const UpgradeContext& context) {
  if (DomValue* const metadata = node.find("metadata")) rewrite_metadata(*metadata, context);
  if (!starts_with(node["target"].text(), kOperatorPrefix)) return;
  const std::string name(node["target"].text().substr(kOperatorPrefix.size()));
  // Operators in a namespace have two more names.
  if (name.find('.') != name.npos) return;
  const std::string new_name = std::string(kOperatorPrefix) + "higher_order." + name;
  node.set("target", new_name);
  context.report("changed to " + schemagen::quoted(new_name), "target");
}

void rebuild_graph_module(DomValue& module, const UpgradeContext& context) {
  DomValue* const graph = module.find("graph");
  DomValue* const signature = module.find("signature");
  if (graph == nullptr || signature == nullptr) context.fail("expected a 'graph' and a 'signature'");
  *signature = new_signature(*signature, *graph, context);
  context.report("replaced maps of names with lists of input and output specs", "signature");
  DomValue call_spec = module.take("call_spec");
  if (call_spec.is_null()) return;
  DomValue::List& calls = list_of(module, "module_call_graph", context);
  calls.insert(calls.begin(), whole_model_entry(call_spec, context));
  context.report("added 'call_spec' as the entry for the whole model", "module_call_graph");
}

void rewrite_program(DomValue& program, const UpgradeContext& context) {
  drop_member(program, "equality_constraints", "removed: later versions use the same symbol for equal sizes",
              context);
  drop_member(program, "example_inputs", "removed: archives store example inputs in a separate member",
              context);
  add_missing_member(program, "dialect", "ATEN", "added: 'ATEN', the only dialect at the time", context);
}

}  // namespace pt2::from_1
