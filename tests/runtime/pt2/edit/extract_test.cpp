#include "pt2/edit/extract.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "pt2/graph/export_signature.h"
#include "pt2/graph/index.h"
#include "pt2/program.h"
#include "runtime/pt2/edit/errors.h"
#include "schemagen/value/error.h"

using pt2::ExportedProgram;
using Names = std::vector<std::string>;

namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/";

ExportedProgram load(const std::string& name) {
  return pt2::load_program(kPrograms + name).program;
}

Names targets(const ExportedProgram& program) {
  Names names;
  for (const pt2::Node& node : program.graph_module.graph.nodes) names.push_back(node.target);
  return names;
}

Names names_of(const std::vector<pt2::UserValue>& values) {
  Names names;
  for (const pt2::UserValue& value : values) {
    if (!value.name.empty() && std::count(names.begin(), names.end(), value.name) == 0) {
      names.push_back(value.name);
    }
  }
  return names;
}

/// The values that stand between the first `count` nodes and the rest, the program's inputs and outputs
/// included, but not what the model holds.
Names cut(const ExportedProgram& program, std::uint32_t count) {
  const pt2::GraphIndex index(program.graph_module.graph);
  const pt2::ExportGraphSignature signature(program.graph_module.signature);
  Names names;
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

}  // namespace

TEST_CASE("a part has the nodes and weights that its outputs need, and no more") {
  const ExportedProgram program = load("mlp.json");
  const ExportedProgram part = pt2::extract(program, {"x"}, {"relu"});
  CHECK(targets(part) == Names{"torch.ops.aten.linear.default", "torch.ops.aten.relu.default"});
  const pt2::ExportGraphSignature signature(part.graph_module.signature);
  CHECK(signature.parameters().size() == 2);
  CHECK(names_of(signature.user_inputs()) == Names{"x"});
  CHECK(names_of(signature.user_outputs()) == Names{"relu"});
  CHECK(part.graph_module.graph.tensor_values.size() == 5);
  CHECK(errors_of(part).empty());
}

TEST_CASE("the parts of every program before and after any cut are sound") {
  std::size_t cuts = 0;
  for (const auto& entry : fs::directory_iterator(kPrograms)) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
    CAPTURE(entry.path());
    const ExportedProgram program = load(entry.path().filename().string());
    const pt2::ExportGraphSignature signature(program.graph_module.signature);
    if (!signature.input_tokens().empty()) continue;
    const auto nodes = static_cast<std::uint32_t>(program.graph_module.graph.nodes.size());
    for (std::uint32_t at = 1; at < nodes; at += 1 + nodes / 10) {
      const Names between = cut(program, at);
      CAPTURE(at, between);
      if (between.empty()) continue;
      ++cuts;
      const ExportedProgram head = pt2::extract(program, names_of(signature.user_inputs()), between);
      CHECK(errors_of(head).empty());
      const Names outputs = names_of(signature.user_outputs());
      if (outputs.empty()) continue;
      const ExportedProgram tail = pt2::extract(program, between, outputs);
      CHECK(errors_of(tail).empty());
    }
  }
  CHECK(cuts > 50);
}

TEST_CASE("a part has the ranges of its symbols only, and keeps mutations that it computes") {
  CHECK(pt2::extract(load("gpt2.json"), {"i"}, {"embedding"}).range_constraints.size() == 1);
  const ExportedProgram program = load("mutate_buffer.json");
  const pt2::ExportGraphSignature whole(program.graph_module.signature);
  const ExportedProgram part =
      pt2::extract(program, names_of(whole.user_inputs()), names_of(whole.user_outputs()));
  const pt2::ExportGraphSignature signature(part.graph_module.signature);
  CHECK(signature.buffers_to_mutate() == whole.buffers_to_mutate());
}

TEST_CASE("what cannot be extracted is refused, with the names that it is about") {
  const ExportedProgram program = load("mlp.json");
  const auto extract = [&](const Names& inputs, const Names& outputs) {
    pt2::extract(program, inputs, outputs);
  };
  CHECK_THROWS_WITH(extract({"x"}, {}), "cannot extract: a part needs an output");
  CHECK_THROWS_WITH(extract({"y"}, {"relu"}), "cannot extract: the graph has no value 'y'");
  CHECK_THROWS_WITH(extract({"x", "x"}, {"relu"}), "cannot extract: the input 'x' is named twice");
  CHECK_THROWS_WITH(extract({}, {"relu"}),
                    "cannot extract: 'relu' needs the program's input 'x', which is not among the inputs");
}
