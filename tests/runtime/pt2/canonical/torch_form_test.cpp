#include "pt2/canonical/stages.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

TEST_CASE(
    "nodes that differ only in literals keep their order in the torch form, but not in the normal form") {
  const auto added = [](std::int64_t first, std::int64_t second) {
    const std::string a = first < second ? "a" : "b";
    const std::string b = first < second ? "b" : "a";
    return program_of(graph_of(
        {"x"},
        {call(kAdd, {tensor("x"), number(first)}, {a}), call(kAdd, {tensor("x"), number(second)}, {b})},
        {"a", "b"}));
  };
  CHECK(json(canonicalize(added(1, 2), CanonicalForm::torch)) !=
        json(canonicalize(added(2, 1), CanonicalForm::torch)));
  CHECK(json(canonicalize(added(1, 2), CanonicalForm::normal)) ==
        json(canonicalize(added(2, 1), CanonicalForm::normal)));
}

TEST_CASE("the torch form ignores names in dicts, other forms rename them") {
  const ExportedProgram program = program_of(graph_of(
      {"x"}, {call(kRelu, {tensor("x")}, {"a"}), call(kAdd, {dict("k", tensor("a"))}, {"b"})}, {"b"}));
  CHECK(node_texts(graph(canonicalize(program, CanonicalForm::torch))) ==
        Texts{"_1 = " + kAdd + "({\"k\": a})", "_2 = " + kRelu + "(_0)"});
  for (const auto form : {CanonicalForm::names, CanonicalForm::normal}) {
    CHECK(node_texts(graph(canonicalize(program, form))) ==
          Texts{"_1 = " + kRelu + "(_0)", "_2 = " + kAdd + "({\"k\": _1})"});
  }
}

TEST_CASE("the torch form rejects optional tensors, other forms rename them") {
  const ExportedProgram program =
      program_of(graph_of({"x"}, {call(kRelu, {optional_tensor("x")}, {"a"})}, {"a"}));
  CHECK(
      message(program, CanonicalForm::torch) ==
      "graph_module.graph: torch cannot canonicalize the program: unknown input type to the ExportedProgram: "
      "as_optional_tensor");
  CHECK(node_texts(graph(canonicalize(program, CanonicalForm::normal))) == Texts{"_1 = " + kRelu + "(_0)"});
}

TEST_CASE("the torch form renames custom objects in the graph only, other forms also in the signature") {
  ExportedProgram program = program_of(graph_of({}, {call(kRelu, {}, {"a"})}, {"a"}));
  Argument object;
  object.emplace<Argument::as_custom_obj>() = {"obj", "my.Class"};
  program.graph_module.graph.inputs.push_back(object);
  program.graph_module.graph.custom_obj_values["obj"] = {"obj", "my.Class"};
  program.graph_module.signature.input_specs.emplace_back().emplace<InputSpec::user_input>().arg = object;
  const auto name_in_signature = [](const ExportedProgram& canonical) {
    return canonical.graph_module.signature.input_specs[0]
        .get<InputSpec::user_input>()
        .arg.get<Argument::as_custom_obj>()
        .name;
  };
  const auto name_in_graph = [](const ExportedProgram& canonical) {
    return graph(canonical).inputs[0].get<Argument::as_custom_obj>().name;
  };
  const ExportedProgram of_torch = canonicalize(program, CanonicalForm::torch);
  CHECK(name_in_graph(of_torch) == "_0");
  CHECK(name_in_signature(of_torch) == "obj");
  const ExportedProgram normal = canonicalize(program, CanonicalForm::normal);
  CHECK(name_in_graph(normal) == "_0");
  CHECK(name_in_signature(normal) == "_0");
  CHECK(graph(normal).custom_obj_values.at("_0").name == "_0");
}

TEST_CASE("the torch form keeps names of nodes, other forms name them after their result or index") {
  Graph graph_with_names = graph_of(
      {"x"}, {call(kRelu, {tensor("x")}, {"a"}), call("torch.ops.aten.max.dim", {tensor("a")}, {"b", "c"})},
      {"b"});
  graph_with_names.nodes[0].name = "relu_17";
  graph_with_names.nodes[1].name = "max_18";
  const ExportedProgram program = program_of(graph_with_names);
  CHECK(graph(canonicalize(program, CanonicalForm::torch)).nodes[0].name == "relu_17");
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(graph(names).nodes[0].name == "_1");
  CHECK(graph(names).nodes[1].name == "n1");
}

TEST_CASE("the torch form drops metadata and named tuples of the module, other forms sort them") {
  ExportedProgram program = program_of(graph_of({"x"}, {}, {"x"}));
  program.graph_module.metadata["b"] = "1";
  program.graph_module.metadata["a"] = "2";
  program.graph_module.treespec_namedtuple_fields["my.Tuple"].field_names = {"p", "q"};
  const ExportedProgram of_torch = canonicalize(program, CanonicalForm::torch);
  CHECK(of_torch.graph_module.metadata.empty());
  CHECK(of_torch.graph_module.treespec_namedtuple_fields.empty());
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(json(names).find("\"metadata\": {\"a\": \"2\", \"b\": \"1\"}") != std::string::npos);
  CHECK(names.graph_module.treespec_namedtuple_fields.contains("my.Tuple"));
}

TEST_CASE("the torch form keeps module calls and symbols, other forms rename them") {
  ExportedProgram program = program_of(graph_of({"x"}, {}, {"x"}));
  program.graph_module.module_call_graph.push_back({"", pt2::ModuleCallSignature{}});
  program.graph_module.module_call_graph[0].signature->inputs.push_back(tensor("x"));
  program.graph_module.graph.tensor_values["x"].sizes = {
      symbolic("Symbol('s77', positive=True, integer=True)"), symbolic("Symbol('u5', integer=True)")};
  program.range_constraints["s77"].min_val = 2;
  program.range_constraints["u5"].max_val = 9;
  program.guards_code = {"s77 > 1 and L['s77'].s77 < u5"};
  const auto module_input = [](const ExportedProgram& canonical) {
    return pt2::argument_text(canonical.graph_module.module_call_graph[0].signature->inputs[0]);
  };
  const auto first_size = [](const ExportedProgram& canonical) {
    return graph(canonical).tensor_values.at("_0").sizes[0].get<pt2::SymInt::as_expr>().expr_str;
  };
  const ExportedProgram of_torch = canonicalize(program, CanonicalForm::torch);
  CHECK(module_input(of_torch) == "x");
  CHECK(first_size(of_torch) == "Symbol('s77', positive=True, integer=True)");
  CHECK(of_torch.range_constraints.contains("s77"));
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(module_input(names) == "_0");
  CHECK(first_size(names) == "Symbol('s0', positive=True, integer=True)");
  CHECK(names.range_constraints.at("s0").min_val == 2);
  CHECK(names.range_constraints.at("u0").max_val == 9);
  CHECK(names.guards_code == Texts{"s0 > 1 and L['s77'].s77 < u0"});
}

TEST_CASE("the torch form loses entries of values whose names look canonical, other forms do not") {
  ExportedProgram program = program_of(graph_of({"_1", "_0"}, {}, {"_0"}));
  program.graph_module.graph.tensor_values["_1"].dtype = pt2::ScalarType::FLOAT;
  program.graph_module.graph.tensor_values["_0"].dtype = pt2::ScalarType::LONG;
  // `_1`'s entry overwrites `_0`'s, and is then moved on to `_1`.
  const ExportedProgram of_torch = canonicalize(program, CanonicalForm::torch);
  CHECK(keys(graph(of_torch).tensor_values) == Texts{"_1"});
  CHECK(graph(of_torch).tensor_values.at("_1").dtype == pt2::ScalarType::FLOAT);
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(graph(names).tensor_values.at("_0").dtype == pt2::ScalarType::FLOAT);
  CHECK(graph(names).tensor_values.at("_1").dtype == pt2::ScalarType::LONG);
  CHECK(pt2::argument_text(graph(names).outputs[0]) == "_1");
}

TEST_CASE("the torch form rejects programs without outputs, other forms do not") {
  const ExportedProgram program = program_of(graph_of({"x"}, {}, {}));
  CHECK(message(program, CanonicalForm::torch) ==
        "graph_module.graph.outputs: torch cannot canonicalize the program: not enough values to unpack, as "
        "the "
        "graph has no outputs");
  CHECK(message(program, CanonicalForm::normal) == "no error");
  CHECK(json(canonicalize(program_of(graph_of({}, {call(kRelu, {}, {"a"})}, {"a"})), CanonicalForm::torch)) !=
        "");
}

TEST_CASE("the torch form names each use of a subgraph differently, other forms name each subgraph once") {
  const Graph inner = graph_of({"a"}, {call(kRelu, {tensor("a")}, {"r"})}, {"r"});
  const std::string invoke = "torch.ops.higher_order.invoke_subgraph";
  const ExportedProgram program =
      program_of(graph_of({"x"},
                          {call(invoke, {subgraph("shared", inner), tensor("x")}, {"y"}),
                           call(invoke, {subgraph("shared", inner), tensor("y")}, {"z"})},
                          {"z"}));
  const auto subgraph_name = [](const ExportedProgram& canonical, std::size_t node) {
    return graph(canonical).nodes[node].inputs[0].arg.get<Argument::as_graph>().name;
  };
  const ExportedProgram of_torch = canonicalize(program, CanonicalForm::torch);
  CHECK(subgraph_name(of_torch, 0) == "_g0");
  CHECK(subgraph_name(of_torch, 1) == "_g1");
  const ExportedProgram normal = canonicalize(program, CanonicalForm::normal);
  CHECK(subgraph_name(normal, 0) == "_g0");
  CHECK(subgraph_name(normal, 1) == "_g0");
  CHECK(node_texts(*graph(normal).nodes[1].inputs[0].arg.get<Argument::as_graph>().graph) ==
        Texts{"_1 = " + kRelu + "(_0)"});
}

TEST_CASE("the torch form rejects undefined outputs, other forms name them") {
  const ExportedProgram program = program_of(graph_of({"x"}, {}, {"nowhere"}));
  CHECK(message(program, CanonicalForm::torch) ==
        "graph_module.signature.output_specs[0]: torch cannot canonicalize the program: symbol 'nowhere' has "
        "no new "
        "name");
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(pt2::argument_text(graph(names).outputs[0]) == "_1");
  CHECK(pt2::argument_text(names.graph_module.signature.output_specs[0].get<OutputSpec::user_output>().arg) ==
        "_1");
}

TEST_CASE("errors of the torch form are torch's errors") {
  const auto said = [](Graph graph) { return message(program_of(std::move(graph)), CanonicalForm::torch); };
  const std::string prefix = "graph_module.graph: torch cannot canonicalize the program: ";
  CHECK(said(graph_of({"x"}, {call(kRelu, {tensor("y")}, {"a"})}, {"a"})) ==
        prefix + "symbol 'y' not in def_table or graph_inputs");
  CHECK(said(graph_of({"x"}, {call(kRelu, {tensor("x")}, {"a"}), call(kMul, {tensor("x")}, {"a"})}, {"a"})) ==
        prefix + "symbol 'a' already in def_table");
  CHECK(said(graph_of({"x"}, {call(kRelu, {tensor("b")}, {"a"}), call(kMul, {tensor("a")}, {"b"})}, {"a"})) ==
        prefix + "expected 2 sorted nodes, got 0");
  CHECK(said(graph_of({"x", "x"}, {}, {"x"})) == prefix + "symbol 'x' already in rank");
  Graph without_entry = graph_of({"x"}, {}, {"x"});
  without_entry.tensor_values.clear();
  CHECK(said(without_entry) == prefix + "symbol 'x' not in the graph's values");
  ExportedProgram unequal = program_of(graph_of({"x"}, {}, {"x"}));
  unequal.graph_module.signature.input_specs.clear();
  CHECK(message(unequal, CanonicalForm::torch) ==
        "graph_module: torch cannot canonicalize the program: graph.inputs length 1 != signature.input_specs "
        "length "
        "0");
}
