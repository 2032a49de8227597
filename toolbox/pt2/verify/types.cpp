#include "pt2/verify/check.h"

#include <algorithm>
#include <limits>

#include "pt2/infer/infer_types.h"
#include "pt2/infer/rules.h"
#include "pt2/schema_info.h"
#include "pt2/strings/argument_text.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

/// `is_inside`: also of one that is off.
Autocast autocast_of(const Check& check, const Check::Scope& scope, bool& is_inside) {
  if (scope.argument == nullptr) return {};
  const Check::Scope& around = check.index.scopes()[scope.parent];
  const Node& node = around.index.graph().nodes[scope.node];
  is_inside = is_inside || node.target == "torch.ops.higher_order.wrap_with_autocast";
  return autocast_within(node, autocast_of(check, around, is_inside));
}

/// A fact about symbolic sizes that inference cannot prove may still be true.
bool has_only_numbers(const Node& node, const Graph& graph) {
  bool found = true;
  const auto is_number = [](const SymInt& size) { return size.is<SymInt::as_int>(); };
  for_each_name(node.inputs, [&](const std::string& name, ValueName::Table) {
    const TensorMeta* const meta = graph.tensor_values.find(name);
    found = found && meta != nullptr && std::all_of(meta->sizes.begin(), meta->sizes.end(), is_number) &&
            std::all_of(meta->strides.begin(), meta->strides.end(), is_number);
  });
  return found;
}

bool uses_any(const Node& node, const NameSet& names) {
  return !names.empty() &&
         names_any(node.inputs, [&](const std::string& name) { return names.count(name) != 0; });
}

void add_results(const Node& node, NameSet& names) {
  for_each_name(node.outputs, [&](const std::string& name) { names.insert(name); });
}

/// Non-strict exports of torch 2.4 and 2.5 dropped torch.autocast but kept its dtypes. torch relies on the
/// operators.
bool has_other_dtype(const Node& node, const Operator& op, const Graph& graph,
                     const std::vector<StaleType>& stale) {
  return op.kind == OperatorKind::overload && node.outputs.size() == 1 &&
         node.outputs[0].is<Argument::as_tensor>() && stale.size() == 1 &&
         stale[0].inferred.dtype != graph.tensor_values.find(stale[0].name)->dtype;
}

const std::int64_t* number(const SymInt& value) {
  return value.get_if<SymInt::as_int>();
}

/// Reports at most one fault.
template <class Report>
bool has_valid_shape(const TensorMeta& meta, const Report& report) {
  const auto is_fine = [&](const SymInt& value, RuleId rule, const char* noun, const char* member,
                           std::optional<std::size_t> index = {}) {
    const std::int64_t* const known = number(value);
    if (known == nullptr || *known >= 0) return true;
    report(rule, index ? at_index(member, *index) : member, noun + std::to_string(*known) + " is negative");
    return false;
  };
  if (meta.sizes.size() != meta.strides.size()) {
    report(RuleId::meta_rank, ".strides",
           schemagen::counted(meta.strides.size(), "stride") + " for " +
               schemagen::counted(meta.sizes.size(), "dimension"));
    return false;
  }
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    if (!is_fine(meta.sizes[i], RuleId::meta_size, "size ", ".sizes", i) ||
        !is_fine(meta.strides[i], RuleId::meta_stride, "stride ", ".strides", i)) {
      return false;
    }
  }
  return is_fine(meta.storage_offset, RuleId::meta_stride, "storage offset ", ".storage_offset");
}

bool fits_memory(const TensorMeta& meta) {
  constexpr double kMost = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  double last = 0;
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    const std::int64_t* const size = number(meta.sizes[i]);
    const std::int64_t* const stride = number(meta.strides[i]);
    if (size == nullptr || stride == nullptr) continue;
    if (*size == 0) return true;
    last += static_cast<double>(*size - 1) * static_cast<double>(*stride);
  }
  return 16 * last < kMost;
}

void check_meta(Check& check, const Check::Scope& scope, const std::string& name, const TensorMeta& meta) {
  const auto report = [&](RuleId rule, const std::string& member, const std::string& message) {
    check.add(rule, check.path_of_entry(scope, ValueName::Table::tensors, name) + member,
              message + " (" + schemagen::quoted(name) + ")");
  };
  if (has_valid_shape(meta, report) && !fits_memory(meta)) {
    report(RuleId::meta_size, ".sizes", "the size in bytes does not fit in 64 bits");
  }
  const std::string dtype = unknown_number(meta.dtype);
  const std::string layout = unknown_number(meta.layout);
  if (!dtype.empty()) {
    report(RuleId::meta_dtype, ".dtype", "unknown dtype " + dtype);
  } else if (!layout.empty()) {
    report(RuleId::meta_layout, ".layout", "unknown layout " + layout);
  } else if (meta.requires_grad && !is_float(meta.dtype) && !is_complex(meta.dtype)) {
    report(RuleId::meta_gradient, ".requires_grad",
           "a tensor of " + std::string(name_of(meta.dtype)) + " cannot have gradients");
  }
  report_device(meta.device, [&](RuleId rule, const char* member, const std::string& message) {
    report(rule, std::string(".device") + member, message);
  });
}

}  // namespace

void check_types(Check& check, const Check::Scope& scope, const OperatorSet& operators) {
  const Graph& graph = scope.index.graph();
  const bool several_devices = has_several_devices(graph);
  const Bindings hints = valid_hints(graph);  // check_symbols() reports malformed expressions
  bool is_in_autocast = false;
  const Autocast autocast = autocast_of(check, scope, is_in_autocast);
  SizeTexts texts;
  Sizes vmaps;
  NameSet stale;
  for (std::uint32_t number = 0; number < graph.nodes.size(); ++number) {
    const Node& node = graph.nodes[number];
    const Operator* const called = operators.find(node.target);
    if (uses_any(node, stale)) add_results(node, stale);
    if (called == nullptr) continue;
    check_operands({check, scope, number, node, called}, several_devices, is_in_autocast, stale);
    const Operator& op = operators.inferred_as(*called);
    std::string fault;
    try {
      follow_vmaps(vmaps, node, &op, graph, hints, texts);
    } catch (const ShapeError& error) {
      fault = error.reason();
    } catch (const schemagen::DataError&) {  // reported elsewhere
    }
    const std::vector<StaleType> found = stale_results(node, op, graph, hints, autocast, texts, &fault);
    if (!fault.empty() && has_only_numbers(node, graph)) {
      check.add(RuleId::operand_shape, check.path_of(scope, number),
                operator_text(node.target) + ": " + fault);
    }
    if (has_other_dtype(node, *called, graph, found)) add_results(node, stale);
    const std::string& torch = check.program.torch_version;
    if (found.empty() || follow_lost_autocast(torch, node, op, graph, hints, texts)) continue;
    for (const StaleType& each : found) {
      check.add(RuleId::stale_type, check.path_of_entry(scope, ValueName::Table::tensors, each.name),
                schemagen::quoted(each.name) + ": expected " + tensor_type_text(each.inferred) +
                    " from its inputs, found " + tensor_type_text(*graph.tensor_values.find(each.name)));
    }
  }
}

void check_metas(Check& check, const Check::Scope& scope) {
  for (const auto& entry : scope.index.graph().tensor_values) {
    check_meta(check, scope, entry.key(), entry.value);
  }
}

}  // namespace pt2
