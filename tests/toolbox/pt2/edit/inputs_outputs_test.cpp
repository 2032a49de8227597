#include "pt2/edit/graph.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "pt2/graph/signature.h"
#include "pt2/text/treespec.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::ExportedProgram;

namespace {

std::vector<std::string> names_of(const std::vector<pt2::UserValue>& values) {
  std::vector<std::string> names;
  for (const pt2::UserValue& value : values) names.push_back(value.name);
  return names;
}

std::vector<std::string> user_inputs(const ExportedProgram& program) {
  return names_of(pt2::ExportGraphSignature(program.graph_module.signature).user_inputs());
}

pt2::ModuleCallSignature& root(ExportedProgram& program) {
  return *program.graph_module.module_call_graph[0].signature;
}

std::size_t warnings_of(const ExportedProgram& program) {
  std::size_t count = 0;
  for (const pt2::Finding& finding : pt2::verify(program))
    count += finding.severity != pt2::Severity::note ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("an input that is added comes after those by position, before those by keyword") {
  ExportedProgram program = fixture("pytree_kwargs.json");
  const ExportedProgram original = program;
  const std::vector<std::string> old_names = user_inputs(program);
  const pt2::TreeSpec old_tree = pt2::parse_treespec(root(program).in_spec);
  const std::size_t by_position = old_tree.children[0].leaf_count();
  pt2::add_input(program, "extra", program.graph_module.graph.tensor_values.begin()->value);
  std::vector<std::string> expected = old_names;
  expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(by_position), "extra");
  CHECK(user_inputs(program) == expected);
  CHECK(pt2::parse_treespec(root(program).in_spec).children[0].leaf_count() == by_position + 1);
  CHECK(warnings_of(program) == warnings_of(original));
  pt2::remove_input(program, "extra");
  CHECK(program == original);
}

TEST_CASE("an input is removed when nothing uses it, from a dict with its key") {
  ExportedProgram program = program_of(graph_of({"x", "scale", "y"}, {}, {"x"}));
  pt2::ModuleCallSignature& call = program.graph_module.module_call_graph.emplace_back().signature.emplace();
  const pt2::TreeSpec leaf;
  const pt2::TreeSpec positional = {"builtins.tuple", schemagen::Json{"\"null\""}, {leaf}};
  const pt2::TreeSpec keywords = {"builtins.dict", schemagen::Json{R"("[\"scale\", \"y\"]")"}, {leaf, leaf}};
  call.in_spec = pt2::treespec_json({"builtins.tuple", schemagen::Json{"\"null\""}, {positional, keywords}});
  call.out_spec = pt2::treespec_json(leaf);
  call.forward_arg_names = {"x", "scale", "y"};
  REQUIRE(warnings_of(program) == 0);
  pt2::remove_input(program, "scale");
  CHECK(user_inputs(program) == std::vector<std::string>{"x", "y"});
  CHECK(pt2::keys(pt2::parse_treespec(call.in_spec).children[1]).at(0).text == "\"y\"");
  CHECK(*call.forward_arg_names == std::vector<std::string>{"x", "y"});
  CHECK(warnings_of(program) == 0);
  CHECK_THROWS_WITH(pt2::remove_input(program, "x"), "cannot remove the input 'x': it is used by an output");
  CHECK_THROWS_WITH(pt2::remove_input(program, "z"), "the program has no input 'z'");
  CHECK_THROWS_WITH(pt2::add_input(program, "y", {}), "cannot add an input: the name 'y' is taken");
  CHECK_THROWS_WITH(pt2::add_input(program, "y z", {}), "cannot add an input: 'y z' is not a valid name");
}

TEST_CASE("a weight that is mutated or used cannot be removed") {
  ExportedProgram program = fixture("mutate_buffer.json");
  const pt2::ExportGraphSignature signature(program.graph_module.signature);
  const std::string buffer = signature.inputs_to_buffers().begin()->key();
  const ExportedProgram original = program;
  CHECK_THROWS_WITH(pt2::remove_input(program, buffer),
                    Catch::Contains("' is used by '") || Catch::Contains("it is used by '"));
  CHECK(program == original);
}

TEST_CASE("one output becomes two, and one again") {
  ExportedProgram program = fixture("mlp.json");
  const ExportedProgram original = program;
  pt2::add_output(program, "relu");
  CHECK(program.graph_module.graph.outputs.back() == tensor("relu"));
  CHECK(pt2::parse_treespec(root(program).out_spec).leaf_count() == 2);
  CHECK(warnings_of(program) == warnings_of(original));
  pt2::remove_output(program, "relu");
  CHECK(program.graph_module.graph == original.graph_module.graph);
  CHECK(warnings_of(program) == warnings_of(original));
  pt2::remove_output(program, "add");
  CHECK(pt2::parse_treespec(root(program).out_spec).leaf_count() == 0);
  CHECK(warnings_of(program) == warnings_of(original));
  CHECK_THROWS_WITH(pt2::remove_output(program, "add"), "the program has no output 'add'");
  CHECK_THROWS_WITH(pt2::add_output(program, "nowhere"), "the graph lacks the value 'nowhere'");
}

TEST_CASE("an output is added after the other user outputs, before gradients") {
  ExportedProgram program = fixture("joint.json");
  const std::vector<std::string> old_names =
      names_of(pt2::ExportGraphSignature(program.graph_module.signature).user_outputs());
  const auto first_gradient = [&] {
    const auto& specs = program.graph_module.signature.output_specs;
    return std::find_if(specs.begin(), specs.end(),
                        [](const pt2::OutputSpec& spec) {
                          return spec.is<pt2::OutputSpec::gradient_to_parameter>();
                        }) -
           specs.begin();
  };
  const auto before = first_gradient();
  pt2::add_output(program, "addmm", "logits");
  CHECK(first_gradient() == before + 1);
  CHECK(program.graph_module.graph.outputs[static_cast<std::size_t>(before)] == tensor("logits"));
  CHECK(names_of(pt2::ExportGraphSignature(program.graph_module.signature).user_outputs()).size() ==
        old_names.size() + 1);
  CHECK(errors_of(program).empty());
}
