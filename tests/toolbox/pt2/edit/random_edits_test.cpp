#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>

#include "pt2/edit/graph.h"
#include "pt2/edit/passes.h"
#include "pt2/edit/rename.h"
#include "pt2/edit/retarget.h"
#include "pt2/edit/slim.h"
#include "pt2/graph/index.h"
#include "pt2/json.h"
#include "pt2/nodes/default_value.h"
#include "pt2/verify/verify.h"
#include "runtime/pt2/program_builder.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::ExportedProgram;
using pt2::Graph;

namespace {

using Random = std::mt19937_64;

std::size_t pick(Random& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

std::map<std::string, std::size_t> broken_rules(const ExportedProgram& program) {
  std::map<std::string, std::size_t> counts;
  for (const pt2::Finding& finding : pt2::verify(program)) {
    if (finding.severity == pt2::Severity::error) ++counts[pt2::rule_of(finding.rule).id];
  }
  return counts;
}

Graph& top(ExportedProgram& program) {
  return program.graph_module.graph;
}

std::string any_value(ExportedProgram& program, Random& random) {
  const pt2::GraphIndex index(top(program));
  const std::uint32_t count = index.defined_count();
  return count == 0 ? "none" : std::string(index.name(static_cast<std::uint32_t>(pick(random, count))));
}

const pt2::TensorMeta* any_meta(ExportedProgram& program, Random& random) {
  const auto& metas = top(program).tensor_values;
  return metas.empty() ? nullptr : &(metas.begin() + pick(random, metas.size()))->value;
}

void insert_clone(ExportedProgram& program, Random& random) {
  Graph& graph = top(program);
  const std::string value = any_value(program, random);
  const pt2::TensorMeta* const meta = graph.tensor_values.find(value);
  if (meta == nullptr) return;
  std::size_t at = 0;
  {
    const pt2::GraphIndex index(graph);
    const std::uint32_t node = index.defining_node(index.find(value));
    at = node == pt2::GraphIndex::kNone ? 0 : node + 1;
  }
  pt2::Node node = call("torch.ops.aten.clone.default", {tensor(value)}, {"clone"});
  node.inputs[0].name = "self";
  Graph part;
  part.tensor_values.insert("clone", *meta);
  part.outputs = node.outputs;
  part.nodes.push_back(std::move(node));
  pt2::Substitutes substitutes;
  substitutes[value] = pt2::insert_before(graph, at, part)[0];
  pt2::replace_uses(program, graph, substitutes, at + 1);
}

void set_default(ExportedProgram& program, Random& random) {
  Graph& graph = top(program);
  if (graph.nodes.empty()) return;
  const std::size_t at = pick(random, graph.nodes.size());
  const pt2::Operator* const op = pt2::find_operator(graph.nodes[at].target);
  if (op == nullptr || op->arguments.empty()) return;
  const pt2::OperatorArgument& argument = op->arguments[pick(random, op->arguments.size())];
  if (!argument.default_value) return;
  pt2::set_argument(graph, at, argument.name, pt2::argument_of(*argument.default_value, argument.type));
}

void replace_value(ExportedProgram& program, Random& random) {
  const std::string value = any_value(program, random);
  const std::string other = any_value(program, random);
  if (value == other) return;
  pt2::Substitutes substitutes;
  substitutes[value] = pt2::value_argument(top(program), other);
  pt2::replace_uses(program, top(program), substitutes);
}

void edit(ExportedProgram& program, std::size_t kind, Random& random) {
  switch (kind) {
    case 0:
      pt2::drop_dead_nodes(program);
      return;
    case 1:
      pt2::fold_getitems(program);
      return;
    case 2:
      pt2::inline_subgraphs(program);
      return;
    case 3:
      pt2::slim(program, pt2::SlimPart::metadata);
      return;
    case 4:
      return insert_clone(program, random);
    case 5:
      return pt2::erase_node(program, top(program), pick(random, top(program).nodes.size() + 1));
    case 6:
      return set_default(program, random);
    case 7:
      return replace_value(program, random);
    case 8:
      if (const pt2::TensorMeta* const meta = any_meta(program, random))
        pt2::add_input(program, "added", *meta);
      return;
    case 9:
      return pt2::remove_input(program, any_value(program, random));
    case 10:
      return pt2::add_output(program, any_value(program, random));
    case 11:
      return pt2::remove_output(program, any_value(program, random));
    case 12:
      pt2::rename(program, {{any_value(program, random), "renamed"}});
      return;
    default:
      pt2::retarget(program, {pt2::parse_device("meta"), {}});
  }
}

}  // namespace

TEST_CASE("any edits of any program leave no error that was not there, and a refused one changes nothing") {
  Random random(test_seed());
  std::size_t done = 0;
  std::size_t refused = 0;
  const std::size_t programs = for_each_fixture([&](ExportedProgram program) {
    auto known = broken_rules(program);
    for (int i = 0; i < 10; ++i) {
      const ExportedProgram before = program;
      const std::size_t kind = pick(random, 14);
      CAPTURE(i, kind);
      try {
        edit(program, kind, random);
        ++done;
      } catch (const schemagen::Error& error) {
        CAPTURE(error.what());
        CHECK(dynamic_cast<const schemagen::UsageError*>(&error) != nullptr);
        CHECK(schemagen::to_json(program) == schemagen::to_json(before));
        ++refused;
      }
      auto broken = broken_rules(program);
      for (const auto& [rule, count] : broken) {
        CAPTURE(rule);
        CHECK(count <= (known.count(rule) == 0 ? 0 : known.at(rule)));
      }
      known = std::move(broken);
    }
  });
  CHECK(programs > 80);
  CHECK(done > 4 * programs);
  CHECK(refused > programs / 2);
}
