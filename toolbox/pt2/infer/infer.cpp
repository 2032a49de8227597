#include "pt2/infer/infer.h"

#include <algorithm>
#include <unordered_map>

#include "pt2/graph/walk.h"
#include "pt2/infer/rules.h"
#include "pt2/operators/higher_order.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/text/affix.h"
#include "pt2/text/words.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using RuleTable = std::unordered_map<std::string_view, NamedRule>;

const RuleTable& rule_table() {
  static const RuleTable table = [] {
    RuleTable made;
    for (const auto rules : {pointwise_rules, view_rules, reduction_rules, product_rules, window_rules,
                             layer_rules, indexing_rules, factory_rules, symbol_rules, subgraph_rules,
                             linear_algebra_rules, gradient_rules}) {
      for (const NamedRule& named : rules()) {
        for_each_word(named.names, [&](std::string_view name) { made.emplace(name, named); });
      }
    }
    return made;
  }();
  return table;
}

/// `add.Tensor` for `torch.ops.aten.add.Tensor`, `higher_order.cond`, `_operator.add`
std::string_view rule_name(const Operator& op) {
  std::string_view name = op.target;
  for (const std::string_view prefix : {kOperatorPrefix, std::string_view("aten.")}) {
    if (op.kind != OperatorKind::function && starts_with(name, prefix)) name.remove_prefix(prefix.size());
  }
  return name;
}

/// Aliases have the rule of the operator that they stand for. For example, `special_erf` uses the rule of
/// `erf`, `squeeze_` the rule of `squeeze`, and `split_copy` copies the results of `split`.
std::pair<const NamedRule*, bool> rule_of(const Operator& op) {
  const RuleTable& table = rule_table();
  std::string_view name = rule_name(op);
  auto found = table.find(name);
  bool is_copy = false;
  if (op.kind == OperatorKind::overload) {
    const auto shorten = [&](std::string_view shorter) {
      if (found != table.end()) return;
      name = shorter;
      found = table.find(name);
    };
    shorten(name.substr(0, name.rfind('.')));
    if (starts_with(name, "special_")) shorten(name.substr(8));
    if (starts_with(name, "_foreach_") && !op.returns.empty()) shorten("_foreach");
    if (has_tag(op, OperatorTag::inplace_view)) shorten(name.substr(0, name.rfind('_')));
    is_copy = found == table.end() && ends_with(name, "_copy");
    if (is_copy) shorten(name.substr(0, name.size() - 5));
  }
  return {found == table.end() ? nullptr : &found->second, is_copy};
}

const OperatorArgument* written_argument(const Operator& op) {
  if (op.returns.size() != 1 || !op.returns.front().alias || !op.returns.front().alias->is_write)
    return nullptr;
  for (const OperatorArgument& argument : op.arguments) {
    if (argument.alias && argument.alias->before == op.returns.front().alias->before) return &argument;
  }
  return nullptr;
}

bool is_pointwise(const Operator& op) {
  return op.returns.size() == 1 && op.returns.front().type.kind == OperatorTypeKind::Tensor &&
         has_tag(op, OperatorTag::pointwise);
}

/// torch exports programs without gradients.
Results finished(Results types, bool is_copy) {
  const auto finish = [&](TensorType& tensor) {
    if (is_copy) tensor = contiguous_like(tensor, tensor.sizes);
    tensor.requires_grad = false;
  };
  for (ValueType& type : types) {
    if (auto* const tensor = std::get_if<TensorType>(&type)) finish(*tensor);
    if (auto* const tensors = std::get_if<std::vector<TensorType>>(&type)) {
      std::for_each(tensors->begin(), tensors->end(), finish);
    }
  }
  return types;
}

ScalarType changed_dtype(const InferredCall& call, ScalarType dtype, std::string_view word) {
  if (ends_with(word, "dtype")) return call.dtype(dtype, word);
  if (word == "real") return real(dtype);
  if (word == "floating") return as_float(dtype);
  if (word == "complex") return as_complex(dtype);
  if (word == "summed") return is_float(dtype) || is_complex(dtype) ? dtype : ScalarType::LONG;
  if (word == "widest") return is_complex(dtype) ? ScalarType::COMPLEXDOUBLE : ScalarType::DOUBLE;
  return *dtype_named(word);
}

TensorType described_layout(const InferredCall& call, std::string_view layout, std::string_view name) {
  if (layout == "operands") return combined_operands(call);
  if (layout == "reduced") return reduced(call);
  if (layout == "new") {
    const bool is_list = call.arguments.at(name).declared->type.kind == OperatorTypeKind::list;
    return TensorType(ScalarType::FLOAT, is_list ? call.sizes(name) : Sizes{call.size(name)},
                      call.has("device") ? call.arguments.get_device("device") : Device{"cpu", {}});
  }
  if (layout == "rows") {
    const TensorType first = call.operand(0);
    require_min_rank(first, 1);
    return contiguous_like(first, {call.size(name), first.sizes.back()});
  }
  if (without_optional(call.arguments.at(name).declared->type).kind != OperatorTypeKind::Tensor) {
    const TensorType first = call.operand(0);
    Sizes sizes = call.sizes(name);
    return layout == "images" ? images_like(call, first, std::move(sizes))
                              : contiguous_like(first, std::move(sizes));
  }
  TensorType like = call.tensor(name);
  if (layout == "broadcast") {
    const TensorType first = call.operand(0);
    return contiguous_like(first, broadcast(first.sizes, like.sizes, call.hints));
  }
  if (layout == "contiguous") return contiguous_like(call.operand(0), like.sizes);
  if (layout == "dense") return dense_like(like, like.dtype, call.hints);
  if (layout == "images") return images_like(call, like, like.sizes);
  if (layout == "format") return in_format(call, like, like.dtype);
  if (layout == "scaled") return combined({call.tensor("rstd"), like}, like.dtype, call.hints);
  if (layout == "optional") return contiguous_like(like, like.sizes);
  if (layout == "scalar") return contiguous_like(like, {});
  if (layout != "first") return like;
  require_min_rank(like, 1);
  return contiguous_like(like, {like.sizes[0]});
}

ValueType described_result(const InferredCall& call, std::string_view words) {
  std::vector<std::string_view> parts;
  for_each_word(words, [&](std::string_view word) { parts.push_back(word); });
  const std::string_view name =
      parts.at(1) == "_" ? std::string_view(call.op.arguments.at(0).name) : parts[1];
  if (parts[0] == "optional" && !call.has(name)) return std::monostate();
  TensorType type = described_layout(call, parts[0], name);
  ScalarType dtype = type.dtype;
  for (std::size_t i = 2; i < parts.size(); ++i) dtype = changed_dtype(call, dtype, parts[i]);
  if (parts[0] == "cast" && dtype != type.dtype) type = dense_like(type, dtype, call.hints);
  type.dtype = dtype;
  return type;
}

}  // namespace

std::optional<std::vector<ValueType>> infer_results(const Node& node, const Operator& op, const Graph& graph,
                                                    const Bindings& hints, const Autocast& autocast,
                                                    SizeTexts* given_texts) {
  SizeTexts own_texts;
  SizeTexts& texts = given_texts == nullptr ? own_texts : *given_texts;
  const OperatorArgument* const written = written_argument(op);
  if (written == nullptr && has_tag(op, OperatorTag::out)) return std::nullopt;
  if (written != nullptr && !has_tag(op, OperatorTag::inplace_view)) {
    return finished({InferredCall(node, op, graph, hints, texts).tensor(written->name)}, false);
  }
  const auto [rule, is_copy] = rule_of(op);
  if (rule == nullptr && !is_pointwise(op)) return std::nullopt;
  const std::string_view name = rule_name(op);
  const InferredCall call(node, op, graph, hints, texts,
                          dtype_below(autocast, name.substr(0, name.rfind('.'))), autocast.device_type,
                          rule == nullptr ? std::string_view() : rule->words);
  Results types = rule == nullptr ? pointwise(call) : rule->rule(call);
  if (types.empty()) return std::nullopt;
  return finished(std::move(types), is_copy);
}

bool has_rule(const Operator& op) {
  const bool is_written = written_argument(op) != nullptr && !has_tag(op, OperatorTag::inplace_view);
  return is_written || (!has_tag(op, OperatorTag::out) && (rule_of(op).first != nullptr || is_pointwise(op)));
}

void require_few(std::size_t count, std::size_t most, const char* noun) {
  if (count <= most) return;
  fail_inference("expected at most ", most, noun, ", got ", count);
}

void InferredCall::require_results(std::int64_t count) const {
  std::size_t most = 0;
  for (const Argument& output : node.outputs) {
    const auto* const list = output.get_if<Argument::as_tensors>();
    most += list == nullptr ? 1 : list->size();
  }
  if (node.outputs.empty()) most = kMostTensors;  // the node is under construction
  if (count < 0 || static_cast<std::uint64_t>(count) > most) {
    fail_inference("the operator returns ", count, count == 1 ? " tensor" : " tensors", ", but the node has ",
                   schemagen::counted(most, "output"));
  }
  require_few(static_cast<std::size_t>(count), kMostTensors, " tensors");
}

std::optional<TensorType> InferredCall::recorded(std::size_t rank, std::size_t result) const {
  const std::vector<std::string> names = names_in(node.outputs);
  const TensorMeta* const meta = result < names.size() ? graph.tensor_values.find(names[result]) : nullptr;
  if (meta == nullptr || meta->sizes.size() != rank || meta->strides.size() != rank) return std::nullopt;
  return TensorType(*meta, texts);
}

std::string InferredCall::new_symbol(const std::string& prefix) const {
  schemagen::Set used;
  for_each_table(graph, [&](const auto& values, ValueName::Table) {
    for (const auto& [name, value] : values) {
      for_each_expression(value, [&](const std::string& text) {
        for_each_symbol(parse_expression(text),
                        [&](std::string_view symbol) { used.insert(std::string(symbol)); });
      });
    }
  });
  std::string symbol;
  do symbol = prefix + std::to_string(new_symbols_++);
  while (used.contains(symbol));
  return symbol;
}

Size InferredCall::new_size() const {
  return Size::of(parse_expression("Symbol('" + new_symbol("u") + "', integer=True)"));
}

Size InferredCall::size_from_data(std::size_t dim, std::size_t rank, std::size_t result) const {
  // A node without outputs is under construction.
  require(!node.outputs.empty(),
          "the size of the result depends on data: cannot infer the types of its results; pass them");
  const auto type = recorded(rank, result);
  return type ? type->sizes.at(dim) : new_size();
}

bool InferredCall::declares(std::string_view name) const {
  return argument_position(op, name) < op.arguments.size();
}

TensorType InferredCall::type_of(const std::string& value) const {
  const TensorMeta* const meta = graph.tensor_values.find(value);
  if (meta == nullptr) fail_inference("unknown tensor ", schemagen::quoted(value));
  require_few(meta->sizes.size(), kMostDims, " dims");
  require_few(meta->strides.size(), kMostDims, " dims");
  TensorType type(*meta, texts);
  const bool is_cast = computed_in_ && type.device.type == cast_device_ && is_float(type.dtype) &&
                       type.dtype != ScalarType::DOUBLE;
  return is_cast ? dense_like(type, *computed_in_, hints) : type;
}

TensorType InferredCall::operand(std::size_t number) const {
  for (const OperatorArgument& argument : op.arguments) {
    if (argument.type.kind == OperatorTypeKind::Tensor && number-- == 0) return tensor(argument.name);
  }
  fail_inference("expected more tensors among the arguments");
}

TensorType InferredCall::tensor(std::string_view name, std::size_t rank) const {
  TensorType type = tensor(name);
  require_rank(type, rank);
  return type;
}

std::vector<TensorType> InferredCall::tensors(std::string_view name) const {
  const std::vector<std::string> values = arguments.tensors(name);
  require_few(values.size(), kMostTensors, " tensors");
  return mapped(values, [&](const std::string& value) { return type_of(value); });
}

Size InferredCall::size_of(const SymIntArgument& argument) const {
  if (const auto* const number = argument.get_if<SymIntArgument::as_int>()) return Size(*number);
  const std::string& name = argument.get<SymIntArgument::as_name>();
  const SymInt* const value = graph.sym_int_values.find(name);
  if (value == nullptr) fail_inference("unknown symbolic int ", schemagen::quoted(name));
  return texts.size(*value);
}

Sizes InferredCall::sizes(std::string_view name) const {
  const std::vector<SymIntArgument> given = arguments.sym_ints(name);
  require_few(given.size(), kMostDims, " dims");
  return mapped(given, [&](const SymIntArgument& argument) { return size_of(argument); });
}

std::size_t InferredCall::dim_of(std::int64_t dim, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank == 0 ? 1 : rank);  // a scalar has the dims 0 and -1
  if (dim < -count || dim >= count) fail_inference("dim ", dim, " is out of range for rank ", rank);
  return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

std::vector<std::size_t> InferredCall::dims_of(const std::vector<std::int64_t>& dims, std::size_t rank) {
  return mapped(dims, [&](std::int64_t dim) { return dim_of(dim, rank); });
}

std::size_t InferredCall::dim(std::string_view name, std::size_t rank) const {
  return dim_of(arguments.get_int(name), rank);
}

std::vector<bool> InferredCall::dims(std::string_view name, std::size_t rank) const {
  std::vector<std::int64_t> given;
  if (has(name)) given = arguments.get_ints(name);
  std::vector<bool> chosen(rank, given.empty());
  for (const std::int64_t dim : given) {
    const std::size_t at = dim_of(dim, rank);
    if (rank > 0) chosen[at] = true;
  }
  return chosen;
}

std::pair<TensorType, std::size_t> along_dim(const InferredCall& call) {
  TensorType type = call.operand(0);
  require_min_rank(type, 1);
  const std::size_t dim = call.dim("dim", type.sizes.size());
  return {std::move(type), dim};
}

ScalarType InferredCall::dtype(ScalarType usual, std::string_view name) const {
  return has(name) ? arguments.get_scalar_type(name) : usual;
}

Results described_by(std::string_view words, const InferredCall& call) {
  std::vector<bool> is_asked;
  if (call.declares("output_mask")) is_asked = call.arguments.get_bools("output_mask");
  Results results;
  while (!words.empty()) {
    const std::string_view result = words.substr(0, words.find(", "));
    const bool is_left_out = results.size() < is_asked.size() && !is_asked[results.size()];
    results.push_back(is_left_out ? ValueType() : described_result(call, result));
    words.remove_prefix(std::min(result.size() + 2, words.size()));
  }
  return results;
}

Results described(const InferredCall& call) {
  return described_by(call.words, call);
}

}  // namespace pt2
