#include "pt2/upgrade/lift_constants.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pt2/tensors/pickled_tensors.h"
#include "schemagen/document/member.h"
#include "schemagen/json/base64.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2::from_1 {
namespace {

using rapidjson::SizeType;
using rapidjson::Value;
using schemagen::find_member;
using schemagen::object_of;
using schemagen::string_value;
using schemagen::take_member;
using schemagen::text_of;
using Allocator = rapidjson::Document::AllocatorType;

constexpr const char* kEmpty = "'constants', which is empty, is dropped";

/// `constant` says in messages which one it is.
Tensor tensor_of(const Value& saved, const std::string& constant, const UpgradeContext& context) {
  const std::optional<schemagen::Bytes> bytes = schemagen::from_base64(text_of(saved));
  if (!bytes) context.fail(constant + ": expected a file of torch.save in base64");
  try {
    std::string file(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return PickledTensors(std::move(file), context.limits()).only_tensor();
  } catch (const schemagen::DataError& error) {
    context.fail(constant + ", which is pickled in the program: " + error.what());
  }
}

/// Numbers as a list of SymInt.
Value sym_ints(const std::vector<std::int64_t>& numbers, Allocator& allocator) {
  Value list(rapidjson::kArrayType);
  for (const std::int64_t number : numbers) {
    list.PushBack(object_of("as_int", Value(number), allocator), allocator);
  }
  return list;
}

/// The TensorMeta of schema 2.
Value meta_of(const Tensor& tensor, Allocator& allocator) {
  constexpr int kStrided = 7;
  Value device = object_of("type", string_value(tensor.device.type, allocator), allocator);
  device.AddMember("index", tensor.device.index ? Value(*tensor.device.index) : Value(), allocator);
  Value meta(rapidjson::kObjectType);
  meta.AddMember("dtype", static_cast<int>(tensor.layout.dtype), allocator)
      .AddMember("sizes", sym_ints(tensor.layout.shape, allocator), allocator)
      .AddMember("requires_grad", tensor.requires_grad, allocator)
      .AddMember("device", device, allocator)
      .AddMember("strides", sym_ints(tensor.layout.strides, allocator), allocator)
      .AddMember("storage_offset", tensor.layout.offset, allocator)
      .AddMember("layout", kStrided, allocator);
  return meta;
}

/// `list` with `items` before what stands at `position`.
Value with_items(Value& list, SizeType position, Value& items, Allocator& allocator) {
  Value result(rapidjson::kArrayType);
  for (SizeType i = 0; i <= list.Size(); ++i) {
    if (i == position) {
      for (Value& item : items.GetArray()) result.PushBack(item, allocator);
    }
    if (i < list.Size()) result.PushBack(list[i], allocator);
  }
  return result;
}

}  // namespace

SizeType lift_constants(Value& graph, SizeType position, const UpgradeContext& context) {
  const Value constants = take_member(graph, "constants");
  if (!constants.IsObject()) return 0;
  if (constants.ObjectEmpty()) return context.report(kEmpty, "graph"), 0;
  Allocator& allocator = context.allocator();
  Value* const values = find_member(graph, "tensor_values");
  if (values == nullptr || !values->IsObject()) context.fail("expected a graph with 'tensor_values'");
  std::unordered_set<std::string> names;
  for (const auto& value : schemagen::DomMembers(*values)) names.emplace(text_of(value.name));
  Value inputs(rapidjson::kArrayType);
  for (const auto& [name, saved] : schemagen::DomMembers(constants)) {
    const std::string text(text_of(name));
    const std::string constant = "the constant " + schemagen::quoted(text);
    if (!names.insert(text).second) context.fail(constant + " has the name of another value");
    Tensor tensor = tensor_of(saved, constant, context);
    values->AddMember(string_value(text, allocator), meta_of(tensor, allocator), allocator);
    inputs.PushBack(
        object_of("as_tensor", object_of("name", string_value(text, allocator), allocator), allocator),
        allocator);
    context.keep_constant({text, std::move(tensor)});
    context.report(constant + " becomes an input, and its tensor, which was pickled, one of the archive's",
                   "graph");
  }
  Value& old_inputs = *find_member(graph, "inputs");
  old_inputs = with_items(old_inputs, position, inputs, allocator);
  return inputs.Size();
}

void drop_constants_of_subgraph(Value& argument, const UpgradeContext& context) {
  Value* const graph = find_member(argument, "graph");
  if (graph == nullptr) return;
  const Value constants = take_member(*graph, "constants");
  if (!constants.IsObject()) return;
  if (constants.ObjectEmpty()) return context.report(kEmpty, "graph");
  std::vector<std::string_view> names;
  for (const auto& [name, saved] : schemagen::DomMembers(constants)) names.push_back(text_of(name));
  context.fail("its graph has the constants " + schemagen::quoted_list(names) +
               ", which only the program's own graph can have in later versions: export the model again with "
               "torch 2.6 or later");
}

}  // namespace pt2::from_1
