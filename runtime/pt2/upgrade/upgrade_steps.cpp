#include "pt2/upgrade/upgrade_steps.h"

#include <cstdint>
#include <iterator>
#include <limits>

#include "pt2/text/affix.h"
#include "pt2/text/treespec.h"
#include "pt2/upgrade/lift_constants.h"
#include "pt2/upgrade/member_steps.h"
#include "pt2/upgrade/upgrade_from_1.h"
#include "pt2/upgrade/upgrade_step.h"
#include "schemagen/document/member.h"
#include "schemagen/json/writer.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using rapidjson::SizeType;
using rapidjson::Value;
using schemagen::find_member;
using schemagen::object_of;
using schemagen::set_member;
using schemagen::string_value;
using schemagen::take_member;
using schemagen::text_of;

// ---- From 2 (torch 2.2) to 5.1 ----

/// Any union: it had all of its members, all but one null; now it has the one.
void drop_unset_members(Value& value, const UpgradeContext& context) {
  if (!value.IsObject() || value.MemberCount() == 1) return;
  SizeType count = 0;
  Value::Member* set = nullptr;
  for (Value::Member& member : schemagen::DomMembers(value)) {
    if (member.value.IsNull()) continue;
    set = &member;
    ++count;
  }
  if (count != 1) {
    context.fail("expected a union with one member that is not null, found " + std::to_string(count));
  }
  const auto first = value.MemberBegin();
  first->name.Swap(set->name);
  first->value.Swap(set->value);
  value.EraseMember(first + 1, value.MemberEnd());
  context.report("members that are not set are dropped");
}

/// TensorMeta: the offset may be symbolic.
void wrap_storage_offset(Value& meta, const UpgradeContext& context) {
  wrap_member(meta, "storage_offset", &Value::IsInt64, "as_int", context);
}

/// InputToBufferSpec: torch 2.2 saved every buffer with the weights.
void make_buffer_persistent(Value& spec, const UpgradeContext& context) {
  add_missing_member(spec, "persistent", Value(true), "is added: true, as the file has all buffers", context);
}

void add_class_name(Value& argument, const UpgradeContext& context) {
  add_missing_member(argument, "class_fqn", Value(""), "is added: empty, as the class is not known", context);
}

/// `[{"arg": {"as_tensor": a}}, ...]` from `first` up to `last` as `{"as_tensors": [a, ...]}`.
Value tensor_list(Value& inputs, SizeType first, SizeType last,
                  rapidjson::Document::AllocatorType& allocator) {
  Value tensors(rapidjson::kArrayType);
  for (SizeType i = first; i < last; ++i) tensors.PushBack(inputs[i]["arg"]["as_tensor"], allocator);
  return object_of("as_tensors", std::move(tensors), allocator);
}

bool is_tensor_input(Value& input) {
  Value* const argument = find_member(input, "arg");
  return argument != nullptr && find_member(*argument, "as_tensor") != nullptr;
}

/// Node of map: torch 2.2 gave it a function, how many operands it goes along, and all operands one by one;
/// later releases have a list of those and a list of the others.
void group_map_operands(Value& node, const UpgradeContext& context) {
  Value* const target = find_member(node, "target");
  Value* const inputs = find_member(node, "inputs");
  if (target == nullptr || text_of(*target) != "torch.ops.higher_order.map_impl") return;
  if (inputs == nullptr || !inputs->IsArray() || inputs->Size() < 2) return;
  Value* const argument = find_member((*inputs)[1], "arg");
  Value* const count = argument == nullptr ? nullptr : find_member(*argument, "as_int");
  const SizeType operands = inputs->Size() - 2;
  if (count == nullptr || !count->IsUint() || count->GetUint() > operands) return;
  for (SizeType i = 2; i < inputs->Size(); ++i) {
    if (!is_tensor_input((*inputs)[i])) return;
  }
  auto& allocator = context.allocator();
  const SizeType mapped = 2 + count->GetUint();
  Value lists[] = {tensor_list(*inputs, 2, mapped, allocator),
                   tensor_list(*inputs, mapped, inputs->Size(), allocator)};
  inputs->Erase(inputs->Begin() + 1, inputs->End());
  for (Value& list : lists) {
    Value input = object_of("name", Value(""), allocator);
    input.AddMember("arg", list, allocator);
    inputs->PushBack(input, allocator);
  }
  context.report("operands become a list of those that are mapped and one of the others", "inputs");
}

// ---- From 5.1 (torch 2.3) to 5.3 (torch 2.4) ----

/// OptionalTensorArgument: a name becomes a TensorArgument.
void wrap_tensor_name(Value& argument, const UpgradeContext& context) {
  wrap_member(argument, "as_tensor", &Value::IsString, "name", context);
}

// ---- From 5.3 (torch 2.4) to 7.3 (torch 2.5) ----

void replace_dialect(Value& program, const UpgradeContext& context) {
  Value dialect = take_member(program, "dialect");
  if (dialect.IsNull()) return;
  Value verifiers(rapidjson::kArrayType);
  verifiers.PushBack(dialect, context.allocator());
  set_member(program, "verifiers", std::move(verifiers), context.allocator());
  context.report("becomes the one item of 'verifiers'", "dialect");
}

// ---- From 7.3 (torch 2.5) to 8.2 (torch 2.6) ----

/// Argument, OptionalTensorArgument, ConstantValue: an empty list becomes a bool, which is always true.
void make_none_true(Value& value, const UpgradeContext& context) {
  Value* const none = find_member(value, "as_none");
  if (none == nullptr || !none->IsArray()) return;
  none->SetBool(true);
  context.report("an empty list becomes true", "as_none");
}

/// Whether a bound was written for "none": an infinity, or Python's sys.maxsize or sys.maxsize - 1.
bool is_unbounded(const Value& bound) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() - 1;
  if (bound.IsInt64()) return bound.GetInt64() >= kMost || bound.GetInt64() <= -kMost;
  constexpr double kBeyond = 9223372036854775808.0;  // no 64-bit integer
  return bound.IsNumber() && (bound.GetDouble() >= kBeyond || bound.GetDouble() <= -kBeyond);
}

void drop_infinite_bounds(Value& range, const UpgradeContext& context) {
  for (const char* name : {"min_val", "max_val"}) {
    Value* const bound = find_member(range, name);
    if (bound == nullptr || !is_unbounded(*bound)) continue;
    bound->SetNull();
    context.report("what stood for infinity becomes null", name);
  }
}

/// Some higher-order operators went by the name of the Python module that defines them.
void rename_higher_order_operator(Value& node, const UpgradeContext& context) {
  Value* const target = find_member(node, "target");
  if (target == nullptr || !starts_with(text_of(*target), "torch._higher_order_ops.")) return;
  const std::string_view old = text_of(*target);
  const std::string name = "torch.ops.higher_order." + std::string(old.substr(old.rfind('.') + 1));
  *target = string_value(name, context.allocator());
  context.report("becomes " + schemagen::quoted(name), "target");
}

// ---- From minors before 8.6 (torch 2.6) ----

/// `[{"as_tensors": [a, b]}]` as `[{"as_tensor": a}, {"as_tensor": b}]`; false: it is something else.
bool spread_tensors(Value& outputs, const UpgradeContext& context) {
  if (outputs.Size() != 1) return false;
  Value tensors = take_member(outputs[0], "as_tensors");
  if (!tensors.IsArray()) return false;
  outputs.Clear();
  for (Value& tensor : tensors.GetArray()) {
    outputs.PushBack(object_of("as_tensor", std::move(tensor), context.allocator()), context.allocator());
  }
  return true;
}

/// Whether the only output is a value and not what a tuple of one holds.
bool is_single_value(Value& outputs) {
  if (outputs.Size() != 1) return false;
  for (const char* kind : {"as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool"}) {
    if (find_member(outputs[0], kind) != nullptr) return true;
  }
  return false;
}

/// Node of a higher-order operator: up to torch 2.6 one that returned a tuple of one tensor had `as_tensors`
/// as its output, and one that returned a tensor `as_tensor`. Since then both have `as_tensor`, and
/// `is_hop_single_tensor_return` tells which it is. Without it torch 2.13 takes everything for a tuple, and
/// does not know the old form of that. (serialize.py: deserialize_outputs, serialize_hoo_outputs)
void say_what_is_returned(Value& node, const UpgradeContext& context) {
  constexpr const char* kFlag = "is_hop_single_tensor_return";
  Value* const target = find_member(node, "target");
  Value* const outputs = find_member(node, "outputs");
  if (target == nullptr || !starts_with(text_of(*target), "torch.ops.higher_order.")) return;
  if (outputs == nullptr || !outputs->IsArray()) return;
  if (Value* const flag = find_member(node, kFlag); flag != nullptr && !flag->IsNull()) return;
  const bool was_list = spread_tensors(*outputs, context);
  if (was_list) context.report("a list of tensors becomes one output for each", "outputs");
  const bool is_single = !was_list && is_single_value(*outputs);
  set_member(node, kFlag, Value(is_single), context.allocator());
  context.report(is_single ? "is added: true" : "is added: false", kFlag);
}

// ---- From minors before 8.6, which had no treespec_namedtuple_fields ----

/// Brings namedtuples of treespecs to the form of today: up to torch 2.3 their context was the name of the
/// class and its fields; since then it is the name with which the class is registered, and the fields are
/// kept beside.
class NamedTuples {
 public:
  explicit NamedTuples(const UpgradeContext& context) : context_(context) {}

  /// in_spec or out_spec; what is no treespec stays as it is.
  void rename_in(Value& text) {
    TreeSpec spec;
    try {
      spec = parse_treespec(text_of(text));
    } catch (const schemagen::DataError&) {
      return;
    }
    if (rename(spec)) text = string_value(treespec_json(spec), context_.allocator());
  }

  /// `{"Point": {"field_names": ["x", "y"]}}`; empty if nothing was renamed.
  Value take_fields() { return std::move(fields_); }

 private:
  bool rename(TreeSpec& spec) {
    bool is_changed = false;
    for (TreeSpec& child : spec.children) is_changed = rename(child) || is_changed;
    if (spec.type != "collections.namedtuple") return is_changed;
    rapidjson::Document document;
    document.Parse(spec.context.text.data(), spec.context.text.size());
    Value& old = document;
    Value* const name = find_member(old, "class_name");
    Value* const fields = find_member(old, "fields");
    if (name == nullptr || !name->IsString() || fields == nullptr) return is_changed;
    schemagen::JsonWriter out;
    out.string(name_of(text_of(*name), *fields));
    spec.context.text = out.view();
    return true;
  }

  /// Its own name, or with a number behind it if another class has that.
  std::string name_of(std::string_view class_name, const Value& fields) {
    std::string name(class_name);
    for (int number = 2; const Value* const known = find_member(fields_, name); ++number) {
      if ((*known)["field_names"] == fields) return name;
      name = std::string(class_name) + "_" + std::to_string(number);
    }
    auto& allocator = context_.allocator();
    fields_.AddMember(string_value(name, allocator),
                      object_of("field_names", Value(fields, allocator), allocator), allocator);
    context_.report("the namedtuple " + schemagen::quoted(name) +
                        " goes by this name, with which its class has to be registered",
                    "module_call_graph");
    return name;
  }

  const UpgradeContext& context_;
  Value fields_{rapidjson::kObjectType};
};

void name_namedtuples(Value& module, const UpgradeContext& context) {
  Value* const entries = find_member(module, "module_call_graph");
  if (entries == nullptr || !entries->IsArray()) return;
  NamedTuples namedtuples(context);
  for (Value& entry : entries->GetArray()) {
    Value* const signature = find_member(entry, "signature");
    for (const char* name : {"in_spec", "out_spec"}) {
      Value* const spec = signature == nullptr ? nullptr : find_member(*signature, name);
      if (spec != nullptr && spec->IsString()) namedtuples.rename_in(*spec);
    }
  }
  Value fields = namedtuples.take_fields();
  if (fields.ObjectEmpty()) return;
  set_member(module, "treespec_namedtuple_fields", std::move(fields), context.allocator());
  context.report("is added: the fields of namedtuples", "treespec_namedtuple_fields");
}

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
    {{7, 3}, "Node", rename_higher_order_operator},

    {{8, 5}, "Node", say_what_is_returned},
    {{8, 5}, "GraphModule", name_namedtuples},
};

}  // namespace

UpgradeSteps shipped_upgrade_steps() {
  return {kSteps, std::size(kSteps)};
}

}  // namespace pt2
