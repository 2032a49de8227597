#include "pt2/canonical/stages.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

TEST_CASE("the normal form distinguishes dead nodes by their users") {
  // An unused node uses one of two equal nodes.
  const auto unneeded = [](const std::string& used) {
    return program_of(graph_of({"x"},
                               {call(kRelu, {tensor("x")}, {"a"}), call(kRelu, {tensor("x")}, {"b"}),
                                call(kMul, {tensor(used)}, {"c"}), call(kMul, {tensor("b")}, {"d"}),
                                call(kAdd, {tensor("d")}, {"e"})},
                               {"x"}));
  };
  CHECK(json(canonicalize(unneeded("a"), CanonicalForm::normal)) !=
        json(canonicalize(unneeded("b"), CanonicalForm::normal)));
}

TEST_CASE("the normal form handles long chains without deep recursion") {
  std::vector<pt2::Node> nodes;
  for (int i = 0; i < 50000; ++i) {
    nodes.push_back(
        call(kRelu, {tensor(i == 0 ? "x" : "v" + std::to_string(i - 1))}, {"v" + std::to_string(i)}));
  }
  const ExportedProgram normal =
      canonicalize(program_of(graph_of({"x"}, std::move(nodes), {"v49999"})), CanonicalForm::normal);
  CHECK(graph(normal).nodes.back().outputs[0].get<Argument::as_tensor>().name == "_50000");
}

TEST_CASE("the normal form distinguishes rings of dead nodes in any order and with any names") {
  std::mt19937_64 random(test_seed());
  // Sums of two neighbors in a ring: only the length distinguishes nodes.
  const auto rings = [&](const std::vector<int>& lengths) {
    std::vector<std::string> names;
    for (int i = 0; i < 32; ++i) names.push_back("z" + std::to_string(i));
    std::shuffle(names.begin(), names.end(), random);
    std::vector<pt2::Node> zeros;
    std::vector<pt2::Node> sums;
    for (const int length : lengths) {
      const std::size_t first = zeros.size();
      const auto name = [&](int i) { return tensor(names[first + static_cast<std::size_t>(i % length)]); };
      for (int i = 0; i < length; ++i) {
        sums.push_back(
            call(kAdd, {name(i), name(i + 1)}, {"a" + std::to_string(first) + "_" + std::to_string(i)}));
      }
      for (int i = 0; i < length; ++i) {
        zeros.push_back(
            call("torch.ops.aten.zeros.default", {}, {names[first + static_cast<std::size_t>(i)]}));
      }
    }
    std::shuffle(zeros.begin(), zeros.end(), random);
    std::shuffle(sums.begin(), sums.end(), random);
    zeros.insert(zeros.end(), sums.begin(), sums.end());
    return json(canonicalize(program_of(graph_of({"x"}, std::move(zeros), {"x"})), CanonicalForm::normal));
  };
  for (const std::vector<int>& lengths : {std::vector<int>{5, 3}, {6, 3, 3}, {4, 4, 8}}) {
    const std::string first = rings(lengths);
    for (int round = 0; round < 20; ++round) CHECK(rings(lengths) == first);
  }
  CHECK(rings({4, 4}) != rings({5, 3}));
}

TEST_CASE("the normal form handles many identical dead nodes") {
  std::vector<pt2::Node> nodes;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = std::to_string(i);
    nodes.push_back(call("torch.ops.aten.zeros.default", {}, {"z" + name}));
    nodes.push_back(call(kRelu, {tensor("z" + name)}, {"r" + name}));
  }
  const ExportedProgram normal =
      canonicalize(program_of(graph_of({"x"}, std::move(nodes), {"x"})), CanonicalForm::normal);
  CHECK(node_texts(graph(normal))[1] == "_2 = " + kRelu + "(_1)");
}

TEST_CASE("the normal form handles many dead rings and zigzags") {
  std::vector<pt2::Node> zeros;
  std::vector<pt2::Node> sums;
  const auto name = [](int i) { return "z" + std::to_string(i); };
  const auto add_sum = [&](int a, int b) {
    sums.push_back(call(kAdd, {tensor(name(a)), tensor(name(b))}, {"s" + std::to_string(sums.size())}));
  };
  // Rings of all lengths from three on, then a zigzag; each takes a separate round.
  int count = 0;
  for (int length = 3; count < 5000; ++length) {
    for (int i = 0; i < length; ++i) add_sum(count + i, count + (i + 1) % length);
    count += length;
  }
  for (int end = count + 5000; count < end; ++count) add_sum(count, count + 1);
  for (int i = 0; i <= count; ++i) zeros.push_back(call("torch.ops.aten.zeros.default", {}, {name(i)}));
  zeros.insert(zeros.end(), sums.begin(), sums.end());
  const ExportedProgram normal =
      canonicalize(program_of(graph_of({"x"}, std::move(zeros), {"x"})), CanonicalForm::normal);
  CHECK(graph(normal).nodes.size() == static_cast<std::size_t>(count + 1) + sums.size());
}

namespace {

bool any_order_gives_the_same(std::vector<pt2::Node> nodes, const Graph& tables) {
  std::string expected;
  std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  do {
    Graph graph = tables;
    graph.nodes = nodes;
    const std::string found = json(canonicalize(program_of(graph), CanonicalForm::normal));
    if (expected.empty()) expected = found;
    if (found != expected) return false;
  } while (std::next_permutation(nodes.begin(), nodes.end(),
                                 [](const auto& a, const auto& b) { return a.name < b.name; }));
  return true;
}

std::vector<pt2::Node> named(std::vector<pt2::Node> nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i].name = "n" + std::to_string(i);
  return nodes;
}

Graph tables_of(const std::vector<pt2::Node>& nodes) {
  return graph_of({"x"}, nodes, {"x"});
}

}  // namespace

TEST_CASE("the normal form distinguishes dead nodes by metadata, strides and how arguments are passed") {
  std::vector<pt2::Node> nodes =
      named({call(kRelu, {tensor("x")}, {"a"}), call(kRelu, {tensor("x")}, {"b"}),
             call(kRelu, {tensor("x")}, {"c"}), call(kRelu, {tensor("x")}, {"d"})});
  nodes[1].metadata["custom"] = "{}";
  nodes[2].inputs[0].kind = pt2::ArgumentKind::KEYWORD;
  Graph tables = tables_of(nodes);
  tables.tensor_values["d"].requires_grad = true;
  CHECK(any_order_gives_the_same(nodes, tables));
}

TEST_CASE("the normal form distinguishes dead nodes that use undefined names") {
  const std::vector<pt2::Node> nodes = named(
      {call(kAdd, {tensor("nowhere"), number(2)}, {"a"}), call(kAdd, {tensor("elsewhere"), number(2)}, {"b"}),
       call(kMul, {tensor("nowhere")}, {"c"}), call("torch.ops.aten.sin.default", {tensor("x")}, {"d"})});
  CHECK(any_order_gives_the_same(nodes, tables_of(nodes)));
}

TEST_CASE("the normal form distinguishes dead nodes whose results have separate symbols") {
  const std::vector<pt2::Node> nodes =
      named({call(kRelu, {tensor("x")}, {"a"}), call(kRelu, {tensor("x")}, {"b"}),
             call(kMul, {tensor("x")}, {"c"}), call(kRelu, {tensor("x")}, {"d"})});
  Graph tables = tables_of(nodes);
  tables.tensor_values["a"].sizes = {symbolic("Symbol('u7', integer=True)")};
  tables.tensor_values["b"].sizes = {symbolic("Symbol('u3', integer=True)")};
  tables.tensor_values["c"].sizes = {symbolic("Symbol('u3', integer=True)")};
  tables.tensor_values["d"].sizes = {symbolic("Symbol('s3', integer=True)")};
  CHECK(any_order_gives_the_same(nodes, tables));
}

TEST_CASE("the normal form distinguishes dead nodes that share subgraphs") {
  const Graph inner = graph_of({"p"}, {call(kRelu, {tensor("p")}, {"q"})}, {"q"});
  const std::string wrap = "torch.ops.higher_order.wrap";
  const std::vector<pt2::Node> nodes = named({call(wrap, {subgraph("f", inner), tensor("x")}, {"a"}),
                                              call(wrap, {subgraph("g", inner), tensor("x")}, {"b"}),
                                              call(wrap, {subgraph("g", inner), number(1)}, {"c"})});
  CHECK(any_order_gives_the_same(nodes, tables_of(nodes)));
}

TEST_CASE("the normal form distinguishes dead nodes that read before and after a write") {
  const auto program = [](bool is_first) {
    const std::string a = is_first ? "a" : "b";
    const std::string b = is_first ? "b" : "a";
    // One relu on each side, each with a sine; the order of the sines is irrelevant.
    return program_of(
        graph_of({"x"},
                 {call(kRelu, {tensor("x")}, {"a"}),
                  call("torch.ops.aten.add_.Tensor", {tensor("x"), number(1)}, {"y"}),
                  call(kRelu, {tensor("x")}, {"b"}), call("torch.ops.aten.sin.default", {tensor(a)}, {"c"}),
                  call("torch.ops.aten.sin.default", {tensor(b)}, {"d"})},
                 {"y"}));
  };
  CHECK(json(canonicalize(program(true), CanonicalForm::normal)) ==
        json(canonicalize(program(false), CanonicalForm::normal)));
}
