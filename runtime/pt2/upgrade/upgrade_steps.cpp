#include "pt2/upgrade/upgrade_steps.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "pt2/operators/higher_order.h"
#include "pt2/text/affix.h"
#include "pt2/text/treespec.h"
#include "schemagen/base/quote.h"
#include "schemagen/tree/dom.h"

namespace pt2 {
namespace {

using schemagen::DomMember;
using schemagen::DomValue;

// From 2 (torch 2.2) to 5.1.

/// Any union had all of its members, all null except one.
void drop_unset_members(DomValue& value, const UpgradeContext& context) {
  DomValue::Object* const members = value.object();
  if (members == nullptr || members->size() == 1) return;
  const auto is_unset = [](const DomMember& member) { return member.value.is_null(); };
  members->erase(std::remove_if(members->begin(), members->end(), is_unset), members->end());
  if (members->size() != 1) {
    context.fail("expected exactly one non-null member in a union, got " + std::to_string(members->size()));
  }
  context.report("removed unset members");
}

/// TensorMeta: the offset may be symbolic.
void wrap_storage_offset(DomValue& meta, const UpgradeContext& context) {
  wrap_member(meta, "storage_offset", &DomValue::is_integer, "as_int", context);
}

/// InputToBufferSpec: torch 2.2 saved every buffer with the weights.
void make_buffer_persistent(DomValue& spec, const UpgradeContext& context) {
  add_missing_member(spec, "persistent", true, "added: true, because the file has all buffers", context);
}

void add_class_name(DomValue& argument, const UpgradeContext& context) {
  add_missing_member(argument, "class_fqn", "", "added: empty, because the class is unknown", context);
}

DomValue* tensor_in(DomValue& input) {
  DomValue* const argument = input.find("arg");
  return argument == nullptr ? nullptr : argument->find("as_tensor");
}

/// `[{"arg": {"as_tensor": a}}, ...]` becomes `{"as_tensors": [a, ...]}`.
DomValue tensor_list(DomValue::List& inputs, std::size_t first, std::size_t last) {
  DomValue::List tensors;
  for (std::size_t i = first; i < last; ++i) tensors.push_back(std::move(*tensor_in(inputs[i])));
  return DomValue::Object{{"name", ""}, {"arg", DomValue::object_of("as_tensors", std::move(tensors))}};
}

/// torch 2.2 wrote a function, the number of mapped operands, and all operands; later releases write a list
/// of mapped operands and a list of the others.
void group_map_operands(DomValue& node, const UpgradeContext& context) {
  DomValue::List* const found = node.find_list("inputs");
  if (node["target"].text() != "torch.ops.higher_order.map_impl") return;
  if (found == nullptr || found->size() < 2) return;
  DomValue::List& inputs = *found;
  const std::optional<std::int64_t> count = inputs[1]["arg"]["as_int"].integer();
  const std::size_t operands = inputs.size() - 2;
  if (!count || *count < 0 || static_cast<std::uint64_t>(*count) > operands) return;
  if (!std::all_of(inputs.begin() + 2, inputs.end(), tensor_in)) return;
  const std::size_t end_of_mapped = 2 + static_cast<std::size_t>(*count);
  DomValue lists[] = {tensor_list(inputs, 2, end_of_mapped),
                      tensor_list(inputs, end_of_mapped, inputs.size())};
  inputs.erase(inputs.begin() + 1, inputs.end());
  for (DomValue& list : lists) inputs.push_back(std::move(list));
  context.report("split the operands into a list of mapped operands and a list of all others", "inputs");
}

// From 5.1 (torch 2.3) to 5.3 (torch 2.4).

/// OptionalTensorArgument: a name becomes a TensorArgument.
void wrap_tensor_name(DomValue& argument, const UpgradeContext& context) {
  wrap_member(argument, "as_tensor", &DomValue::is_string, "name", context);
}

// From 5.3 (torch 2.4) to 7.3 (torch 2.5).

void replace_dialect(DomValue& program, const UpgradeContext& context) {
  DomValue dialect = program.take("dialect");
  if (dialect.is_null()) return;
  DomValue::List verifiers;
  verifiers.push_back(std::move(dialect));
  program.set("verifiers", std::move(verifiers));
  context.report("moved to 'verifiers' as its only item", "dialect");
}

// From 7.3 (torch 2.5) to 8.2 (torch 2.6).

/// Argument, OptionalTensorArgument, ConstantValue: an empty list becomes true.
void make_none_true(DomValue& value, const UpgradeContext& context) {
  if (value["as_none"].list() == nullptr) return;
  value.set("as_none", true);
  context.report("changed from an empty list to true", "as_none");
}

/// An infinity, or Python's sys.maxsize or sys.maxsize - 1.
bool is_unbounded(const DomValue& bound) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() - 1;
  if (const auto integer = bound.integer()) return *integer >= kMost || *integer <= -kMost;
  constexpr double kBeyond = 9223372036854775808.0;
  const std::optional<double> number = bound.number();
  return number && (*number >= kBeyond || *number <= -kBeyond);
}

void drop_infinite_bounds(DomValue& range, const UpgradeContext& context) {
  for (const char* name : {"min_val", "max_val"}) {
    if (!is_unbounded(range[name])) continue;
    range.set(name, {});
    context.report("changed from infinity to null", name);
  }
}

void rename_higher_order(DomValue* name, const char* member, const UpgradeContext& context) {
  const std::string_view defined = name == nullptr ? std::string_view() : defined_higher_order(name->text());
  if (defined.empty()) return;
  const std::string target = "torch.ops.higher_order." + std::string(defined);
  *name = target;
  context.report("changed to " + schemagen::quoted(target), member);
}

/// Node: up to torch 2.4, some targets named the Python module of the higher-order operator.
void rename_target(DomValue& node, const UpgradeContext& context) {
  rename_higher_order(node.find("target"), "target", context);
}
void rename_operator(DomValue& argument, const UpgradeContext& context) {
  rename_higher_order(argument.find("as_operator"), "as_operator", context);
}

/// Python's bools are integers, so torch 2.2 to 2.5 wrote some as `{"as_int": true}`, e.g. constant inputs
/// (serialize_input_spec of torch 2.4).
bool is_boolean(const DomValue& value) {
  return value.boolean().has_value();
}

/// Any union that has both `as_int` and `as_bool`.
void read_bool(DomValue& value, const UpgradeContext& context) {
  const std::optional<bool> truth = value["as_int"].boolean();
  if (!truth) return;
  value = DomValue::object_of("as_bool", *truth);
  context.report(std::string("changed 'as_int' to 'as_bool': ") + (*truth ? "true" : "false"));
}

/// Argument: a list of bools, possibly mixed with integers.
void read_bools(DomValue& value, const UpgradeContext& context) {
  DomValue::List* const items = value.find_list("as_ints");
  if (items == nullptr || std::none_of(items->begin(), items->end(), is_boolean)) return;
  if (std::all_of(items->begin(), items->end(), is_boolean)) {
    value = DomValue::object_of("as_bools", value.take("as_ints"));
    return context.report("renamed 'as_ints' to 'as_bools'");
  }
  for (DomValue& item : *items) {
    if (const std::optional<bool> truth = item.boolean()) item = *truth ? 1 : 0;
  }
  context.report("changed bools to 0 and 1", "as_ints");
}

/// A union with `as_int` but no bool.
void make_bool_a_number(DomValue& value, const UpgradeContext& context) {
  const std::optional<bool> truth = value["as_int"].boolean();
  if (!truth) return;
  value.set("as_int", *truth ? 1 : 0);
  context.report("changed a bool to 0 or 1", "as_int");
}

// From minors before 8.6 (torch 2.6).

/// `[{"as_tensors": [a, b]}]` becomes `[{"as_tensor": a}, {"as_tensor": b}]`; false for other outputs.
bool spread_tensors(DomValue::List& outputs) {
  if (outputs.size() != 1) return false;
  DomValue tensors = outputs[0].take("as_tensors");
  if (tensors.list() == nullptr) return false;
  outputs.clear();
  for (DomValue& tensor : *tensors.list())
    outputs.push_back(DomValue::object_of("as_tensor", std::move(tensor)));
  return true;
}

/// Rather than a tuple of one.
bool is_single_value(const DomValue::List& outputs) {
  if (outputs.size() != 1) return false;
  for (const char* kind : {"as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool"}) {
    if (outputs[0].find(kind) != nullptr) return true;
  }
  return false;
}

/// Higher-order operators: up to torch 2.6, a returned tuple of one tensor was `as_tensors`, a returned
/// tensor `as_tensor`. Later, both are `as_tensor`, and `is_hop_single_tensor_return` tells them apart;
/// without it, torch 2.13 assumes a tuple. (serialize.py: deserialize_outputs, serialize_hoo_outputs)
void say_what_is_returned(DomValue& node, const UpgradeContext& context) {
  constexpr const char* kFlag = "is_hop_single_tensor_return";
  DomValue::List* const outputs = node.find_list("outputs");
  if (!starts_with(node["target"].text(), "torch.ops.higher_order.")) return;
  if (outputs == nullptr || !node[kFlag].is_null()) return;
  const bool was_list = spread_tensors(*outputs);
  if (was_list) context.report("split a list of tensors into separate outputs", "outputs");
  const bool is_single = !was_list && is_single_value(*outputs);
  node.set(kFlag, is_single);
  context.report(is_single ? "added: true" : "added: false", kFlag);
}

// From minors before 8.6, which had no treespec_namedtuple_fields.

/// Up to torch 2.3, a namedtuple's context was the name of its class and its fields. Later, it is the name
/// under which the class is registered, and the fields are stored separately.
std::string name_namedtuple(std::string_view class_name, const DomValue& fields, DomValue& named,
                            const UpgradeContext& context) {
  std::string name(class_name);
  const DomValue entry = DomValue::object_of("field_names", fields);
  for (int number = 2; const DomValue* const known = named.find(name); ++number) {
    if (*known == entry) return name;
    name = std::string(class_name) + "_" + std::to_string(number);
  }
  named.set(name, entry);
  context.report("replaced the class of a namedtuple with the name " + schemagen::quoted(name) +
                     ": register the class under this name",
                 "module_call_graph");
  return name;
}

bool name_namedtuples_in(TreeSpec& spec, DomValue& named, const UpgradeContext& context) {
  bool is_changed = false;
  for (TreeSpec& child : spec.children) is_changed = name_namedtuples_in(child, named, context) || is_changed;
  if (spec.type != "collections.namedtuple") return is_changed;
  const DomValue old = schemagen::parse_dom(spec.context.text).value_or(DomValue());
  const DomValue* const fields = old.find("fields");
  if (!old["class_name"].is_string() || fields == nullptr) return is_changed;
  spec.context.text = schemagen::dom_text(name_namedtuple(old["class_name"].text(), *fields, named, context));
  return true;
}

void name_namedtuples(DomValue& module, const UpgradeContext& context) {
  DomValue::List* const entries = module.find_list("module_call_graph");
  if (entries == nullptr) return;
  DomValue named;
  for (DomValue& entry : *entries) {
    DomValue* const signature = entry.find("signature");
    for (const char* name : {"in_spec", "out_spec"}) {
      DomValue* const spec = signature == nullptr ? nullptr : signature->find(name);
      if (spec == nullptr) continue;
      try {
        TreeSpec tree = parse_treespec(spec->text());
        if (name_namedtuples_in(tree, named, context)) *spec = treespec_json(tree);
      } catch (const schemagen::DataError&) {  // other text is unchanged
      }
    }
  }
  if (named.is_null()) return;
  module.set("treespec_namedtuple_fields", std::move(named));
  context.report("added: the fields of namedtuples", "treespec_namedtuple_fields");
}

// schemagen bump: functions

constexpr UpgradeStep kSteps[] = {
    {{1, 0}, "TensorValue", from_1::unwrap_tensor_value},
    {{1, 0}, "SymExpr", from_1::widen_hint},
    {{1, 0}, "SymBool", from_1::wrap_bool_expression},
    {{1, 0}, "CustomObjArgument", from_1::refuse_pickled_object},
    {{1, 0}, "GraphArgument", from_1::drop_constants_of_subgraph},
    {{1, 0}, "Node", from_1::rewrite_node},
    {{1, 0}, "GraphModule", from_1::rebuild_graph_module},
    {{1, 0}, "ExportedProgram", from_1::rewrite_program},

    {{2, 0}, "SymExprHint", drop_unset_members},
    {{2, 0}, "SymInt", drop_unset_members},
    {{2, 0}, "SymBool", drop_unset_members},
    {{2, 0}, "SymIntArgument", drop_unset_members},
    {{2, 0}, "SymBoolArgument", drop_unset_members},
    {{2, 0}, "OptionalTensorArgument", drop_unset_members},
    {{2, 0}, "Argument", drop_unset_members},
    {{2, 0}, "InputSpec", drop_unset_members},
    {{2, 0}, "OutputSpec", drop_unset_members},
    {{2, 0}, "TensorMeta", wrap_storage_offset},
    {{2, 0}, "InputToBufferSpec", make_buffer_persistent},
    {{2, 0}, "CustomObjArgument", add_class_name},
    {{2, 0}, "Node", group_map_operands},

    {{5, 2}, "OptionalTensorArgument", wrap_tensor_name},

    {{5, 3}, "ExportedProgram", replace_dialect},

    {{7, 3}, "Argument", make_none_true},
    {{7, 3}, "OptionalTensorArgument", make_none_true},
    {{7, 3}, "ConstantValue", make_none_true},
    {{7, 3}, "RangeConstraint", drop_infinite_bounds},
    {{7, 3}, "Node", rename_target},
    {{7, 3}, "Argument", rename_operator},
    {{7, 3}, "Argument", read_bool},
    {{7, 3}, "Argument", read_bools},
    {{7, 3}, "ConstantValue", read_bool},
    {{7, 3}, "SymExprHint", read_bool},
    {{7, 3}, "SymInt", make_bool_a_number},
    {{7, 3}, "SymIntArgument", make_bool_a_number},

    {{8, 5}, "Node", say_what_is_returned},
    {{8, 5}, "GraphModule", name_namedtuples},
    // schemagen bump: rows
};

}  // namespace

void wrap_member(DomValue& value, const char* name, bool (DomValue::*is_old)() const noexcept,
                 const char* inner, const UpgradeContext& context) {
  DomValue* const member = value.find(name);
  if (member == nullptr || !(member->*is_old)()) return;
  const std::string kind = member->is_string() ? "a string" : "an integer";
  *member = DomValue::object_of(inner, std::move(*member));
  context.report("wrapped " + kind + " in '" + inner + "'", name);
}

void add_missing_member(DomValue& value, const char* name, DomValue member, std::string_view why,
                        const UpgradeContext& context) {
  if (value.find(name) != nullptr) return;
  value.set(name, std::move(member));
  context.report(why, name);
}

UpgradeSteps shipped_upgrade_steps() {
  return {kSteps, std::size(kSteps)};
}

}  // namespace pt2
