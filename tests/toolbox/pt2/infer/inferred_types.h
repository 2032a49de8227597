#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/infer.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"

/// `f32[2, s0 = 5] strides [5, 1] + 0 on cpu`: evaluated, because `s0//2` and `Max(1, s0//2)` are the same
/// size. Omits strides of dims of size 1.
inline std::string type_line(const pt2::TensorType& type, const pt2::Bindings& symbols) {
  const auto text = [&](const pt2::Size& size) {
    const auto value = size.hint(symbols);
    return value ? std::to_string(*value) : pt2::sym_int_text(size.sym_int({}));
  };
  const auto list = [&](const std::vector<pt2::Size>& sizes) {
    std::string line;
    for (const pt2::Size& size : sizes) line += (line.empty() ? "" : ", ") + text(size);
    return "[" + line + "]";
  };
  std::vector<pt2::Size> strides = type.strides;
  for (std::size_t i = 0; i < strides.size(); ++i)
    strides[i] = type.sizes[i].is(1) ? pt2::Size(0) : strides[i];
  return std::string(pt2::short_name(type.dtype)) + list(type.sizes) + " strides " + list(strides) + " + " +
         text(type.offset) + " on " + pt2::device_text(type.device);
}

inline std::vector<std::string> type_lines(const pt2::ValueType& type, const pt2::Bindings& symbols) {
  if (const auto* tensor = std::get_if<pt2::TensorType>(&type)) return {type_line(*tensor, symbols)};
  if (const auto* number = std::get_if<pt2::SymInt>(&type)) {
    const pt2::Size size(*number);
    const auto value = size.hint(symbols);
    return {"int " + (value ? std::to_string(*value) : pt2::sym_int_text(size.sym_int({})))};
  }
  if (std::holds_alternative<pt2::SymFloat>(type)) return {"float"};
  if (std::holds_alternative<pt2::SymBool>(type)) return {"bool"};
  std::vector<std::string> lines;
  if (const auto* tensors = std::get_if<std::vector<pt2::TensorType>>(&type)) {
    for (const pt2::TensorType& tensor : *tensors) lines.push_back(type_line(tensor, symbols));
  }
  return lines;
}

struct InferredNode {
  bool is_known = false;
  std::vector<std::string> types;
};

inline pt2::Bindings other_values(const pt2::Bindings& hints) {
  pt2::Bindings others;
  for (const auto& [symbol, value] : hints) others.insert(symbol, 3 * value + 17);
  return others;
}

inline pt2::ValueType recorded_type(const pt2::Graph& graph, const std::string& name) {
  const pt2::ValueMeta meta = pt2::find_value(graph, name);
  if (meta.tensor != nullptr) return pt2::TensorType(*meta.tensor);
  if (meta.sym_int != nullptr) return *meta.sym_int;
  if (meta.sym_float != nullptr) return *meta.sym_float;
  if (meta.sym_bool != nullptr) return *meta.sym_bool;
  return std::monostate();
}

/// torch takes the fake tensor of equal arguments from a cache, which drops the offset of all but views.
inline void forget_offset(pt2::ValueType& type, const pt2::Node& node, const pt2::Operator& op,
                          const pt2::Graph& graph) {
  auto* const tensor = std::get_if<pt2::TensorType>(&type);
  if (tensor == nullptr || op.may_return_inputs || op.returns.empty() || op.returns.front().alias) return;
  const auto* const name = node.outputs.front().get_if<pt2::Argument::as_tensor>();
  const pt2::ValueType recorded = name ? recorded_type(graph, name->name) : pt2::ValueType();
  const auto* const other = std::get_if<pt2::TensorType>(&recorded);
  if (other != nullptr && other->offset.is(0)) tensor->offset = 0;
}

inline InferredNode infer_node(const pt2::Node& node, const pt2::Graph& graph, const pt2::Bindings& hints,
                               const pt2::Autocast& autocast) {
  InferredNode inferred;
  const pt2::Operator* const op = pt2::find_operator(node.target);
  if (op == nullptr) return inferred;
  if (op->returns.empty() && !op->returns_more) return {true, {}};
  try {
    auto types = pt2::infer_results(node, *op, graph, hints, autocast);
    if (!types) return inferred;
    if (types->size() == 1 && node.outputs.size() == 1) forget_offset(types->front(), node, *op, graph);
    for (const pt2::Bindings& symbols : {hints, other_values(hints)}) {
      for (const pt2::ValueType& type : *types) {
        for (std::string& line : type_lines(type, symbols)) inferred.types.push_back(std::move(line));
      }
    }
  } catch (const schemagen::DataError& error) {
    inferred.types = {error.what()};
  }
  inferred.is_known = true;
  return inferred;
}

inline std::vector<std::string> recorded_types(const pt2::Node& node, const pt2::Graph& graph,
                                               const pt2::Bindings& hints) {
  std::vector<std::string> lines;
  for (const pt2::Bindings& symbols : {hints, other_values(hints)}) {
    for (const pt2::Argument& output : node.outputs) {
      pt2::for_each_slot(output, [&](const std::string* name, pt2::ValueName::Table) {
        if (name == nullptr) return;
        for (std::string& line : type_lines(recorded_type(graph, *name), symbols))
          lines.push_back(std::move(line));
      });
    }
  }
  return lines;
}

/// Also visits subgraphs. Counts unknown nodes by target.
template <class Visit>
void for_each_inferred_node(const pt2::Graph& graph, const pt2::Autocast& autocast, const Visit& visit,
                            std::map<std::string, std::size_t>& unknown) {
  const pt2::Bindings hints = pt2::hints_of(graph);
  for (const pt2::Node& node : graph.nodes) {
    const InferredNode inferred = infer_node(node, graph, hints, autocast);
    if (inferred.is_known) {
      visit(node, inferred.types, recorded_types(node, graph, hints));
    } else {
      ++unknown[node.target];
    }
    pt2::for_each_subgraph(node, [&](const pt2::GraphArgument& subgraph) {
      for_each_inferred_node(*subgraph.graph, pt2::autocast_within(node, autocast), visit, unknown);
    });
  }
}

template <class Visit>
std::map<std::string, std::size_t> for_each_inferred_node(const pt2::ExportedProgram& program,
                                                          const Visit& visit) {
  std::map<std::string, std::size_t> unknown;
  for_each_inferred_node(program.graph_module.graph, {}, visit, unknown);
  return unknown;
}
