// Finds combinations of tensors that no kernel accepts.
#include "pt2/verify/check.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <unordered_map>
#include <variant>

#include "pt2/graph/walk.h"
#include "pt2/infer/infer.h"
#include "pt2/schema_info.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/affix.h"
#include "pt2/text/type_names.h"
#include "pt2/text/words.h"
#include "schemagen/base/error.h"

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

bool is_in_autocast(const Check& check, const Check::Scope& scope) {
  const auto& scopes = check.index().scopes();
  for (const Check::Scope* inner = &scope; inner->argument != nullptr; inner = &scopes[inner->parent]) {
    const Node& node = scopes[inner->parent].index.graph().nodes[inner->node];
    if (node.target == "torch.ops.higher_order.wrap_with_autocast") return true;
  }
  return false;
}

/// Values whose declared dtypes differ from what their operators return, and what is computed from them:
/// non-strict exports of torch 2.4 and 2.5 dropped torch.autocast but kept its dtypes. torch relies on the
/// operators.
class StaleDtypes {
 public:
  StaleDtypes(const Graph& graph, const OperatorSet& operators) : graph_(graph), operators_(operators) {}

  bool has(std::string_view name) {
    if (!names_) {
      names_.emplace();
      hints_ = hints_of(graph_);
      for (const Node& node : graph_.nodes) add_results(node);
    }
    return names_->count(name) != 0;
  }

 private:
  void add_results(const Node& node) {
    bool is_stale = false;
    for_each_name(node.inputs,
                  [&](const std::string& name) { is_stale = is_stale || names_->count(name) != 0; });
    if (!is_stale && !is_given_otherwise(node)) return;
    for_each_name(node.outputs, [&](const std::string& name) { names_->insert(name); });
  }

  bool is_given_otherwise(const Node& node) {
    const Operator* const op = operators_.find(node.target);
    const auto* const result =
        node.outputs.size() == 1 ? node.outputs[0].get_if<Argument::as_tensor>() : nullptr;
    const TensorMeta* const declared = result == nullptr ? nullptr : graph_.tensor_values.find(result->name);
    if (op == nullptr || declared == nullptr || op->kind != OperatorKind::overload) return false;
    try {
      const auto types = infer_results(node, *op, graph_, hints_, {}, &texts_);
      if (!types || types->size() != 1) return false;
      const auto* const given = std::get_if<TensorType>(&types->front());
      return given != nullptr && given->dtype != declared->dtype;
    } catch (const schemagen::DataError&) {
      return false;
    }
  }

  const Graph& graph_;
  const OperatorSet& operators_;
  std::optional<std::set<std::string_view>> names_;
  Bindings hints_;
  SizeTexts texts_;
};

class OperandCheck {
 public:
  OperandCheck(const NodePlace& place, StaleDtypes& stale) : place_(place), stale_(stale) {}

  void check_dtypes(const OperandRow& row) {
    const TensorMeta* first = nullptr;
    std::uint32_t first_input = 0;
    for (std::uint32_t input = 0; input < place_.node.inputs.size(); ++input) {
      const NamedArgument& argument = place_.node.inputs[input];
      const TensorMeta* const meta = meta_of(argument.arg);
      if (meta == nullptr || argument.name.empty()) continue;
      const ScalarType dtype = meta->dtype;
      if (argument.name == row.index && dtype != ScalarType::INT && dtype != ScalarType::LONG) {
        if (!takes_any_empty_index() || !is_empty(*meta)) add_dtype({input}, "INT or LONG", dtype);
      } else if (argument.name == row.long_index && dtype != ScalarType::LONG) {
        add_dtype({input}, "LONG", dtype);
      } else if (argument.name == row.mask && dtype != ScalarType::BOOL && dtype != ScalarType::BYTE) {
        add_dtype({input}, "BOOL", dtype);
      } else if (has_word(row.alike, argument.name)) {
        if (first == nullptr) {
          first = meta;
          first_input = input;
        }
        if (dtype != first->dtype) {
          add_dtype({input, first_input}, enumerator_text(first->dtype) + " like the previous ones", dtype);
        }
      }
    }
  }

  /// As in torch's fake tensors, a 0-d CPU tensor matches any device.
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
        place_.add(RuleId::operand_device, input,
                   "expected a tensor on " + text(common->device) + " like the previous ones, found one on " +
                       text(meta->device));
        return;
      }
    }
  }

  static bool is_same(const Device& a, const Device& b) {
    return a.type == b.type && a.index.value_or(0) == b.index.value_or(0);
  }

 private:
  /// These do not look at the dtype of an empty index.
  bool takes_any_empty_index() const {
    return starts_with(place_.op->target, "torch.ops.aten.gather") ||
           starts_with(place_.op->target, "torch.ops.aten.scatter");
  }

  static bool is_empty(const TensorMeta& meta) {
    return std::any_of(meta.sizes.begin(), meta.sizes.end(), [](const SymInt& size) {
      const auto* const number = size.get_if<SymInt::as_int>();
      return number != nullptr && *number == 0;
    });
  }

  static const std::string* name_in(const Argument& argument) {
    if (const auto* const tensor = argument.get_if<Argument::as_tensor>()) return &tensor->name;
    const auto* const optional = argument.get_if<Argument::as_optional_tensor>();
    const auto* const held =
        optional == nullptr ? nullptr : optional->get_if<OptionalTensorArgument::as_tensor>();
    return held == nullptr ? nullptr : &held->name;
  }

  const TensorMeta* meta_of(const Argument& argument) const {
    const std::string* const name = name_in(argument);
    return name == nullptr ? nullptr : place_.scope.index.graph().tensor_values.find(*name);
  }

  static std::string text(const Device& device) { return schemagen::quoted(torch_name(device)); }

  void add_dtype(std::initializer_list<std::uint32_t> inputs, const std::string& expected, ScalarType found) {
    const auto is_stale = [&](std::uint32_t input) {
      return stale_.has(*name_in(place_.node.inputs[input].arg));
    };
    if (is_in_autocast(place_.check, place_.scope) || std::any_of(inputs.begin(), inputs.end(), is_stale))
      return;
    place_.add(RuleId::operand_dtype, *inputs.begin(),
               "expected a tensor of " + expected + ", found one of " + enumerator_text(found));
  }

  const NodePlace& place_;
  StaleDtypes& stale_;
};

bool has_several_devices(const Graph& graph) {
  const auto& metas = graph.tensor_values;
  return std::any_of(metas.begin(), metas.end(), [&](const auto& entry) {
    return !OperandCheck::is_same(entry.value.device, metas.begin()->value.device);
  });
}

}  // namespace

void check_operands(Check& check, const Check::Scope& scope, const OperatorSet& operators) {
  const Graph& graph = scope.index.graph();
  const bool several_devices = has_several_devices(graph);
  StaleDtypes stale(graph, operators);
  for (std::uint32_t number = 0; number < graph.nodes.size(); ++number) {
    const NodePlace place{check, scope, number, graph.nodes[number],
                          operators.find(graph.nodes[number].target)};
    if (place.op == nullptr || place.op->kind != OperatorKind::overload) continue;
    OperandCheck operands(place, stale);
    const OperandRow* const row = find_row(place.op);
    if (row != nullptr) operands.check_dtypes(*row);
    // Other operators, such as index() and copy_(), accept several devices.
    if (several_devices && (row != nullptr || has_tag(*place.op, OperatorTag::pointwise))) {
      operands.check_devices();
    }
  }
}

}  // namespace pt2
