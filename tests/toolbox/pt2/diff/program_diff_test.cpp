#include "pt2/diff/program_diff.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>

#include "pt2/program.h"
#include "runtime/pt2/program_builder.h"

using pt2::Argument;
using pt2::Difference;
using pt2::ExportedProgram;

namespace {

using Texts = std::vector<std::string>;

const std::string kAdd = "torch.ops.aten.add.Tensor";
const std::string kRelu = "torch.ops.aten.relu.default";

Texts diff(const ExportedProgram& a, const ExportedProgram& b) {
  Texts texts;
  for (const Difference& difference : pt2::diff_programs(pt2::normalize(a), pt2::normalize(b))) {
    std::string text = difference.part + ":";
    if (!difference.before.empty()) text += " - " + difference.before;
    if (!difference.after.empty()) text += " + " + difference.after;
    for (const std::string& detail : difference.details) text += " (" + detail + ")";
    if (!difference.where.empty()) text += " in " + difference.where;
    texts.push_back(text);
  }
  return texts;
}

ExportedProgram chain(const std::vector<pt2::Node>& nodes) {
  return program_of(graph_of({"x"}, nodes, {"out"}));
}

ExportedProgram load(const std::string& model) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + model + ".json").program;
}

}  // namespace

TEST_CASE("programs that differ in names and order have no differences") {
  CHECK(diff(load("gpt2"), load("gpt2")).empty());
  const auto program = [](const std::string& a, const std::string& b, bool a_first) {
    const pt2::Node first = call(kAdd, {tensor("x"), number(1)}, {a});
    const pt2::Node second = call(kAdd, {tensor("x"), number(2)}, {b});
    return program_of(graph_of({"x"}, {a_first ? first : second, a_first ? second : first}, {a, b}));
  };
  CHECK(diff(program("a", "b", true), program("q", "p", false)).empty());
}

TEST_CASE("a literal that changed is one changed node, with the names of each file") {
  CHECK(diff(chain({call(kAdd, {tensor("x"), number(1)}, {"a"}), call(kRelu, {tensor("a")}, {"out"})}),
             program_of(graph_of(
                 {"y"}, {call(kAdd, {tensor("y"), number(2)}, {"b"}), call(kRelu, {tensor("b")}, {"c"})},
                 {"c"}))) ==
        Texts{"nodes: - a: f32[] = aten.add.Tensor(x, 1) + b: f32[] = aten.add.Tensor(y, 2) (argument 1)"});
}

TEST_CASE("NaN does not differ from itself, and zeros of both signs differ") {
  const auto with = [](double value) {
    Argument literal;
    literal.emplace<Argument::as_float>(value);
    return chain({call(kAdd, {tensor("x"), literal}, {"out"})});
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(diff(with(nan), with(nan)).empty());
  CHECK(diff(with(0.0), with(-0.0)) == Texts{"nodes: - out: f32[] = aten.add.Tensor(x, 0.0) + out: f32[] = "
                                             "aten.add.Tensor(x, -0.0) (argument 1)"});
  const auto and_more = [&](double value) {
    ExportedProgram program = with(value);
    program.graph_module.metadata["key"] = "text";
    return program;
  };
  CHECK(diff(with(nan), and_more(nan)) == Texts{"metadata: + key: text"});
  CHECK(diff(with(0.0), and_more(-0.0)).size() == 2);
}

TEST_CASE("an operator that changed is one changed node") {
  CHECK(diff(chain({call(kRelu, {tensor("x")}, {"a"}), call(kAdd, {tensor("a")}, {"out"})}),
             chain({call("torch.ops.aten.sin.default", {tensor("x")}, {"a"}),
                    call(kAdd, {tensor("a")}, {"out"})})) ==
        Texts{"nodes: - a: f32[] = aten.relu.default(x) + a: f32[] = aten.sin.default(x) (operator)"});
}

TEST_CASE("a node that was put between is one added node, and one whose operand is another") {
  CHECK(
      diff(chain({call(kAdd, {tensor("x")}, {"a"}), call(kAdd, {tensor("a"), number(1)}, {"out"})}),
           chain({call(kAdd, {tensor("x")}, {"a"}), call(kRelu, {tensor("a")}, {"new"}),
                  call(kAdd, {tensor("new"), number(1)}, {"out"})})) ==
      Texts{
          "nodes: + new: f32[] = aten.relu.default(a)",
          "nodes: - out: f32[] = aten.add.Tensor(a, 1) + out: f32[] = aten.add.Tensor(new, 1) (argument 0)"});
}

TEST_CASE("a changed edge is distinguished from a renamed one") {
  const auto program = [](const std::string& used) {
    return program_of(graph_of({"x", "y"}, {call(kRelu, {tensor(used)}, {"a"})}, {"a"}));
  };
  CHECK(diff(program("x"), program("y")) ==
        Texts{"nodes: - a: f32[] = aten.relu.default(x) + a: f32[] = aten.relu.default(y) (argument 0)"});
}

TEST_CASE("type details that a line does not show follow it") {
  ExportedProgram changed = chain({call(kRelu, {tensor("x")}, {"out"})});
  const ExportedProgram program = changed;
  pt2::TensorMeta& meta = changed.graph_module.graph.tensor_values["out"];
  meta.requires_grad = true;
  meta.strides.emplace_back().emplace<pt2::SymInt::as_int>(3);
  CHECK(diff(program, changed) == Texts{"nodes: - out: f32[] = aten.relu.default(x) + out: f32[] = "
                                        "aten.relu.default(x) (strides of out: [], "
                                        "then [3]) (requires_grad of out: False, then True)"});
}

TEST_CASE("types are compared by their values, not by their texts") {
  const ExportedProgram program = chain({call(kRelu, {tensor("x")}, {"out"})});
  const auto details = [&](const std::function<void(pt2::Graph&)>& change) {
    ExportedProgram changed = program;
    change(changed.graph_module.graph);
    Texts texts = diff(program, changed);
    REQUIRE(texts.size() == 1);
    return texts[0].substr(texts[0].find(" ("));
  };
  const auto out = [](pt2::Graph& graph) -> pt2::TensorMeta& { return graph.tensor_values["out"]; };
  CHECK(details([&](auto& graph) {
          out(graph).device.index = 0;
          out(graph).requires_grad = true;
        }) == " (device of out: cpu, then cpu:0) (requires_grad of out: False, then True)");
  CHECK(details([&](auto& graph) { out(graph).layout = pt2::Layout::Unknown; }) ==
        " (layout of out: strided, then unknown)");
  CHECK(details([&](auto& graph) { out(graph).dtype = pt2::ScalarType::DOUBLE; }) ==
        " (type of out: f32[], then f64[])");
}

TEST_CASE("changes of hints alone are reported as such") {
  const auto program = [](std::int64_t hint) {
    ExportedProgram made = chain({call(kRelu, {tensor("x")}, {"out"})});
    pt2::TensorMeta& meta = made.graph_module.graph.tensor_values["out"];
    for (auto* const list : {&meta.sizes, &meta.strides}) {
      list->push_back(symbolic("s0"));
      list->back().get<pt2::SymInt::as_expr>().hint.emplace().emplace<pt2::SymExprHint::as_int>(hint);
    }
    return made;
  };
  CHECK(diff(program(3), program(4)) ==
        Texts{"nodes: - out: f32[s0] = aten.relu.default(x) + out: f32[s0] = aten.relu.default(x) "
              "(hints for the sizes of out)"});
}

TEST_CASE("inputs and outputs are known by what they stand for") {
  ExportedProgram a = program_of(graph_of({"w", "x"}, {}, {"x", "w"}));
  a.graph_module.signature.input_specs[0].emplace<pt2::InputSpec::parameter>() = {{"w"}, "layer.weight"};
  ExportedProgram b = a;
  b.graph_module.signature.input_specs[0].get<pt2::InputSpec::parameter>().parameter_name = "layer.bias";
  b.graph_module.graph.outputs[1] = tensor("x");
  b.graph_module.signature.output_specs[1].get<pt2::OutputSpec::user_output>().arg = tensor("x");
  CHECK(diff(a, b) == Texts{"inputs: - w  f32[]  parameter \"layer.weight\"",
                            "inputs: + w  f32[]  parameter \"layer.bias\"",
                            "outputs: - w  f32[]  user output + x  f32[]  user output (value)"});
}

TEST_CASE("inputs in another order are one difference") {
  ExportedProgram a = program_of(graph_of({"v", "w"}, {}, {"v"}));
  a.graph_module.signature.input_specs[0].emplace<pt2::InputSpec::parameter>() = {{"v"}, "v"};
  a.graph_module.signature.input_specs[1].emplace<pt2::InputSpec::parameter>() = {{"w"}, "w"};
  ExportedProgram b = a;
  std::swap(b.graph_module.graph.inputs[0], b.graph_module.graph.inputs[1]);
  std::swap(b.graph_module.signature.input_specs[0], b.graph_module.signature.input_specs[1]);
  CHECK(diff(a, b) == Texts{"inputs: (order)"});
}

TEST_CASE("subgraphs are compared in their place") {
  const auto program = [](std::int64_t number_in_branch) {
    const pt2::Graph branch =
        graph_of({"a"}, {call(kAdd, {tensor("a"), number(number_in_branch)}, {"r"})}, {"r"});
    return chain(
        {call("torch.ops.higher_order.cond", {subgraph("true_graph_0", branch), tensor("x")}, {"out"})});
  };
  CHECK(diff(program(1), program(2)) == Texts{"nodes: - r: f32[] = aten.add.Tensor(a, 1) + r: f32[] = "
                                              "aten.add.Tensor(a, 2) (argument 1) in true_graph_0"});
}

TEST_CASE("constraints, guards, opset, modules and metadata are compared by what they are about") {
  const ExportedProgram a = load("dynamic");
  ExportedProgram b = a;
  (*b.range_constraints.begin()).value.max_val = 77;
  b.guards_code.push_back("1 < 2");
  b.opset_version["aten"] += 1;
  b.graph_module.metadata["key"] = "text";
  b.graph_module.module_call_graph[0].signature->in_spec = "spec";
  b.graph_module.module_call_graph.push_back({"sub", std::nullopt});
  b.schema_version.minor = 19;
  const Texts texts = diff(a, b);
  REQUIRE(texts.size() == 7);
  CHECK(texts[0] == "schema: - schema 8.20 + schema 8.19");
  CHECK(texts[1].substr(0, 12) == "opset: - ate");
  CHECK(texts[2].substr(0, 13) == "constraints: ");
  CHECK(texts[3] == "guards: + 1 < 2");
  const std::string in_spec = a.graph_module.module_call_graph[0].signature->in_spec;
  CHECK(texts[4] == "modules: - module \"\" + module \"\" (in_spec: " + in_spec + ", then spec)");
  CHECK(texts[5] == "modules: + module \"sub\"");
  CHECK(texts[6] == "metadata: + key: text");
}

TEST_CASE("a value that nothing uses is a difference, and has the name from its file") {
  ExportedProgram a = program_of(graph_of({"x"}, {}, {"x"}));
  ExportedProgram b = a;
  add_tensor(b.graph_module.graph, "nobody_uses_this");
  CHECK(diff(a, b) == Texts{"values: + nobody_uses_this: f32[]"});
}

TEST_CASE("a normal program can be moved and copied before it is compared") {
  std::vector<pt2::NormalProgram> programs;
  programs.push_back(pt2::normalize(load("cond")));
  programs.push_back(pt2::normalize(load("mlp")));
  const pt2::NormalProgram copy = programs[0];
  programs.erase(programs.begin());
  CHECK(pt2::diff_programs(copy, pt2::normalize(load("cond"))).empty());
  const std::vector<Difference> differences = pt2::diff_programs(copy, programs[0]);
  REQUIRE_FALSE(differences.empty());
  CHECK(differences.front().before.find("_0") == std::string::npos);
}

TEST_CASE("symbols have the names from their files, and values that are named as other symbols keep theirs") {
  const auto program_with = [](const std::string& symbol, const std::string& value, std::int64_t stride) {
    ExportedProgram program = program_of(
        graph_of({"x"}, {call(kRelu, {tensor("x")}, {value}), call(kRelu, {tensor(value)}, {"z"})}, {"z"}));
    const auto integer = [](std::int64_t number) {
      pt2::SymInt size;
      size.emplace<pt2::SymInt::as_int>(number);
      return size;
    };
    pt2::Graph& graph = program.graph_module.graph;
    for (const std::string& name : {std::string("x"), value, std::string("z")}) {
      graph.tensor_values[name].sizes = {symbolic(symbol), integer(4)};
      graph.tensor_values[name].strides = {integer(name == "z" ? stride : 4), symbolic("2*" + symbol)};
    }
    program.range_constraints[symbol] = {2, 60 + stride};
    program.guards_code = {"L['x'].size()[0] != " + symbol + " + " + std::to_string(stride)};
    return program;
  };
  const Texts found = diff(program_with("s48", "s0", 1), program_with("s77", "s0", 2));
  CHECK(found ==
        Texts{"constraints: - 2 <= s48 <= 61 + 2 <= s77 <= 62", "guards: - L['x'].size()[0] != s48 + 1",
              "guards: + L['x'].size()[0] != s77 + 2",
              "nodes: - z: f32[s48, 4] = aten.relu.default(s0) + z: f32[s77, 4] = aten.relu.default(s0) "
              "(strides of z: [1, 2*s48], then [2, 2*s77])"});
}

TEST_CASE("trees of inputs and outputs are compared as structures") {
  const std::string leaf = R"({"type": null, "context": null, "children_spec": []})";
  const auto list = [](const std::string& type, const std::string& context, const std::string& children) {
    return R"({"type": "builtins.)" + type + R"(", "context": ")" + context + R"(", "children_spec": [)" +
           children + "]}";
  };
  const auto program_with = [&](const std::string& tree) {
    ExportedProgram program = chain({call(kRelu, {tensor("x")}, {"out"})});
    program.graph_module.module_call_graph.push_back({"", pt2::ModuleCallSignature()});
    program.graph_module.module_call_graph.back().signature->in_spec = tree;
    return program;
  };
  const std::string two = leaf + ", " + leaf;
  const auto tree = [&](const std::string& inner) {
    return "[1, " + list("tuple", "null", leaf + ", " + inner) + "]";
  };
  const std::string heading = "modules: - module \"\" + module \"\" (";
  CHECK(diff(program_with(tree(list("tuple", "null", two))), program_with(tree(list("list", "null", two)))) ==
        Texts{heading + "in_spec[1]: builtins.tuple with 2 items, then builtins.list with 2 items)"});
  CHECK(diff(program_with(tree(leaf)), program_with(tree(list("dict", R"([\"a\"])", leaf)))) ==
        Texts{heading + "in_spec[1]: a leaf, then builtins.dict \"[\\\"a\\\"]\" with 1 item)"});
  CHECK(diff(program_with(tree(leaf)), program_with(tree(" " + leaf))) ==
        Texts{heading + "in_spec: written differently)"});
}

TEST_CASE("a call of a module that changed is shown with its values") {
  ExportedProgram a = program_of(graph_of({"x", "y"}, {call(kRelu, {tensor("x")}, {"z"})}, {"z"}));
  pt2::ModuleCallEntry& called = a.graph_module.module_call_graph.emplace_back();
  called.fqn = "layer";
  called.signature.emplace().inputs = {tensor("x"), number(1)};
  called.signature->outputs = {tensor("z")};
  called.signature->in_spec = "old spec";
  called.signature->forward_arg_names = Texts{"input"};
  ExportedProgram b = a;
  pt2::ModuleCallSignature& changed = *b.graph_module.module_call_graph[0].signature;
  changed.inputs = {tensor("y"), number(1)};
  changed.in_spec = "new spec";
  changed.forward_arg_names.reset();
  CHECK(diff(a, b) ==
        Texts{"modules: - module \"layer\"(x, 1) -> (z) + module \"layer\"(y, 1) -> (z) (inputs) "
              "(in_spec: old spec, then new spec) (forward_arg_names: [\"input\"], then None)"});
}

TEST_CASE(
    "a mutation names the user input as its file does, and follows the input when others come before it") {
  const auto program = [](const std::vector<std::string>& inputs, const std::string& mutated) {
    ExportedProgram mutating = program_of(graph_of(inputs, {call(kRelu, {tensor("x")}, {"z"})}, {"z"}));
    auto& spec = mutating.graph_module.signature.output_specs[0];
    auto& mutation = spec.emplace<pt2::OutputSpec::user_input_mutation>();
    mutation.arg.name = "z";
    mutation.user_input_name = mutated;
    return mutating;
  };
  CHECK(diff(program({"x", "y"}, "x"), program({"x", "y"}, "y")) ==
        Texts{"outputs: - z  f32[]  mutation of user input \"x\" + z  f32[]  mutation of user input \"y\" "
              "(meaning)"});
}

TEST_CASE("programs with many modules are compared in little time") {
  ExportedProgram a = chain({call(kRelu, {tensor("x")}, {"out"})});
  // Comparing all pairs would take 10^10 comparisons.
  for (int i = 0; i < 100000; ++i)
    a.graph_module.module_call_graph.push_back({"layer." + std::to_string(i), {}});
  ExportedProgram b = a;
  std::reverse(b.graph_module.module_call_graph.begin(), b.graph_module.module_call_graph.end());
  b.graph_module.module_call_graph.push_back({"new", {}});
  CHECK(diff(a, b) == Texts{"modules: + module \"new\"", "modules: (order)"});
}

TEST_CASE("of millions of differences, the first ones are listed, and it is said that there are more") {
  pt2::ExportedProgram many;
  many.verifiers.assign(pt2::kMostDifferences + 5, "v");
  for (std::size_t i = 0; i < many.verifiers.size(); ++i) many.verifiers[i] += std::to_string(i);
  const auto found = pt2::diff_programs(pt2::normalize(many), pt2::normalize({}));
  REQUIRE(found.size() == pt2::kMostDifferences + 1);
  CHECK(found[found.size() - 2].details.empty());
  CHECK(found.back().details == std::vector<std::string>{"more differences, which are not listed"});
  many.verifiers.resize(pt2::kMostDifferences);
  CHECK(pt2::diff_programs(pt2::normalize(many), pt2::normalize({})).back().details.empty());
}

TEST_CASE("a difference says where it is, in subgraphs too, by the names of the file") {
  const ExportedProgram a = load("cond");
  ExportedProgram b = a;
  pt2::Node& cond = b.graph_module.graph.nodes[0];
  pt2::Graph& branch = *cond.inputs[1].arg.get<Argument::as_graph>().graph;
  branch.nodes[0].target = "torch.ops.aten.tan.default";
  const std::vector<Difference> found = pt2::diff_programs(pt2::normalize(a), pt2::normalize(b));
  REQUIRE(found.size() == 1);
  CHECK(found[0].at_before == Texts{"getitem", "true_graph_0", "sin"});
  CHECK(found[0].at_after == found[0].at_before);
  const std::vector<Difference> fewer = pt2::diff_programs(
      pt2::normalize(chain({call(kRelu, {tensor("x")}, {"out"})})),
      pt2::normalize(chain({call(kRelu, {tensor("x")}, {"y"}), call(kRelu, {tensor("y")}, {"out"})})));
  REQUIRE(!fewer.empty());
  CHECK(std::any_of(fewer.begin(), fewer.end(), [](const Difference& each) {
    return each.kind == Difference::Kind::added && each.at_before.empty() && !each.at_after.empty();
  }));
}
