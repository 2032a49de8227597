#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/edit/extract.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "toolbox/pt2/edit/fixtures.h"

inline std::vector<std::string> names_of(const std::vector<pt2::UserValue>& values) {
  std::vector<std::string> names;
  for (const pt2::UserValue& value : values) {
    if (!value.name.empty() && std::count(names.begin(), names.end(), value.name) == 0) {
      names.push_back(value.name);
    }
  }
  return names;
}

inline std::vector<std::string> cut(const pt2::ExportedProgram& program, std::uint32_t count) {
  const pt2::GraphIndex index(program.graph_module.graph);
  const pt2::ExportGraphSignature signature(program.graph_module.signature);
  std::vector<std::string> names;
  for (std::uint32_t value = 0; value < index.defined_count(); ++value) {
    const std::uint32_t node = index.defining_node(value);
    if (node != pt2::GraphIndex::kNone && node >= count) continue;
    if (signature.target_of_input(index.name(value)) != nullptr) continue;
    const auto users = index.users(value);
    const bool is_used = std::any_of(users.begin(), users.end(), [&](const pt2::GraphIndex::User& user) {
      return user.node == pt2::GraphIndex::kNone || user.node >= count;
    });
    if (is_used) names.emplace_back(index.name(value));
  }
  return names;
}

inline bool torch_loads(const pt2::Graph& graph, const std::vector<std::string>& names) {
  return std::none_of(names.begin(), names.end(), [&](const std::string& name) {
    return graph.sym_bool_values.contains(name) || graph.sym_float_values.contains(name);
  });
}

/// Calls `visit(first part, second part, values between them)` for all programs of torch 2.13.0 without
/// tokens, where torch can load the values. Returns the number of calls.
template <class Visit>
std::size_t for_each_cut(const Visit& visit) {
  std::size_t cuts = 0;
  for_each_fixture(
      [&](const pt2::ExportedProgram& program) {
        const pt2::ExportGraphSignature signature(program.graph_module.signature);
        const std::vector<std::string> outputs = names_of(signature.user_outputs());
        if (!signature.input_tokens().empty() || outputs.empty()) return;
        const auto nodes = static_cast<std::uint32_t>(program.graph_module.graph.nodes.size());
        for (std::uint32_t at = 1; at < nodes; at += 1 + nodes / 10) {
          const std::vector<std::string> between = cut(program, at);
          CAPTURE(at, between);
          if (between.empty() || !torch_loads(program.graph_module.graph, between)) continue;
          ++cuts;
          visit(pt2::extract(program, names_of(signature.user_inputs()), between),
                pt2::extract(program, between, outputs), between);
        }
      },
      "torch-2.13.0");
  return cuts;
}
