// Operands: tensors that no kernel of the operator takes together, by their metas.
#include "pt2/analysis/verify/check.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "pt2/analysis/text/argument_text.h"
#include "pt2/schema_info.h"
#include "pt2/versions/graph/walk.h"
#include "pt2/versions/text/type_names.h"

namespace pt2 {
namespace {

/// What the kernels of an operator ask of dtypes. Source: torch 2.13, which
/// tests/interop/torch_operands_test.py asks of each row.
struct OperandRow {
  std::string_view name;  // of the operator in aten; the one that works in place is meant, too
  std::array<std::string_view, 3> alike;  // arguments of one dtype
  std::string_view index = {};            // an argument of 32 or 64 bit integers
  std::string_view mask = {};             // an argument of bools, or of bytes as old releases have them
};

constexpr OperandRow kOperandRows[] = {
    {"addbmm.default", {"self", "batch1", "batch2"}},
    {"addmm.default", {"self", "mat1", "mat2"}},
    {"addmv.default", {"self", "mat", "vec"}},
    {"baddbmm.default", {"self", "batch1", "batch2"}},
    {"bmm.default", {"self", "mat2"}},
    {"conv1d.default", {"input", "weight"}},
    {"conv2d.default", {"input", "weight"}},
    {"conv3d.default", {"input", "weight"}},
    {"conv_transpose1d.default", {"input", "weight"}},
    {"conv_transpose2d.input", {"input", "weight"}},
    {"conv_transpose3d.input", {"input", "weight"}},
    {"convolution.default", {"input", "weight"}},
    {"dot.default", {"self", "tensor"}},
    {"embedding.default", {}, "indices"},
    {"gather.default", {}, "index"},
    {"index_add.default", {"self", "source"}, "index"},
    {"index_copy.default", {"self", "source"}, "index"},
    {"index_put.default", {"self", "values"}},
    {"index_select.default", {}, "index"},
    {"linear.default", {"input", "weight", "bias"}},
    {"masked_fill.Scalar", {}, {}, "mask"},
    {"masked_fill.Tensor", {}, {}, "mask"},
    {"masked_scatter.default", {"self", "source"}, {}, "mask"},
    {"masked_select.default", {}, {}, "mask"},
    {"matmul.default", {"self", "other"}},
    {"mm.default", {"self", "mat2"}},
    {"mv.default", {"self", "vec"}},
    {"scaled_dot_product_attention.default", {"query", "key", "value"}},
    {"scatter.src", {"self", "src"}, "index"},
    {"scatter.value", {}, "index"},
    {"scatter_add.default", {"self", "src"}, "index"},
    {"vdot.default", {"self", "other"}},
    {"where.self", {}, {}, "condition"},
};

std::unordered_map<const Operator*, const OperandRow*> rows_by_operator() {
  std::unordered_map<const Operator*, const OperandRow*> rows;
  for (const OperandRow& row : kOperandRows) {
    std::string target = "torch.ops.aten." + std::string(row.name);
    rows.emplace(find_operator(target), &row);
    rows.emplace(find_operator(target.insert(target.rfind('.'), "_")), &row);
  }
  rows.erase(nullptr);
  return rows;
}

const OperandRow* find_row(const Operator* op) {
  static const std::unordered_map<const Operator*, const OperandRow*> kByOperator = rows_by_operator();
  const auto found = kByOperator.find(op);
  return found == kByOperator.end() ? nullptr : found->second;
}

/// Whether operands are converted before kernels see them.
bool is_in_autocast(const Check& check, const Check::Scope& scope) {
  const auto& scopes = check.index().scopes();
  for (const Check::Scope* inner = &scope; inner->argument != nullptr; inner = &scopes[inner->parent]) {
    const Node& node = scopes[inner->parent].index.graph().nodes[inner->node];
    if (node.target == "torch.ops.higher_order.wrap_with_autocast") return true;
  }
  return false;
}

class OperandCheck {
 public:
  OperandCheck(Check& check, const NodePlace& place) : check_(check), place_(place) {}

  /// Whether the node states a result of 16 bits for operands of 32, which the operator does not give: a
  /// non-strict export of torch 2.4 or 2.5 that lost autocast and kept its dtypes.
  bool has_stale_dtype(const OperandRow& row) const {
    if (row.alike[0].empty() || place_.node.outputs.size() != 1) return false;
    const TensorMeta* const result = meta_of(place_.node.outputs[0]);
    if (result == nullptr) return false;
    if (result->dtype != ScalarType::HALF && result->dtype != ScalarType::BFLOAT16) return false;
    for (const NamedArgument& argument : place_.node.inputs) {
      const TensorMeta* const meta = meta_of(argument.arg);
      if (meta != nullptr && meta->dtype != ScalarType::FLOAT) return false;
    }
    return true;
  }

  void check_dtypes(const OperandRow& row) {
    const TensorMeta* first = nullptr;
    for (std::uint32_t input = 0; input < place_.node.inputs.size(); ++input) {
      const NamedArgument& argument = place_.node.inputs[input];
      const TensorMeta* const meta = meta_of(argument.arg);
      if (meta == nullptr || argument.name.empty()) continue;
      const ScalarType dtype = meta->dtype;
      if (argument.name == row.index && dtype != ScalarType::INT && dtype != ScalarType::LONG) {
        add_dtype(input, "INT or LONG", dtype);
      } else if (argument.name == row.mask && dtype != ScalarType::BOOL && dtype != ScalarType::BYTE) {
        add_dtype(input, "BOOL", dtype);
      } else if (std::find(row.alike.begin(), row.alike.end(), argument.name) != row.alike.end()) {
        if (first == nullptr) first = meta;
        if (dtype != first->dtype) add_dtype(input, enumerator_text(first->dtype) + ", as before", dtype);
      }
    }
  }

  /// As torch's fake tensors do: a number on the CPU goes with tensors of any device.
  void check_devices() {
    const auto is_number = [](const TensorMeta& meta) {
      return meta.sizes.empty() && meta.device.type == "cpu";
    };
    const TensorMeta* common = nullptr;
    for (std::uint32_t input = 0; input < place_.node.inputs.size(); ++input) {
      const TensorMeta* const meta = meta_of(place_.node.inputs[input].arg);
      if (meta == nullptr) continue;
      if (common == nullptr || is_number(*common)) {
        common = meta;
      } else if (!is_number(*meta) && !is_same(meta->device, common->device)) {
        check_.add(RuleId::operand_device, path_of(input),
                   "expected a tensor on " + text(common->device) + ", as before, found one on " +
                       text(meta->device));
        return;
      }
    }
  }

  /// `cuda` is a device, its first.
  static bool is_same(const Device& a, const Device& b) {
    return a.type == b.type && a.index.value_or(0) == b.index.value_or(0);
  }

 private:
  /// Null: no tensor, or one that nothing is known of.
  const TensorMeta* meta_of(const Argument& argument) const {
    const std::string* name = nullptr;
    if (const auto* const tensor = argument.get_if<Argument::as_tensor>()) name = &tensor->name;
    if (const auto* const optional = argument.get_if<Argument::as_optional_tensor>()) {
      const auto* const held = optional->get_if<OptionalTensorArgument::as_tensor>();
      if (held != nullptr) name = &held->name;
    }
    return name == nullptr ? nullptr : place_.scope.index.graph().tensor_values.find(*name);
  }

  static std::string text(const Device& device) { return schemagen::quoted(torch_name(device)); }

  std::string path_of(std::uint32_t input) const {
    return check_.path_of_input(place_.scope, place_.number, input);
  }

  void add_dtype(std::uint32_t input, const std::string& expected, ScalarType found) {
    if (is_in_autocast(check_, place_.scope)) return;
    check_.add(RuleId::operand_dtype, path_of(input),
               "expected a tensor of " + expected + ", found one of " + enumerator_text(found));
  }

  Check& check_;
  const NodePlace& place_;
};

}  // namespace

namespace {

bool has_several_devices(const Graph& graph) {
  const auto& metas = graph.tensor_values;
  return std::any_of(metas.begin(), metas.end(), [&](const auto& entry) {
    return !OperandCheck::is_same(entry.value.device, metas.begin()->value.device);
  });
}

bool has_stale_dtypes(Check& check, const Check::Scope& scope, const OperatorSet& operators) {
  const std::vector<Node>& nodes = scope.index.graph().nodes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodePlace place{scope, i, nodes[i], operators.find(nodes[i].target)};
    const OperandRow* const row = find_row(place.op);
    if (row != nullptr && OperandCheck(check, place).has_stale_dtype(*row)) return true;
  }
  return false;
}

}  // namespace

OperandFacts operand_facts(Check& check, const Check::Scope& scope, const OperatorSet& operators) {
  return {has_several_devices(scope.index.graph()), has_stale_dtypes(check, scope, operators)};
}

void check_operands(Check& check, const NodePlace& place, const OperandFacts& facts) {
  if (place.op == nullptr || place.op->kind != OperatorKind::overload) return;
  const OperandRow* const row = find_row(place.op);
  if (row != nullptr && !facts.stale_dtypes) OperandCheck(check, place).check_dtypes(*row);
  // Of other operators, some take operands of several devices: index() and copy_().
  if (facts.several_devices && (row != nullptr || has_tag(*place.op, OperatorTag::pointwise))) {
    OperandCheck(check, place).check_devices();
  }
}

}  // namespace pt2
