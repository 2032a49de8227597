// Finds combinations of tensors that no kernel accepts.
#include "pt2/verify/check.h"

#include <algorithm>
#include <unordered_map>

#include "pt2/schema_info.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/affix.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

/// torch 2.13; tests/interop/torch_operands_test.py compares each row.
struct OperandRow {
  std::string_view operators;
  std::string_view alike;
  std::string_view index = {};
  std::string_view mask = {};
  std::string_view long_index = {};
};

constexpr OperandRow kOperandRows[] = {
    {"addbmm.default baddbmm.default", "self batch1 batch2"},
    {"addmm.default", "self mat1 mat2"},
    {"addmv.default", "self mat vec"},
    {"bmm.default mm.default", "self mat2"},
    {"conv1d.default conv2d.default conv3d.default conv_transpose1d.default conv_transpose2d.input "
     "conv_transpose3d.input convolution.default",
     "input weight"},
    {"dot.default", "self tensor"},
    {"embedding.default", {}, "indices"},
    {"gather.default index_select.default scatter.value scatter.value_reduce", {}, "index"},
    {"index_add.default index_copy.default index_reduce.default", "self source", "index"},
    {"index_fill.int_Scalar index_fill.int_Tensor take.default", {}, {}, {}, "index"},
    {"index_put.default", "self values"},
    {"linear.default", "input weight bias"},
    {"masked_fill.Scalar masked_fill.Tensor masked_select.default", {}, {}, "mask"},
    {"masked_scatter.default", "self source", {}, "mask"},
    {"matmul.default vdot.default", "self other"},
    {"mv.default", "self vec"},
    {"put.default", "self source", {}, {}, "index"},
    {"scaled_dot_product_attention.default", "query key value"},
    {"scatter.reduce scatter.src scatter_add.default scatter_reduce.two", "self src", "index"},
    {"take_along_dim.default", {}, {}, {}, "indices"},
    {"where.self", {}, {}, "condition"},
};

const OperandRow* find_row(const Operator* op) {
  static const std::unordered_map<const Operator*, const OperandRow*> kByOperator = [] {
    std::unordered_map<const Operator*, const OperandRow*> rows;
    for (const OperandRow& row : kOperandRows) {
      for_each_word(row.operators, [&](std::string_view name) {
        std::string target = "torch.ops.aten." + std::string(name);
        rows.emplace(find_operator(target), &row);
        rows.emplace(find_operator(target.insert(target.rfind('.'), "_")), &row);
      });
    }
    rows.erase(nullptr);
    return rows;
  }();
  const auto found = kByOperator.find(op);
  return found == kByOperator.end() ? nullptr : found->second;
}

const std::string* tensor_name(const Argument& argument) {
  if (const auto* const tensor = argument.get_if<Argument::as_tensor>()) return &tensor->name;
  const auto* const optional = argument.get_if<Argument::as_optional_tensor>();
  const auto* const held =
      optional == nullptr ? nullptr : optional->get_if<OptionalTensorArgument::as_tensor>();
  return held == nullptr ? nullptr : &held->name;
}

const TensorMeta* operand_meta(const NodePlace& place, std::uint32_t input) {
  const std::string* const name = tensor_name(place.node.inputs[input].arg);
  return name == nullptr ? nullptr : place.scope.index.graph().tensor_values.find(*name);
}

bool has_size_0(const TensorMeta& meta) {
  return std::any_of(meta.sizes.begin(), meta.sizes.end(), [](const SymInt& size) {
    const auto* const number = size.get_if<SymInt::as_int>();
    return number != nullptr && *number == 0;
  });
}

void check_dtypes(const NodePlace& place, const OperandRow& row, bool is_in_autocast, const NameSet& stale) {
  const auto add = [&](std::initializer_list<std::uint32_t> inputs, const std::string& expected,
                       ScalarType found) {
    const auto is_stale = [&](std::uint32_t input) {
      return stale.count(*tensor_name(place.node.inputs[input].arg)) != 0;
    };
    if (is_in_autocast || std::any_of(inputs.begin(), inputs.end(), is_stale)) return;
    place.add(RuleId::operand_dtype, *inputs.begin(),
              "expected a tensor of " + expected + ", found one of " + enumerator_text(found));
  };
  const TensorMeta* first = nullptr;
  std::uint32_t first_input = 0;
  for (std::uint32_t input = 0; input < place.node.inputs.size(); ++input) {
    const std::string& name = place.node.inputs[input].name;
    const TensorMeta* const meta = operand_meta(place, input);
    if (meta == nullptr || name.empty()) continue;
    const ScalarType dtype = meta->dtype;
    if (name == row.index && dtype != ScalarType::INT && dtype != ScalarType::LONG) {
      // These do not look at the dtype of an empty index.
      const bool takes_any_empty = starts_with(place.op->target, "torch.ops.aten.gather") ||
                                   starts_with(place.op->target, "torch.ops.aten.scatter");
      if (!takes_any_empty || !has_size_0(*meta)) add({input}, "INT or LONG", dtype);
    } else if (name == row.long_index && dtype != ScalarType::LONG) {
      add({input}, "LONG", dtype);
    } else if (name == row.mask && dtype != ScalarType::BOOL && dtype != ScalarType::BYTE) {
      add({input}, "BOOL", dtype);
    } else if (has_word(row.alike, name)) {
      if (first == nullptr) {
        first = meta;
        first_input = input;
      }
      if (dtype != first->dtype)
        add({input, first_input}, enumerator_text(first->dtype) + " like the previous ones", dtype);
    }
  }
}

bool is_same_device(const Device& a, const Device& b) {
  return a.type == b.type && a.index.value_or(0) == b.index.value_or(0);
}

/// As in torch's fake tensors, a 0-d CPU tensor matches any device.
void check_devices(const NodePlace& place) {
  const auto is_number = [](const TensorMeta& meta) {
    return meta.sizes.empty() && meta.device.type == "cpu";
  };
  const TensorMeta* common = nullptr;
  for (std::uint32_t input = 0; input < place.node.inputs.size(); ++input) {
    const TensorMeta* const meta = operand_meta(place, input);
    if (meta == nullptr) continue;
    if (common == nullptr || is_number(*common)) {
      common = meta;
    } else if (!is_number(*meta) && !is_same_device(meta->device, common->device)) {
      return place.add(RuleId::operand_device, input,
                       "expected a tensor on " + schemagen::quoted(torch_name(common->device)) +
                           " like the previous ones, found one on " +
                           schemagen::quoted(torch_name(meta->device)));
    }
  }
}

}  // namespace

bool has_several_devices(const Graph& graph) {
  const auto& metas = graph.tensor_values;
  return std::any_of(metas.begin(), metas.end(), [&](const auto& entry) {
    return !is_same_device(entry.value.device, metas.begin()->value.device);
  });
}

void check_operands(const NodePlace& place, bool several_devices, bool is_in_autocast, const NameSet& stale) {
  if (place.op->kind != OperatorKind::overload) return;
  const OperandRow* const row = find_row(place.op);
  if (row != nullptr) check_dtypes(place, *row, is_in_autocast, stale);
  // Other operators, such as index() and copy_(), accept several devices.
  if (several_devices && (row != nullptr || has_tag(*place.op, OperatorTag::pointwise))) check_devices(place);
}

}  // namespace pt2
