#include "pt2/infer/infer_types.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"
#include "pt2/infer/rules.h"
#include "pt2/program.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"

using pt2::Argument;
using pt2::ExportedProgram;

namespace {

ExportedProgram load(const std::string& name) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name).program;
}

std::vector<std::string> results(const pt2::Graph& graph) {
  std::vector<std::string> names;
  for (const pt2::Node& node : graph.nodes) {
    pt2::for_each_name(node.outputs, [&](const std::string& name) {
      if (graph.tensor_values.contains(name)) names.push_back(name);
    });
  }
  return names;
}

}  // namespace

TEST_CASE("the types that torch recorded are right, and stay") {
  for (const char* name : {"mlp.json", "gpt2.json", "cond.json", "dynamic.json", "conv_bn_train.json"}) {
    CAPTURE(name);
    ExportedProgram program = load(name);
    CHECK(pt2::infer_types(program).empty());
    CHECK(program == load(name));
  }
}

TEST_CASE("types that were lost are computed again from those of the inputs") {
  for (const char* name : {"mlp.json", "gpt2.json", "conv_bn_train.json"}) {
    CAPTURE(name);
    const ExportedProgram recorded = load(name);
    const pt2::Graph& before = recorded.graph_module.graph;
    ExportedProgram program = recorded;
    pt2::Graph& graph = program.graph_module.graph;
    const std::vector<std::string> names = results(graph);
    REQUIRE(names.size() > 2);
    for (const std::string& result : names) {
      pt2::TensorMeta& meta = graph.tensor_values.at(result);
      meta.dtype = pt2::ScalarType::COMPLEXDOUBLE;
      meta.sizes.clear();
      meta.strides.clear();
    }
    CHECK(pt2::infer_types(program).size() == names.size());
    for (const std::string& result : names) {
      CAPTURE(result);
      CHECK(graph.tensor_values.at(result).dtype == before.tensor_values.at(result).dtype);
      CHECK(graph.tensor_values.at(result).sizes == before.tensor_values.at(result).sizes);
    }
  }
}

TEST_CASE("an input of another shape changes what depends on it, in subgraphs too") {
  const ExportedProgram before = load("cond.json");
  ExportedProgram program = before;
  program.graph_module.graph.tensor_values.at("x").dtype = pt2::ScalarType::DOUBLE;
  const std::vector<std::string> names = pt2::infer_types(program, before);
  CHECK(names == std::vector<std::string>{"x", "sin", "add", "x", "cos", "sub", "getitem"});
}

TEST_CASE("a node that does not accept its inputs is named, and the program stays") {
  const ExportedProgram before = load("mlp.json");
  ExportedProgram program = before;
  pt2::TensorMeta& meta = program.graph_module.graph.tensor_values.at("x");
  meta.sizes.back() = pt2::Size(3).sym_int({});
  const ExportedProgram edited = program;
  CHECK_THROWS_WITH(pt2::infer_types(program, before),
                    "cannot infer the type of 'linear', a result of torch.ops.aten.linear.default: cannot "
                    "multiply shapes [3, 3] and [8, 4]");
  CHECK(program == edited);
}

TEST_CASE("a stated shape that differs for some value of a symbol is stale") {
  const ExportedProgram recorded = load("dynamic.json");
  pt2::Graph graph = recorded.graph_module.graph;
  const pt2::Bindings hints = pt2::hints_of(graph);
  pt2::SizeTexts texts;
  std::size_t count = 0;
  for (const pt2::Node& node : recorded.graph_module.graph.nodes) {
    const pt2::Operator* const op = pt2::find_operator(node.target);
    const std::string* const name = pt2::first_name(node.outputs);
    if (op == nullptr || name == nullptr || !graph.tensor_values.contains(*name)) continue;
    CAPTURE(node.target);
    CHECK(pt2::stale_results(node, *op, graph, hints, {}, texts).empty());
    pt2::TensorMeta& meta = graph.tensor_values.at(*name);
    const pt2::TensorMeta stated = meta;
    meta.sizes[0] = pt2::SymInt(*pt2::Size(meta.sizes[0]).hint(hints));
    if (meta == stated) continue;
    const auto stale = pt2::stale_results(node, *op, graph, hints, {}, texts);
    REQUIRE(stale.size() == 1);
    CHECK(stale[0].name == *name);
    CHECK(stale[0].inferred.sizes == stated.sizes);
    meta = stated;
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("types that are missing are inferred, and an operator without a rule is named") {
  ExportedProgram program = load("dynamic.json");
  const ExportedProgram recorded = program;
  program.graph_module.graph.tensor_values.erase(results(program.graph_module.graph).front());
  pt2::infer_types(program);
  CHECK(program.graph_module.graph.tensor_values.size() == recorded.graph_module.graph.tensor_values.size());
  ExportedProgram custom = load("custom_op.json");
  for (const std::string& name : results(custom.graph_module.graph))
    custom.graph_module.graph.tensor_values.erase(name);
  CHECK_THROWS_WITH(pt2::infer_types(custom), Catch::Contains("fxlib.scale"));
}

TEST_CASE("a batch of another size than its vmap is an error") {
  const auto path = PT2_SOURCE_DIR "/tests/data/inference/vmap.json";
  const ExportedProgram before = pt2::load_program(path).program;
  CHECK(pt2::verify(before).empty());
  for (const char* const name : {"x", "y"}) {
    ExportedProgram changed = before;
    pt2::TensorMeta& meta = changed.graph_module.graph.tensor_values.at(name);
    meta.sizes[0].emplace<pt2::SymInt::as_int>(8);
    CHECK_THROWS_WITH(pt2::infer_types(changed, before),
                      Catch::Contains("self: expected shape [3, 4], got [8, 4]"));
    std::string found;
    for (const pt2::Finding& finding : pt2::verify(changed)) found += finding.message + "\n";
    CHECK(found == "torch._functorch.predispatch._add_batch_dim: self: expected shape [3, 4], got [8, 4]\n");
  }
  ExportedProgram changed = before;
  changed.graph_module.graph.nodes[6].inputs[2].arg.emplace<pt2::Argument::as_int>(8);
  CHECK_FALSE(pt2::verify(changed).empty());
}

namespace {

Argument tensor(const std::string& name) {
  return Argument::of<Argument::as_tensor>(pt2::TensorArgument{name});
}

Argument tensors(std::vector<pt2::TensorArgument> names) {
  return Argument::of<Argument::as_tensors>(std::move(names));
}

template <Argument::Kind Kind, class Symbol>
Argument symbol(const std::string& name) {
  Symbol value;
  value.template emplace<Symbol::as_name>(name);
  return Argument::of<Kind>(std::move(value));
}

/// The symbols' values for the sample inputs.
pt2::Bindings hints() {
  pt2::Bindings values;
  values.insert("s0", 5);
  return values;
}

void add_floats(pt2::Graph& graph, const std::string& name, std::vector<pt2::Size> sizes) {
  graph.tensor_values.insert(name, pt2::TensorType(pt2::ScalarType::FLOAT, std::move(sizes)).meta());
}

pt2::Node& add_node(pt2::Graph& graph, const std::string& target, std::vector<Argument> inputs) {
  pt2::Node& node = graph.nodes.emplace_back();
  node.target = target;
  for (Argument& input : inputs) node.inputs.emplace_back().arg = std::move(input);
  return node;
}

Argument subgraph(pt2::Graph graph) {
  pt2::GraphArgument argument;
  argument.name = "body";
  *argument.graph = std::move(graph);
  return Argument::of<Argument::as_graph>(std::move(argument));
}

/// Adds a result of each kind that the operator declares, two tensors for a list. Returns their names.
std::vector<std::string> add_results(pt2::Graph& graph, pt2::Node& node, const pt2::Operator& op) {
  using Kind = pt2::OperatorTypeKind;
  std::vector<std::string> names;
  const auto add = [&] { return names.emplace_back("result" + std::to_string(names.size())); };
  for (const pt2::OperatorReturn& result : op.returns) {
    const auto add_tensor = [&] {
      const std::string name = add();
      add_floats(graph, name, {2, 3});
      return name;
    };
    if (result.type.kind == Kind::Tensor) {
      node.outputs.push_back(tensor(add_tensor()));
    } else if (result.type.kind == Kind::list && result.type.items->front().kind == Kind::Tensor) {
      const std::string first = add_tensor();
      node.outputs.push_back(tensors({{first}, {add_tensor()}}));
    } else if (result.type.kind == Kind::int_ || result.type.kind == Kind::SymInt) {
      node.outputs.push_back(symbol<Argument::as_sym_int, pt2::SymIntArgument>(add()));
      graph.sym_int_values.insert(names.back(), pt2::Size::symbol("s0").sym_int(hints()));
    }
  }
  return names;
}

ExportedProgram of_graph(pt2::Graph graph) {
  ExportedProgram program;
  program.graph_module.graph = std::move(graph);
  return program;
}

}  // namespace

TEST_CASE("operators without a rule are named, wherever their inputs change or their results lack a type") {
  std::size_t count = 0;
  for (std::size_t at = 0; at < pt2::operator_count(); ++at) {
    const pt2::Operator& op = pt2::operator_at(at);
    if (pt2::has_rule(op) || op.returns.empty() || op.kind != pt2::OperatorKind::overload) continue;
    CAPTURE(op.target);
    pt2::Graph graph;
    add_floats(graph, "x", {2, 3});
    graph.inputs.push_back(tensor("x"));
    pt2::Node& node = add_node(graph, op.target, {tensors({{"x"}, {"x"}})});
    const std::vector<std::string> names = add_results(graph, node, op);
    if (names.empty()) continue;
    ++count;
    pt2::Graph outer = graph;
    outer.nodes.clear();
    graph.outputs.push_back(tensor("x"));
    add_floats(outer, "y", {2, 3});
    add_node(outer, "torch.ops.higher_order.strict_mode", {subgraph(graph), tensor("x")})
        .outputs.push_back(tensor("y"));
    for (const bool is_inside : {false, true}) {
      CAPTURE(is_inside);
      const ExportedProgram recorded = of_graph(is_inside ? outer : graph);
      const auto fails = [&](ExportedProgram program) {
        const ExportedProgram edited = program;
        CHECK_THROWS_WITH(pt2::infer_types(program, recorded), Catch::Contains(op.target));
        CHECK(program == edited);
      };
      ExportedProgram program = recorded;
      CHECK(pt2::infer_types(program, recorded).empty());
      program.graph_module.graph.tensor_values.at("x").sizes[0] = pt2::Size(4).sym_int({});
      fails(program);
      for (const std::string& name : names) {
        program = recorded;
        pt2::Graph& edited = program.graph_module.graph;
        pt2::Graph& held =
            is_inside ? *edited.nodes[0].inputs[0].arg.get<Argument::as_graph>().graph : edited;
        held.tensor_values.erase(name);
        held.sym_int_values.erase(name);
        CHECK_THROWS_WITH(pt2::infer_types(program), Catch::Contains(op.target));
        fails(program);
      }
    }
  }
  CHECK(count > 300);
}

TEST_CASE("symbolic floats and bools that depend on a changed size change, in subgraphs too") {
  pt2::Graph body;
  const auto symbol_int = [](const char* name) {
    return symbol<Argument::as_sym_int, pt2::SymIntArgument>(name);
  };
  body.inputs.push_back(symbol_int("n"));
  body.sym_int_values.insert("n", pt2::Size::symbol("s0").sym_int(hints()));
  const auto number = [](std::int64_t value) { return Argument::of<Argument::as_int>(value); };
  add_node(body, "_operator.gt", {symbol_int("n"), number(4)})
      .outputs.push_back(symbol<Argument::as_sym_bool, pt2::SymBoolArgument>("is_greater"));
  add_node(body, "_operator.truediv", {symbol_int("n"), number(2)})
      .outputs.push_back(symbol<Argument::as_sym_float, pt2::SymFloatArgument>("half"));
  body.outputs = body.nodes.back().outputs;
  ExportedProgram program = of_graph(body);
  pt2::infer_types(program);
  pt2::Graph outer;
  outer.inputs = body.inputs;
  outer.sym_int_values = body.sym_int_values;
  add_node(outer, "torch.ops.higher_order.strict_mode",
           {subgraph(program.graph_module.graph), symbol_int("n")})
      .outputs = body.outputs;
  ExportedProgram recorded = of_graph(outer);
  pt2::infer_types(recorded);
  ExportedProgram edited = recorded;
  edited.graph_module.graph.sym_int_values.at("n") =
      (pt2::Size::symbol("s0") + pt2::Size(1)).sym_int(hints());
  CHECK(pt2::infer_types(edited, recorded) == std::vector<std::string>{"n", "is_greater", "half", "half"});
  pt2::SymExpr wrong;
  wrong.expr_str = "5*s0";
  edited = recorded;
  edited.graph_module.graph.sym_float_values.at("half").emplace<pt2::SymFloat::as_expr>(wrong);
  CHECK(pt2::infer_types(edited) == std::vector<std::string>{"half"});
  CHECK(edited == recorded);
}

TEST_CASE("the subgraphs of map and scan take a changed operand apart, and no others do") {
  pt2::Graph body;
  for (const char* const name : {"carried", "item"}) {
    body.inputs.push_back(tensor(name));
    add_floats(body, name, {3});
  }
  pt2::Node& sum = add_node(body, "torch.ops.aten.mul.Tensor", {tensor("carried"), tensor("item")});
  sum.inputs[0].name = "self";
  sum.inputs[1].name = "other";
  sum.outputs.push_back(tensor("sum"));
  add_floats(body, "sum", {3});
  body.outputs = {tensor("carried"), tensor("sum")};
  pt2::Graph graph;
  add_floats(graph, "first", {3});
  add_floats(graph, "items", {5, 3});
  graph.inputs = {tensor("first"), tensor("items")};
  add_node(graph, "torch.ops.higher_order.scan",
           {subgraph(body), tensors({{"first"}}), tensors({{"items"}}), tensors({})})
      .outputs = {tensor("last"), tensor("sums")};
  ExportedProgram recorded = of_graph(graph);
  pt2::infer_types(recorded);
  ExportedProgram edited = recorded;
  edited.graph_module.graph.tensor_values.at("items").dtype = pt2::ScalarType::DOUBLE;
  CHECK(pt2::infer_types(edited, recorded) == std::vector<std::string>{"item", "sum", "sums"});
  const pt2::TensorMeta& sums = edited.graph_module.graph.tensor_values.at("sums");
  CHECK(pt2::TensorType(sums).sizes == std::vector<pt2::Size>{5, 3});
  CHECK(sums.dtype == pt2::ScalarType::DOUBLE);
}
