#include "pt2/edit/rewrite.h"

#include <catch2/catch.hpp>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <sstream>

#include "pt2/canonical/canonical.h"
#include "pt2/diff/program_diff.h"
#include "pt2/edit/builder.h"
#include "pt2/edit/graph.h"
#include "pt2/edit/passes.h"
#include "pt2/edit/slim.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/json.h"
#include "runtime/pt2/program_builder.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::Graph;
using pt2::Pattern;
using pt2::PatternMatch;

namespace {

using Names = std::vector<std::string>;

pt2::Node unary(const std::string& op, const std::string& value, const std::string& result) {
  pt2::Node node = call("torch.ops.aten." + op + ".default", {tensor(value)}, {result});
  node.inputs[0].name = "self";
  return node;
}

pt2::Node add(const Argument& a, const Argument& b, const std::string& result) {
  pt2::Node node = call("torch.ops.aten.add.Tensor", {a, b}, {result});
  node.inputs[0].name = "self";
  node.inputs[1].name = "other";
  return node;
}

Names targets(const Graph& graph) {
  Names names;
  for (const pt2::Node& node : graph.nodes) {
    const std::string name = node.target.substr(std::string("torch.ops.").size());
    names.push_back(name.substr(name.find('.') + 1, name.rfind('.') - name.find('.') - 1));
  }
  return names;
}

Pattern tanh_of_sin() {
  return {graph_of({"x"}, {unary("sin", "x", "a"), unary("tanh", "a", "b")}, {"b"})};
}

Graph exp() {
  return graph_of({"x"}, {unary("exp", "x", "y")}, {"y"});
}

std::size_t count(const Graph& graph, const Pattern& pattern) {
  return pt2::match(graph, pattern).size();
}

}  // namespace

TEST_CASE("a pattern is found where its operators are, and its values are known by its names") {
  const Graph graph = graph_of({"p", "q"},
                               {unary("sin", "p", "s"), unary("sin", "q", "t"), unary("tanh", "t", "u"),
                                unary("tanh", "s", "v"), unary("tanh", "p", "w")},
                               {"u", "v", "w"});
  const std::vector<PatternMatch> matches = pt2::match(graph, tanh_of_sin());
  REQUIRE(matches.size() == 2);
  CHECK(matches[0].nodes == std::vector<std::uint32_t>{1, 2});
  CHECK(matches[0].at("x") == tensor("q"));
  CHECK(matches[0].at("a") == tensor("t"));
  CHECK(matches[1].at("b") == tensor("v"));
}

TEST_CASE("what a match has inside is not used outside") {
  const Graph graph =
      graph_of({"p"}, {unary("sin", "p", "s"), unary("tanh", "s", "t"), unary("cos", "s", "u")}, {"t", "u"});
  CHECK(count(graph, tanh_of_sin()) == 0);
}

TEST_CASE("one input stands for one thing, a literal for itself, and what is left out for its default") {
  const Graph graph = graph_of({"p", "q"},
                               {add(tensor("p"), tensor("q"), "a"), add(tensor("p"), tensor("p"), "b"),
                                add(tensor("p"), number(1), "c")},
                               {"a", "b", "c"});
  CHECK(count(graph, {graph_of({"x"}, {add(tensor("x"), tensor("x"), "y")}, {"y"})}) == 1);
  CHECK(count(graph, {graph_of({"x"}, {add(tensor("x"), number(1), "y")}, {"y"})}) == 1);
  CHECK(count(graph, {graph_of({"x"}, {add(tensor("x"), number(2), "y")}, {"y"})}) == 0);
  Pattern any = {graph_of({"x", "z"}, {add(tensor("x"), tensor("z"), "y")}, {"y"})};
  CHECK(count(graph, any) == 2);
  any.any = {"z"};
  CHECK(count(graph, any) == 3);
  pt2::Node with_default = add(tensor("x"), tensor("z"), "y");
  with_default.inputs.push_back({"alpha", number(1), pt2::ArgumentKind::KEYWORD});
  any.graph = graph_of({"x", "z"}, {with_default}, {"y"});
  CHECK(count(graph, any) == 3);
  any.graph.nodes[0].inputs[2].arg = number(2);
  CHECK(count(graph, any) == 0);
}

TEST_CASE("a pattern is built from calls, with wildcards for any argument of certain types") {
  pt2::PatternBuilder builder;
  const pt2::Value other = builder.any("other");
  builder.output(builder.call("aten.add.Tensor", {builder.any("x"), other}, {}, {"sum"}, true)[0]);
  Pattern pattern = {builder.graph(), {"x", "other", "_"}};
  CHECK(pattern.graph.nodes[0].inputs.back().name == "alpha");
  const Graph graph =
      graph_of({"p"}, {add(tensor("p"), tensor("p"), "a"), add(tensor("a"), number(1), "b")}, {"b"});
  CHECK(count(graph, pattern) == 2);
  pattern.types["other"] = {"int", "None"};
  CHECK(count(graph, pattern) == 1);
  pattern.types["sum"] = {"int8"};
  CHECK(count(graph, pattern) == 0);
  pattern.types["sum"] = {"int7"};
  CHECK_THROWS_WITH(count(graph, pattern), "unknown type: 'int7'");
  pattern.types = {{"product", {"int"}}};
  CHECK_THROWS_WITH(count(graph, pattern), "unknown value of the pattern: 'product'");
  CHECK_THROWS_WITH(builder.any("sum"), "the pattern already has a value 'sum'");
  CHECK_THROWS_WITH(builder.output(pt2::Value{"nowhere"}), "the pattern has no value 'nowhere'");
}

TEST_CASE("a literal of a pattern is the same float: NaN for NaN, and a zero of the same sign") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double values[] = {0.0, -0.0, nan, 1.5};
  const auto graph = [](double value) {
    Argument literal;
    literal.emplace<Argument::as_float>(value);
    Argument literals;
    literals.emplace<Argument::as_floats>(std::vector<double>{2.0, value});
    return graph_of({"x"}, {add(tensor("x"), literal, "a"), add(tensor("a"), literals, "b")}, {"b"});
  };
  for (std::size_t i = 0; i < std::size(values); ++i) {
    for (std::size_t j = 0; j < std::size(values); ++j) {
      CHECK(count(graph(values[i]), {graph(values[j])}) == (i == j ? 1 : 0));
    }
  }
}

TEST_CASE("patterns of several outputs are found from what they share, and only where all users come later") {
  const Pattern pattern = {graph_of({"x"}, {unary("sin", "x", "a"), unary("cos", "x", "b")}, {"a", "b"})};
  const auto graph = [](const char* operand_of_cos, bool is_used_early) {
    return graph_of({"p", "q"},
                    {unary("sin", "p", "s"), unary("exp", is_used_early ? "s" : "p", "e"),
                     unary("cos", operand_of_cos, "c")},
                    {"s", "c", "e"});
  };
  CHECK(count(graph("p", false), pattern) == 1);
  CHECK(count(graph("q", false), pattern) == 0);
  CHECK(count(graph("p", true), pattern) == 0);
}

TEST_CASE("matches do not share nodes") {
  Names names = {"x"};
  std::vector<pt2::Node> nodes;
  for (int i = 0; i < 5; ++i) {
    nodes.push_back(unary("sin", names.back(), "s" + std::to_string(i)));
    names.push_back("s" + std::to_string(i));
  }
  ExportedProgram program = program_of(graph_of({"x"}, nodes, {names.back()}));
  const Pattern twice = {graph_of({"x"}, {unary("sin", "x", "a"), unary("sin", "a", "b")}, {"b"})};
  CHECK(pt2::rewrite(program, twice, exp()) == 2);
  CHECK(targets(program.graph_module.graph) == Names{"exp", "exp", "sin"});
  CHECK(errors_of(program).empty());
}

TEST_CASE("nodes are not moved across what writes to memory") {
  const auto graph = [](const char* between) {
    pt2::Node write = call(std::string("torch.ops.aten.") + between, {tensor("p")}, {"w"});
    write.inputs[0].name = "self";
    return graph_of({"p"}, {unary("sin", "p", "s"), write, unary("tanh", "s", "t")}, {"t", "w"});
  };
  CHECK(count(graph("relu.default"), tanh_of_sin()) == 1);
  CHECK(count(graph("relu_.default"), tanh_of_sin()) == 0);
}

TEST_CASE("a replacement may return an input of the pattern, or a literal") {
  ExportedProgram program = program_of(graph_of(
      {"p"}, {add(tensor("p"), number(0), "a"), add(tensor("a"), number(0), "b"), unary("sin", "b", "s")},
      {"s", "b"}));
  const Pattern plus_nothing = {graph_of({"x"}, {add(tensor("x"), number(0), "y")}, {"y"})};
  CHECK(pt2::rewrite(program, plus_nothing, graph_of({"x"}, {}, {"x"})) == 2);
  CHECK(program.graph_module.graph.nodes == std::vector<pt2::Node>{unary("sin", "p", "s")});
  CHECK(program.graph_module.graph.outputs == std::vector<Argument>{tensor("s"), tensor("p")});
  CHECK(errors_of(program).empty());
}

TEST_CASE("what takes a match's place can be made for it, and does not inherit a removed name") {
  ExportedProgram program =
      program_of(graph_of({"p"}, {unary("sin", "p", "s"), unary("tanh", "s", "t")}, {"t"}));
  const pt2::MakeReplacement make = [](const Graph&, const PatternMatch& match) {
    CHECK(match.at("x") == tensor("p"));
    return exp();
  };
  const ExportedProgram before = program;
  CHECK(pt2::rewrite(program, tanh_of_sin(),
                     [](const Graph&, const PatternMatch&) { return std::nullopt; }) == 0);
  CHECK(program == before);
  CHECK(pt2::rewrite(program, tanh_of_sin(), make) == 1);
  CHECK(program.graph_module.graph.nodes == std::vector<pt2::Node>{unary("exp", "p", "y")});
  CHECK(program.graph_module.graph.outputs == std::vector<Argument>{tensor("y")});
  CHECK(program.graph_module.graph.tensor_values["y"] == before.graph_module.graph.tensor_values.at("t"));
  CHECK_FALSE(program.graph_module.graph.tensor_values.contains("t"));
  CHECK(errors_of(program).empty());
}

TEST_CASE("patterns and replacements that cannot be are refused") {
  ExportedProgram program =
      program_of(graph_of({"p"}, {unary("sin", "p", "s"), unary("tanh", "s", "t")}, {"t"}));
  const Graph& graph = program.graph_module.graph;
  CHECK_THROWS_WITH(count(graph, {graph_of({"x"}, {}, {"x"})}),
                    "expected a pattern of 1 to 250 nodes, found 0");
  CHECK_THROWS_WITH(
      count(graph, {graph_of({"x", "y"}, {unary("sin", "x", "a"), unary("sin", "y", "b")}, {"a", "b"})}),
      "the nodes of the pattern are not connected");
  CHECK_THROWS_WITH(pt2::rewrite(program, tanh_of_sin(), graph_of({"z"}, {unary("exp", "z", "y")}, {"y"})),
                    "cannot rewrite: the pattern has no input 'z'");
  CHECK_THROWS_WITH(pt2::rewrite(program, tanh_of_sin(), graph_of({"x"}, {}, {"x", "x"})),
                    "cannot rewrite: expected a replacement with 1 output, found 2");
}

namespace {

/// The part is connected.
struct GraphPart {
  Pattern pattern;
  std::vector<std::uint32_t> nodes;
};

GraphPart part_of(const Graph& graph, std::mt19937_64& random) {
  const pt2::GraphIndex index(graph);
  std::set<std::uint32_t> nodes = {static_cast<std::uint32_t>(random() % graph.nodes.size())};
  for (int i = 0; i < 4; ++i) {
    for (const pt2::GraphIndex::Use& use : index.uses(*nodes.begin())) {
      const std::uint32_t other = index.defining_node(use.value);
      if (other != pt2::GraphIndex::kNone && random() % 2 == 0) nodes.insert(other);
    }
  }
  Pattern pattern;
  std::set<std::uint32_t> inputs;
  for (const std::uint32_t node : nodes) {
    pattern.graph.nodes.push_back(graph.nodes[node]);
    for (const pt2::GraphIndex::Use& use : index.uses(node)) {
      if (nodes.count(index.defining_node(use.value)) == 0) inputs.insert(use.value);
    }
    for (auto out = index.outputs_begin(node); out < index.outputs_end(node); ++out) {
      for (const pt2::GraphIndex::User& user : index.users(out)) {
        if (nodes.count(user.node) != 0) continue;
        pattern.graph.outputs.push_back(pt2::value_argument(graph, std::string(index.name(out))));
        break;
      }
    }
  }
  for (const std::uint32_t value : inputs) {
    pattern.graph.inputs.push_back(pt2::value_argument(graph, std::string(index.name(value))));
  }
  pattern.graph.tensor_values = graph.tensor_values;
  pattern.graph.sym_int_values = graph.sym_int_values;
  pattern.graph.sym_float_values = graph.sym_float_values;
  pattern.graph.sym_bool_values = graph.sym_bool_values;
  pattern.graph.custom_obj_values = graph.custom_obj_values;
  return {std::move(pattern), {nodes.begin(), nodes.end()}};
}

}  // namespace

TEST_CASE(
    "any part of any program is found where it was, and replaced by itself it leaves the same program") {
  std::mt19937_64 random(test_seed());
  std::size_t found = 0;
  const std::size_t programs = for_each_fixture([&](ExportedProgram program) {
    pt2::slim(program, pt2::SlimPart::metadata);
    const Graph& graph = program.graph_module.graph;
    if (graph.nodes.empty()) return;
    const std::string normal = schemagen::to_json(pt2::canonicalize(program, pt2::CanonicalForm::normal));
    for (int i = 0; i < 3; ++i) {
      const GraphPart part = part_of(graph, random);
      const pt2::MakeReplacement make = [&](const Graph&, const PatternMatch& match) {
        return match.nodes == part.nodes ? std::optional(part.pattern.graph) : std::nullopt;
      };
      ExportedProgram rewritten = program;
      const std::size_t count = pt2::rewrite(rewritten, part.pattern, make);
      CHECK(count <= 1);
      found += count;
      CHECK(schemagen::to_json(pt2::canonicalize(rewritten, pt2::CanonicalForm::normal)) == normal);
      CHECK(errors_of(rewritten).size() == errors_of(program).size());
    }
  });
  CHECK(found > programs);
}

TEST_CASE("passes run one after the other, and print what each changed as diff does") {
  const ExportedProgram program = program_of(
      graph_of({"p"}, {unary("sin", "p", "s"), unary("tanh", "s", "t"), unary("cos", "p", "c")}, {"t"}));
  const std::vector<pt2::Pass> passes = {{"fuse",
                                          [](ExportedProgram given) {
                                            pt2::rewrite(given, tanh_of_sin(), exp());
                                            return given;
                                          }},
                                         {"nothing", [](ExportedProgram given) { return given; }},
                                         {"drop dead nodes", [](ExportedProgram given) {
                                            pt2::drop_dead_nodes(given);
                                            return given;
                                          }}};
  std::ostringstream out;
  const ExportedProgram made = pt2::run_passes(passes, program, pt2::pass_printer(out));
  CHECK(targets(made.graph_module.graph) == Names{"exp"});
  CHECK(made == pt2::run_passes(passes, program));
  const std::string text = out.str();
  CHECK(text.find("fuse:\nnodes\n") == 0);
  CHECK(text.find("aten.tanh.default") != text.npos);
  CHECK(text.find("nothing:\nno differences\n") != text.npos);
  CHECK(text.find("drop dead nodes:\nnodes\n- c") != text.npos);
}
