#include "pt2/canonical/canonical.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

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

TEST_CASE("the names form sorts tables by key as text") {
  std::vector<std::string> inputs;
  for (char c = 'a'; c < 'a' + 12; ++c) inputs.emplace_back(1, c);
  const ExportedProgram names = canonicalize(program_of(graph_of(inputs, {}, {"a"})), CanonicalForm::names);
  CHECK(keys(graph(names).tensor_values) ==
        Texts{"_0", "_1", "_10", "_11", "_2", "_3", "_4", "_5", "_6", "_7", "_8", "_9"});
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
