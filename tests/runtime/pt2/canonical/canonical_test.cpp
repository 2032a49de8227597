// Only the form `torch` repeats the faults of torch's canonicalize.
#include "pt2/canonical/canonical.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

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

namespace {

const Graph& graph(const ExportedProgram& program) {
  return program.graph_module.graph;
}

std::string json(const ExportedProgram& program) {
  return schemagen::to_json(program);
}

/// Each node as `_1 = add(_0, 1)`.
std::vector<std::string> node_texts(const Graph& graph) {
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

std::vector<std::string> keys(const schemagen::Map<pt2::TensorMeta>& table) {
  std::vector<std::string> keys;
  for (const auto& entry : table) keys.push_back(entry.key());
  return keys;
}

std::string message(const ExportedProgram& program, CanonicalForm form) {
  try {
    canonicalize(program, form);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kAdd = "torch.ops.aten.add.Tensor";
const std::string kMul = "torch.ops.aten.mul.Tensor";
const std::string kRelu = "torch.ops.aten.relu.default";
using Texts = std::vector<std::string>;

}  // namespace

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

TEST_CASE(
    "torch puts constants after all that the user passes, and sorts buffers by name; the others keep them") {
  ExportedProgram program = program_of(graph_of({"x", "q", "p"}, {}, {"x"}));
  Graph& changed = program.graph_module.graph;
  auto& specs = program.graph_module.signature.input_specs;
  changed.inputs.insert(changed.inputs.begin(), number(3));
  specs.insert(specs.begin(), InputSpec());
  specs[0].emplace<InputSpec::constant_input>().name = "k";
  specs[0].get<InputSpec::constant_input>().value.emplace<pt2::ConstantValue::as_int>(3);
  specs[2].emplace<InputSpec::buffer>() = {{"q"}, "q", true};
  specs[3].emplace<InputSpec::buffer>() = {{"p"}, "p", false};
  const auto kinds = [](const ExportedProgram& canonical) {
    std::vector<InputSpec::Kind> found;
    for (const InputSpec& spec : canonical.graph_module.signature.input_specs) found.push_back(spec.kind());
    return found;
  };
  const ExportedProgram of_torch = canonicalize(program, CanonicalForm::torch);
  CHECK(kinds(of_torch) ==
        std::vector{InputSpec::buffer, InputSpec::buffer, InputSpec::user_input, InputSpec::constant_input});
  CHECK_FALSE(of_torch.graph_module.signature.input_specs[0].get<InputSpec::buffer>().persistent);
  CHECK(of_torch.graph_module.signature.input_specs[3].get<InputSpec::constant_input>().name == "k");
  const ExportedProgram normal = canonicalize(program, CanonicalForm::normal);
  CHECK(kinds(normal) ==
        std::vector{InputSpec::constant_input, InputSpec::user_input, InputSpec::buffer, InputSpec::buffer});
  CHECK(normal.graph_module.signature.input_specs[0].get<InputSpec::constant_input>().name == "_0");
  CHECK(normal.graph_module.signature.input_specs[2].get<InputSpec::buffer>().persistent);
}

TEST_CASE("every form renames each output by its spec") {
  ExportedProgram program = program_of(
      graph_of({"x"}, {call(kRelu, {tensor("x")}, {"a"}), call(kMul, {tensor("a")}, {"b"})}, {"a", "b"}));
  auto& mutation = program.graph_module.signature.output_specs[0].emplace<OutputSpec::user_input_mutation>();
  mutation.arg.name = "a";
  mutation.user_input_name = "x";
  for (const auto form : {CanonicalForm::torch, CanonicalForm::names, CanonicalForm::normal}) {
    const ExportedProgram canonical = canonicalize(program, form);
    const auto& specs = canonical.graph_module.signature.output_specs;
    CHECK(specs[0].get<OutputSpec::user_input_mutation>().arg.name == "_1");
    CHECK(specs[0].get<OutputSpec::user_input_mutation>().user_input_name == "_0");
    CHECK(pt2::argument_text(specs[1].get<OutputSpec::user_output>().arg) == "_2");
  }
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

TEST_CASE("all forms except torch rename subgraphs in dicts") {
  const Graph inner = graph_of({"a"}, {}, {"a"});
  const ExportedProgram program = program_of(graph_of(
      {"x"}, {call("torch.ops.higher_order.wrap", {dict("f", subgraph("f_0", inner))}, {"y"})}, {"y"}));
  const auto name_of_subgraph = [](const ExportedProgram& canonical) {
    return graph(canonical)
        .nodes[0]
        .inputs[0]
        .arg.get<Argument::as_string_to_argument>()
        .at("f")
        .get<Argument::as_graph>()
        .name;
  };
  CHECK(name_of_subgraph(canonicalize(program, CanonicalForm::torch)) == "f_0");
  CHECK(name_of_subgraph(canonicalize(program, CanonicalForm::names)) == "_g0");
}

TEST_CASE("inputs and outputs are JSON lists in every form") {
  const ExportedProgram program = program_of(graph_of({"x"}, {}, {"x"}));
  for (const auto form : {CanonicalForm::torch, CanonicalForm::names, CanonicalForm::normal}) {
    CHECK(json(canonicalize(program, form)).find("\"inputs\": [{\"as_tensor\": {\"name\": \"_0\"}}]") !=
          std::string::npos);
  }
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

TEST_CASE("the names form numbers inputs, results, undefined names, then names that occur only in tables") {
  Graph wild = graph_of({"x"}, {call(kAdd, {tensor("x"), tensor("free")}, {"a"})}, {"a"});
  add_tensor(wild, "only_b");
  add_tensor(wild, "only_a");
  wild.tensor_values["only_b"].dtype = pt2::ScalarType::LONG;
  const ExportedProgram names = canonicalize(program_of(wild), CanonicalForm::names);
  CHECK(node_texts(graph(names)) == Texts{"_1 = " + kAdd + "(_0,_2)"});
  CHECK(keys(graph(names).tensor_values) == Texts{"_0", "_1", "_3", "_4"});
  // 5 is LONG, 7 is FLOAT.
  CHECK(graph(names).tensor_values.at("_3").dtype == pt2::ScalarType::LONG);
}

TEST_CASE("the names form sorts tables by key as text") {
  std::vector<std::string> inputs;
  for (char c = 'a'; c < 'a' + 12; ++c) inputs.emplace_back(1, c);
  const ExportedProgram names = canonicalize(program_of(graph_of(inputs, {}, {"a"})), CanonicalForm::names);
  CHECK(keys(graph(names).tensor_values) ==
        Texts{"_0", "_1", "_10", "_11", "_2", "_3", "_4", "_5", "_6", "_7", "_8", "_9"});
}

TEST_CASE("the names form treats two definitions of a name as one name") {
  const ExportedProgram program = program_of(
      graph_of({"x"}, {call(kRelu, {tensor("x")}, {"a"}), call(kRelu, {tensor("a")}, {"a"})}, {"a"}));
  CHECK(node_texts(graph(canonicalize(program, CanonicalForm::names))) ==
        Texts{"_1 = " + kRelu + "(_0)", "_1 = " + kRelu + "(_1)"});
  CHECK(message(program, CanonicalForm::normal) ==
        "graph_module.graph.nodes: the value 'a' is defined twice or used before its definition");
}

TEST_CASE("the names form distinguishes symbols of an unused entry by shared operands") {
  Graph graph = graph_of({"x"}, {}, {"x"});
  const auto symbol = [](const std::string& name) { return "Symbol('" + name + "', integer=True)"; };
  const auto add = [&](const std::string& name, const std::string& expression) {
    graph.sym_bool_values[name].emplace<pt2::SymBool::as_expr>().expr_str = expression;
  };
  const auto equal = [&](const char* a, const char* b) {
    return "Equality(" + symbol(a) + ", " + symbol(b) + ")";
  };
  add("a", "And(" + equal("zf4", "u8") + ", " + equal("u7", "zf1") + ")");
  add("b", "GreaterThan(" + symbol("u7") + ", Integer(0))");
  const ExportedProgram names = canonicalize(program_of(graph), CanonicalForm::names);
  CHECK(json(canonicalize(names, CanonicalForm::names)) == json(names));
}

TEST_CASE("the names form renames the name in a custom object's entry even if nothing else uses it") {
  const auto program = [](const std::string& first, const std::string& second, const std::string& third) {
    Graph graph = graph_of({"x"}, {}, {"x"});
    graph.custom_obj_values[first] = {second, "my.Class"};
    graph.custom_obj_values[second] = {third, "my.Class"};
    return program_of(graph);
  };
  const ExportedProgram names = canonicalize(program("a", "b", "c"), CanonicalForm::names);
  CHECK(json(names) == json(canonicalize(program("_10", "_2", "_9"), CanonicalForm::names)));
  CHECK(json(canonicalize(names, CanonicalForm::names)) == json(names));
}

TEST_CASE("the names form handles long texts with many symbols") {
  Graph graph = graph_of({"x"}, {}, {"x"});
  std::string sum = "u0";
  for (int i = 1; i < 20'000; ++i) sum += " + u" + std::to_string(i);
  graph.tensor_values["x"].sizes.push_back(symbolic(sum));
  ExportedProgram program = program_of(graph);
  program.guards_code.push_back(sum);
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(names.guards_code == std::vector{sum});
}

TEST_CASE("empty names are ignored") {
  const ExportedProgram program =
      program_of(graph_of({"x"}, {call("torch.ops.aten.max.dim", {tensor("x")}, {"", "a"})}, {"a"}));
  const ExportedProgram names = canonicalize(program, CanonicalForm::names);
  CHECK(node_texts(graph(names))[0].substr(0, 4) == " _1 ");
  CHECK(keys(graph(names).tensor_values) == Texts{"", "_0", "_1"});
}

TEST_CASE("provenance is dropped by default") {
  ExportedProgram program = program_of(graph_of({"x"}, {call(kRelu, {tensor("x")}, {"a"})}, {"a"}));
  for (const char* key :
       {"torch_fn", "stack_trace", "nn_module_stack", "source_fn_stack", "from_node", "custom"}) {
    program.graph_module.graph.nodes[0].metadata[key] = "text";
  }
  const ExportedProgram dropped = canonicalize(program, CanonicalForm::names);
  CHECK(graph(dropped).nodes[0].metadata.size() == 1);
  CHECK(graph(dropped).nodes[0].metadata.contains("custom"));
  CHECK(dropped.torch_version == ExportedProgram().torch_version);
  const ExportedProgram kept = canonicalize(program, CanonicalForm::normal, pt2::Provenance::keep);
  CHECK(graph(kept).nodes[0].metadata.size() == 6);
  CHECK((*graph(kept).nodes[0].metadata.begin()).key() == "custom");
  CHECK(kept.torch_version == "2.13.0");
}

TEST_CASE("the normal form orders effects and their operands, then live nodes, then dead nodes") {
  const std::string assert_async = "torch.ops.aten._assert_async.msg";
  const ExportedProgram program = program_of(graph_of(
      {"x"},
      {call(kMul, {tensor("x"), number(7)}, {"unneeded"}), call(kAdd, {tensor("x"), number(1)}, {"second"}),
       call(kAdd, {tensor("x"), number(2)}, {"first"}),
       call("torch.ops.aten.gt.Scalar", {tensor("x")}, {"c"}), call(assert_async, {tensor("c")}, {})},
      {"first", "second"}));
  CHECK(node_texts(graph(canonicalize(program, CanonicalForm::normal))) ==
        Texts{"_1 = torch.ops.aten.gt.Scalar(_0)", "= " + assert_async + "(_1)", "_2 = " + kAdd + "(_0,2)",
              "_3 = " + kAdd + "(_0,1)", "_4 = " + kMul + "(_0,7)"});
}

TEST_CASE("the normal form keeps nodes on the same side of writes to what they read, also through views") {
  const ExportedProgram program = program_of(graph_of(
      {"x"},
      {call("torch.ops.aten.view.default", {tensor("x")}, {"v"}), call(kRelu, {tensor("v")}, {"before"}),
       call("torch.ops.aten.add_.Tensor", {tensor("x"), number(1)}, {"y"}),
       call(kRelu, {tensor("v")}, {"after"})},
      {"after", "before"}));
  const Texts texts = node_texts(graph(canonicalize(program, CanonicalForm::normal)));
  CHECK(texts == Texts{"_1 = torch.ops.aten.view.default(_0)", "_2 = " + kRelu + "(_1)",
                       "_3 = torch.ops.aten.add_.Tensor(_0,1)", "_4 = " + kRelu + "(_1)"});
}

TEST_CASE("an operator with a subgraph that has effects has effects") {
  const Graph draws =
      graph_of({"a"}, {call("torch.ops.aten.bernoulli.default", {tensor("a")}, {"r"})}, {"r"});
  const auto wrapped = [&](const std::string& name, const char* input) {
    return call("torch.ops.higher_order.cond", {subgraph(name + "_graph", draws), tensor(input)}, {name});
  };
  const auto normal = [&](const char* first, const char* second) {
    return json(canonicalize(
        program_of(graph_of({"x", "y"}, {wrapped("a", first), wrapped("b", second)}, {"a", "b"})),
        CanonicalForm::normal));
  };
  CHECK(normal("x", "y") != normal("y", "x"));
}

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

TEST_CASE("a name that occurs only in tables may be in several") {
  Graph wild = graph_of({"x"}, {}, {"x"});
  const std::string name = "a name that is too long to be held in place";
  add_tensor(wild, name);
  wild.sym_int_values[name].emplace<pt2::SymInt::as_int>(1);
  wild.sym_bool_values[name].emplace<pt2::SymBool::as_bool>(true);
  const ExportedProgram normal = canonicalize(program_of(wild), CanonicalForm::normal);
  CHECK(graph(normal).tensor_values.contains("_1"));
  CHECK(graph(normal).sym_int_values.contains("_1"));
  CHECK(graph(normal).sym_bool_values.contains("_1"));
  CHECK(graph(canonicalize(program_of(wild), CanonicalForm::torch)).sym_bool_values.contains(name));
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
