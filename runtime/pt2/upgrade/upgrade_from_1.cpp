#include "pt2/upgrade/upgrade_from_1.h"

#include <optional>

#include "pt2/text/affix.h"
#include "pt2/upgrade/lift_constants.h"
#include "pt2/upgrade/member_steps.h"
#include "schemagen/document/member.h"
#include "schemagen/value/quote.h"

namespace pt2::from_1 {
namespace {

using rapidjson::SizeType;
using rapidjson::Value;
using schemagen::DomMembers;
using schemagen::find_member;
using schemagen::object_of;
using schemagen::string_value;
using schemagen::take_member;
using schemagen::text_of;
using Allocator = rapidjson::Document::AllocatorType;

// ---- Metadata ----

/// `key:(path,type);key:(path,type)` as `key,path,type;key,path,type`; nullopt: it is something else.
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

void rewrite_metadata(Value& metadata, const UpgradeContext& context) {
  for (auto& member : DomMembers(metadata)) {
    if (text_of(member.name) == "source_fn") {
      member.name.SetString("source_fn_stack");
      context.report("'source_fn' becomes 'source_fn_stack'", "metadata");
    } else if (text_of(member.name) == "nn_module_stack") {
      const std::optional<std::string> stack = new_module_stack(text_of(member.value));
      if (!stack) continue;
      member.value = string_value(*stack, context.allocator());
      context.report("'nn_module_stack' becomes " + schemagen::quoted(*stack), "metadata");
    }
  }
}

// ---- The signature ----

/// The name that an argument carries; empty: none.
std::string_view name_of(const Value& argument) {
  for (const auto& member : DomMembers(argument)) {
    for (const char* key : {"name", "as_name"}) {
      if (const Value* const name = find_member(member.value, key)) return text_of(*name);
    }
  }
  return {};
}

/// What `map`, an object or null, has for `name`.
std::optional<std::string_view> find_text(Value* map, std::string_view name) {
  if (map == nullptr || name.empty()) return std::nullopt;
  const Value* const found = find_member(*map, name);
  if (found == nullptr || !found->IsString()) return std::nullopt;
  return text_of(*found);
}

/// `{kind: {"arg": {"name": name}, key: target}}`. `target` is copied.
Value named_spec(const char* kind, std::string_view name, const char* key, std::string_view target,
                 Allocator& allocator) {
  Value inner(rapidjson::kObjectType);
  inner.AddMember("arg", object_of("name", string_value(name, allocator), allocator), allocator);
  inner.AddMember(rapidjson::StringRef(key), string_value(target, allocator), allocator);
  return object_of(kind, std::move(inner), allocator);
}

/// `{kind: {"arg": argument}}`, with a copy.
Value user_spec(const char* kind, const Value& argument, Allocator& allocator) {
  return object_of(kind, object_of("arg", Value(argument, allocator), allocator), allocator);
}

/// The list `name` of a graph. Errors: DataError if there is none.
Value& list_of(Value& graph, const char* name, const UpgradeContext& context) {
  Value* const list = find_member(graph, name);
  if (list == nullptr || !list->IsArray())
    context.fail(std::string("expected a graph with a list '") + name + "'");
  return *list;
}

/// Null: the user passes it.
Value model_input_spec(const Value& argument, Value& signature, Allocator& allocator) {
  const std::string_view name = name_of(argument);
  if (const auto parameter = find_text(find_member(signature, "inputs_to_parameters"), name)) {
    return named_spec("parameter", name, "parameter_name", *parameter, allocator);
  }
  if (const auto buffer = find_text(find_member(signature, "inputs_to_buffers"), name)) {
    return named_spec("buffer", name, "buffer_name", *buffer, allocator);
  }
  return {};
}

/// The specs of the inputs of `graph`. Its constants come to be inputs, after parameters and buffers, as in
/// later versions.
Value input_specs(Value& signature, Value& graph, const UpgradeContext& context) {
  Allocator& allocator = context.allocator();
  Value& inputs = list_of(graph, "inputs", context);
  SizeType first_of_user = 0;
  while (first_of_user < inputs.Size() &&
         !model_input_spec(inputs[first_of_user], signature, allocator).IsNull())
    ++first_of_user;
  const SizeType end_of_constants = first_of_user + lift_constants(graph, first_of_user, context);
  Value specs(rapidjson::kArrayType);
  for (const Value& argument : list_of(graph, "inputs", context).GetArray()) {
    const bool is_constant = specs.Size() >= first_of_user && specs.Size() < end_of_constants;
    const std::string_view name = name_of(argument);
    Value spec = is_constant ? named_spec("tensor_constant", name, "tensor_constant_name", name, allocator)
                             : model_input_spec(argument, signature, allocator);
    if (spec.IsNull()) spec = user_spec("user_input", argument, allocator);
    specs.PushBack(spec, allocator);
  }
  return specs;
}

/// An output that is not among the mutated buffers.
Value output_spec(const Value& argument, Value& signature, Allocator& allocator) {
  const std::string_view name = name_of(argument);
  Value* const backward = find_member(signature, "backward_signature");
  if (backward != nullptr && backward->IsObject() && !name.empty()) {
    Value* const loss = find_member(*backward, "loss_output");
    if (loss != nullptr && text_of(*loss) == name) {
      return object_of(
          "loss_output",
          object_of("arg", object_of("name", string_value(name, allocator), allocator), allocator),
          allocator);
    }
    if (const auto target = find_text(find_member(*backward, "gradients_to_parameters"), name)) {
      return named_spec("gradient_to_parameter", name, "parameter_name", *target, allocator);
    }
    if (const auto target = find_text(find_member(*backward, "gradients_to_user_inputs"), name)) {
      return named_spec("gradient_to_user_input", name, "user_input_name", *target, allocator);
    }
  }
  return user_spec("user_output", argument, allocator);
}

Value new_signature(Value& old, Value& graph, const UpgradeContext& context) {
  Allocator& allocator = context.allocator();
  Value inputs = input_specs(old, graph, context);
  // The first outputs are the new values of buffers. A user output may have the name of one of them.
  Value* const mutated = find_member(old, "buffers_to_mutate");
  const SizeType mutations = mutated != nullptr && mutated->IsObject() ? mutated->MemberCount() : 0;
  Value outputs(rapidjson::kArrayType);
  for (const Value& argument : list_of(graph, "outputs", context).GetArray()) {
    const std::string_view name = name_of(argument);
    const auto buffer = outputs.Size() < mutations ? find_text(mutated, name) : std::nullopt;
    outputs.PushBack(buffer ? named_spec("buffer_mutation", name, "buffer_name", *buffer, allocator)
                            : output_spec(argument, old, allocator),
                     allocator);
  }
  Value signature(rapidjson::kObjectType);
  signature.AddMember("input_specs", inputs, allocator).AddMember("output_specs", outputs, allocator);
  return signature;
}

// ---- The tree of inputs ----

/// Whether a tree of Python values is `((args), {kwargs})` with keyword arguments.
/// A call with none of them had the tree of its arguments alone. So a call f(tuple, dict) has the same tree
/// as one with keywords; that is rarer.
bool has_keywords(const Value& tree) {
  const auto type_is = [](const Value& node, std::string_view type) {
    const Value* const found = find_member(node, "type");
    return found != nullptr && text_of(*found) == type;
  };
  const Value* const children = find_member(tree, "children_spec");
  if (children == nullptr || !children->IsArray() || children->Size() != 2) return false;
  const Value& keywords = (*children)[1];
  const Value* const leaves = find_member(keywords, "children_spec");
  return type_is(tree, "builtins.tuple") && type_is((*children)[0], "builtins.tuple") &&
         type_is(keywords, "builtins.dict") && leaves != nullptr && leaves->IsArray() && !leaves->Empty();
}

/// `[1, tree]` as `[1, (tree, {})]`, if it has no keywords in it yet.
std::string new_in_spec(std::string_view old, const UpgradeContext& context) {
  rapidjson::Document spec;
  spec.Parse(old.data(), old.size());
  if (spec.HasParseError() || !spec.IsArray() || spec.Size() != 2 || !spec[1].IsObject()) {
    context.fail("expected the text of a tree of inputs, such as [1, {...}], in call_spec.in_spec");
  }
  if (has_keywords(spec[1])) return std::string(old);
  const std::size_t tree = old.find('{');
  const std::size_t end = old.rfind('}') + 1;
  return std::string(old.substr(0, tree)) +
         R"({"type": "builtins.tuple", "context": "null", "children_spec": [)" +
         std::string(old.substr(tree, end - tree)) +
         R"(, {"type": "builtins.dict", "context": "[]", "children_spec": []}]})" +
         std::string(old.substr(end));
}

Value whole_model_entry(Value& call_spec, const UpgradeContext& context) {
  Allocator& allocator = context.allocator();
  const Value in_spec = take_member(call_spec, "in_spec");
  Value call(rapidjson::kObjectType);
  call.AddMember("inputs", Value(rapidjson::kArrayType), allocator);
  call.AddMember("outputs", Value(rapidjson::kArrayType), allocator);
  call.AddMember("in_spec", string_value(new_in_spec(text_of(in_spec), context), allocator), allocator);
  call.AddMember("out_spec", take_member(call_spec, "out_spec"), allocator);
  Value entry(rapidjson::kObjectType);
  entry.AddMember("fqn", "", allocator).AddMember("signature", call, allocator);
  return entry;
}

void put_first(Value entry, Value& list, Allocator& allocator) {
  list.PushBack(entry, allocator);
  for (SizeType i = list.Size() - 1; i > 0; --i) list[i].Swap(list[i - 1]);
}

void drop_member(Value& object, const char* name, const char* why, const UpgradeContext& context) {
  if (find_member(object, name) == nullptr) return;
  take_member(object, name);
  context.report(why, name);
}

}  // namespace

void unwrap_tensor_value(Value& value, const UpgradeContext& context) {
  if (find_member(value, "meta") == nullptr) return;
  value = take_member(value, "meta");
  context.report("its 'meta' takes its place");
}

void widen_hint(Value& expression, const UpgradeContext& context) {
  wrap_member(expression, "hint", &Value::IsNumber, "as_int", context);
}

void wrap_bool_expression(Value& symbol, const UpgradeContext& context) {
  wrap_member(symbol, "as_expr", &Value::IsString, "expr_str", context);
}

void refuse_pickled_object(Value&, const UpgradeContext& context) {
  context.fail(
      "this object is pickled in the program, for which later versions have no place: export the model again "
      "with torch 2.6 or later");
}

void rewrite_node(Value& node, const UpgradeContext& context) {
  if (Value* const metadata = find_member(node, "metadata")) rewrite_metadata(*metadata, context);
  constexpr std::string_view kOperators = "torch.ops.";
  Value* const target = find_member(node, "target");
  if (target == nullptr || !starts_with(text_of(*target), kOperators)) return;
  const std::string name(text_of(*target).substr(kOperators.size()));
  // Operators of a namespace have two names more.
  if (name.find('.') != name.npos) return;
  const std::string new_name = std::string(kOperators) + "higher_order." + name;
  *target = string_value(new_name, context.allocator());
  context.report("becomes " + schemagen::quoted(new_name), "target");
}

void rebuild_graph_module(Value& module, const UpgradeContext& context) {
  Value* const graph = find_member(module, "graph");
  Value* const signature = find_member(module, "signature");
  if (graph == nullptr || signature == nullptr) context.fail("expected a 'graph' and a 'signature'");
  *signature = new_signature(*signature, *graph, context);
  context.report("maps of names become a list of specs of the inputs and one of the outputs", "signature");
  Value call_spec = take_member(module, "call_spec");
  if (call_spec.IsNull()) return;
  Value& calls = list_of(module, "module_call_graph", context);
  put_first(whole_model_entry(call_spec, context), calls, context.allocator());
  context.report("gets 'call_spec' as the entry of the whole model", "module_call_graph");
}

void rewrite_program(Value& program, const UpgradeContext& context) {
  drop_member(program, "equality_constraints",
              "is dropped: symbols that are equal are one symbol in later versions", context);
  drop_member(program, "example_inputs", "is dropped: archives keep example inputs in a member of their own",
              context);
  add_missing_member(program, "dialect", Value("ATEN"), "is added: 'ATEN', the only one that there was",
                     context);
}

}  // namespace pt2::from_1
