// Parts of canonical programs as text.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "pt2/canonical/canonical.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/strings/argument_text.h"
#include "runtime/pt2/program_builder.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

using pt2::Argument;
using pt2::CanonicalForm;
using pt2::canonicalize;
using pt2::ExportedProgram;
using pt2::Graph;
using pt2::InputSpec;
using pt2::OutputSpec;

inline const Graph& graph(const ExportedProgram& program) {
  return program.graph_module.graph;
}

inline std::string json(const ExportedProgram& program) {
  return schemagen::to_json(program);
}

/// Each node as `_1 = add(_0, 1)`.
inline std::vector<std::string> node_texts(const Graph& graph) {
  std::vector<std::string> texts;
  for (const pt2::Node& node : graph.nodes) {
    std::string text;
    for (const Argument& output : node.outputs) text += pt2::argument_text(output) + " ";
    text += "= " + node.target + "(";
    for (const pt2::NamedArgument& input : node.inputs) text += pt2::argument_text(input.arg) + ",";
    text.back() = ')';
    texts.push_back(text);
  }
  return texts;
}

inline std::vector<std::string> keys(const schemagen::Map<pt2::TensorMeta>& table) {
  std::vector<std::string> keys;
  for (const auto& entry : table) keys.push_back(entry.key());
  return keys;
}

inline std::string message(const ExportedProgram& program, CanonicalForm form) {
  try {
    canonicalize(program, form);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

inline const std::string kAdd = "torch.ops.aten.add.Tensor";
inline const std::string kMul = "torch.ops.aten.mul.Tensor";
inline const std::string kRelu = "torch.ops.aten.relu.default";
using Texts = std::vector<std::string>;
