// What infer_results() says of the nodes of a program, beside what the program has recorded.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "pt2/edit/infer.h"
#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/show/tensor_type.h"
#include "pt2/text/type_names.h"
#include "schemagen/value/error.h"

/// `f32[2, s0] strides [s0, 1] + 0 on cpu`, with expressions in one form.
inline std::string type_line(const pt2::TensorType& type) {
  const auto list = [](const std::vector<pt2::Size>& sizes) {
    std::string text;
    for (const pt2::Size& size : sizes)
      text += (text.empty() ? "" : ", ") + pt2::sym_int_text(size.sym_int({}));
    return "[" + text + "]";
  };
  return std::string(pt2::short_name(type.dtype)) + list(type.sizes) + " strides " + list(type.strides) +
         " + " + pt2::sym_int_text(type.offset.sym_int({})) + " on " + pt2::device_text(type.device);
}

inline std::vector<std::string> type_lines(const pt2::ValueType& type) {
  if (const auto* tensor = std::get_if<pt2::TensorType>(&type)) return {type_line(*tensor)};
  if (const auto* number = std::get_if<pt2::SymInt>(&type)) {
    return {"int " + pt2::sym_int_text(pt2::Size(*number).sym_int({}))};
  }
  if (std::holds_alternative<pt2::SymFloat>(type)) return {"float"};
  if (std::holds_alternative<pt2::SymBool>(type)) return {"bool"};
  std::vector<std::string> lines;
  if (const auto* tensors = std::get_if<std::vector<pt2::TensorType>>(&type)) {
    for (const pt2::TensorType& tensor : *tensors) lines.push_back(type_line(tensor));
  }
  return lines;
}

struct InferredNode {
  bool is_known = false;
  std::vector<std::string> types;  // of its values in a row; or the error
};

/// The values of symbols for sample inputs, as the tables of a graph have them.
inline pt2::Bindings hints_of(const pt2::Graph& graph) {
  pt2::Bindings hints;
  const auto add = [&](const pt2::SymInt& size) {
    const auto* const expression = size.get_if<pt2::SymInt::as_expr>();
    if (expression == nullptr || !expression->hint) return;
    const pt2::Expression parsed = pt2::parse_expression(expression->expr_str);
    if (!parsed.symbol().empty())
      hints.insert(std::string(parsed.symbol()), expression->hint->get<pt2::SymExprHint::as_int>());
  };
  for (const auto& [name, meta] : graph.tensor_values) {
    for (const pt2::SymInt& size : meta.sizes) add(size);
  }
  for (const auto& [name, value] : graph.sym_int_values) add(value);
  return hints;
}

inline InferredNode infer_node(const pt2::Node& node, const pt2::Graph& graph, const pt2::Bindings& hints) {
  InferredNode inferred;
  const pt2::Operator* const op = pt2::find_operator(node.target);
  if (op == nullptr) return inferred;
  if (op->returns.empty() && !op->returns_more) return {true, {}};
  try {
    const auto types = pt2::infer_results(node, *op, graph, hints);
    if (!types) return inferred;
    for (const pt2::ValueType& type : *types) {
      for (std::string& line : type_lines(type)) inferred.types.push_back(std::move(line));
    }
  } catch (const schemagen::DataError& error) {
    inferred.types = {error.what()};
  }
  inferred.is_known = true;
  return inferred;
}
inline InferredNode infer_node(const pt2::Node& node, const pt2::Graph& graph) {
  return infer_node(node, graph, hints_of(graph));
}

inline std::vector<std::string> recorded_types(const pt2::Node& node, const pt2::Graph& graph) {
  std::vector<std::string> lines;
  for (const pt2::Argument& output : node.outputs) {
    pt2::for_each_slot(output, [&](const std::string* name, pt2::ValueName::Table) {
      if (name == nullptr) return;
      const pt2::ValueMeta meta = pt2::find_value(graph, *name);
      if (meta.tensor != nullptr) lines.push_back(type_line(pt2::TensorType(*meta.tensor)));
      if (meta.sym_int != nullptr) lines.push_back(type_lines(*meta.sym_int).front());
      if (meta.sym_float != nullptr) lines.emplace_back("float");
      if (meta.sym_bool != nullptr) lines.emplace_back("bool");
    });
  }
  return lines;
}
