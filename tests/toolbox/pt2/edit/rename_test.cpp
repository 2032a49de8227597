#include "pt2/edit/rename.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "program_files.h"
#include "pt2/canonical/canonical.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/visit.h"
#include "runtime/show_value.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json.h"
#include "toolbox/pt2/edit/errors.h"

using pt2::ExportedProgram;
using pt2::NameChange;

namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/";

ExportedProgram load(const std::string& name) {
  return pt2::load_program(kPrograms + name).program;
}

std::string text(const ExportedProgram& program) {
  return schemagen::to_json(program);
}

std::vector<NameChange> changes_of_all(const ExportedProgram& program, bool is_back) {
  std::vector<NameChange> changes;
  const auto add = [&](const std::vector<pt2::Argument>& arguments) {
    for (const pt2::Argument& argument : arguments) {
      pt2::for_each_slot(argument, [&](const std::string* name, pt2::ValueName::Table) {
        if (name == nullptr) return;
        const std::string other = is_back ? name->substr(0, name->size() - 8) : *name + "_renamed";
        changes.push_back({*name, other});
      });
    }
  };
  add(program.graph_module.graph.inputs);
  for (const pt2::Node& node : program.graph_module.graph.nodes) add(node.outputs);
  return changes;
}

}  // namespace

TEST_CASE("renaming a value changes all of its places") {
  ExportedProgram program = load("mlp.json");
  pt2::rename(program, {{"x", "image"}, {"add", "result"}});
  const pt2::Graph& graph = program.graph_module.graph;
  CHECK(text(program).find("\"name\": \"x\"") == std::string::npos);
  CHECK(graph.outputs[0].get<pt2::Argument::as_tensor>().name == "result");
  CHECK(graph.tensor_values.count("image") == 1);
  CHECK(graph.nodes.back().name == "result");
  CHECK(errors_of(program).empty());
}

TEST_CASE("renaming every value of any program and back gives the same program, and no error between") {
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    CAPTURE(path);
    const ExportedProgram original = load(path.filename().string());
    ExportedProgram program = original;
    pt2::rename(program, changes_of_all(program, false));
    CHECK(errors_of(program).size() == errors_of(original).size());
    CHECK(text(program) != text(original));
    CHECK(text(pt2::canonicalize(program, pt2::CanonicalForm::names)) ==
          text(pt2::canonicalize(original, pt2::CanonicalForm::names)));
    pt2::rename(program, changes_of_all(program, true));
    CHECK(text(program) == text(original));
  }
}

TEST_CASE("renaming swaps two names that are given at once") {
  const ExportedProgram original = load("pytree_kwargs.json");
  ExportedProgram program = original;
  const std::vector<NameChange> all = changes_of_all(program, false);
  pt2::rename(program, {{all[0].old_name, all[1].old_name}, {all[1].old_name, all[0].old_name}});
  CHECK(program.graph_module.graph.inputs != original.graph_module.graph.inputs);
  CHECK(errors_of(program).empty());
}

TEST_CASE("renaming a buffer changes what the model calls it, and says so for the archive") {
  ExportedProgram program = load("mutate_buffer.json");
  const pt2::GraphSignature& signature = program.graph_module.signature;
  const std::string old_name = signature.input_specs[0].get<pt2::InputSpec::buffer>().buffer_name;
  const std::vector<NameChange> changed = pt2::rename(program, {{old_name, "state.total"}});
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].new_name == "state.total");
  CHECK(signature.input_specs[0].get<pt2::InputSpec::buffer>().buffer_name == "state.total");
  CHECK(signature.output_specs[0].get<pt2::OutputSpec::buffer_mutation>().buffer_name == "state.total");
  CHECK(errors_of(program).empty());
}

TEST_CASE("renaming takes what modules are called, which may be anything without points") {
  ExportedProgram program = load("mlp.json");
  for (const char* const name :
       {"d.user-id.weight", "d.item/id.weight", "d.a b.weight", "0.weight", "\u00fc"}) {
    ExportedProgram renamed = program;
    CHECK(pt2::rename(renamed, {{"l1.weight", name}}).size() == 1);
    CHECK(errors_of(renamed).empty());
  }
  for (const char* const name : {"", ".a", "a.", "a..b", "a\nb", "\xff"}) {
    CHECK_THROWS_AS(pt2::rename(program, {{"l1.weight", name}}), schemagen::UsageError);
  }
}

TEST_CASE("renaming takes names of shared weights that only the archive has") {
  const ExportedProgram original = load("mlp.json");
  ExportedProgram program = original;
  const std::vector<std::string> weights = {"l1.weight", "l1.bias", "tied.weight"};
  const std::vector<NameChange> changed = pt2::rename(program, {{"tied.weight", "head.weight"}}, weights);
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].new_name == "head.weight");
  CHECK(program == original);
  CHECK_THROWS_WITH(pt2::rename(program, {{"l1.weight", "tied.weight"}}, weights),
                    "cannot rename: the name 'tied.weight' is taken");
  CHECK(pt2::rename(program, {{"l1.weight", "tied.weight"}, {"tied.weight", "l1.weight"}}, weights).size() ==
        2);
  CHECK_THROWS_WITH(pt2::rename(program, {{"head.weight", "a"}}),
                    "cannot rename: unknown value, parameter or buffer 'head.weight'");
}

TEST_CASE("renaming finds the values of a subgraph that no other graph has") {
  ExportedProgram program = load("cond.json");
  std::string name;
  pt2::for_each_graph(program.graph_module.graph, [&](const pt2::Graph& graph) {
    if (&graph != &program.graph_module.graph)
      name = graph.nodes.back().outputs[0].get<pt2::Argument::as_tensor>().name;
  });
  pt2::rename(program, {{name, "inner"}});
  CHECK(text(program).find("\"name\": \"inner\"") != std::string::npos);
  CHECK(errors_of(program).empty());
}

TEST_CASE("renaming refuses what it cannot do, and changes nothing then") {
  const ExportedProgram original = load("mlp.json");
  ExportedProgram program = original;
  const auto rename = [&](const std::vector<NameChange>& changes) { pt2::rename(program, changes); };
  CHECK_THROWS_WITH(rename({{"y", "z"}}), "cannot rename: unknown value, parameter or buffer 'y'");
  CHECK_THROWS_WITH(rename({{"x", "add"}}), "cannot rename: the name 'add' is taken");
  CHECK_THROWS_WITH(rename({{"x", "z"}, {"add", "z"}}), "cannot rename: the name 'z' is taken");
  CHECK_THROWS_WITH(rename({{"x", "y"}, {"x", "z"}}), "cannot rename: 'x' is given twice");
  CHECK_THROWS_WITH(rename({{"x", "a b"}}), "cannot rename: 'a b' is not a valid name");
  CHECK_THROWS_WITH(rename({{"x", ""}}), "cannot rename: '' is not a valid name");
  CHECK_THROWS_AS(rename({{"x", "\xff"}}), schemagen::UsageError);
  for (const char* const name : {"for", "None", "\u00fc", "2x"}) {
    CHECK_THROWS_WITH(rename({{"x", name}}),
                      "cannot rename: '" + std::string(name) + "' is not a valid name");
  }
  for (const char* const name : {"l1.__class__", "l1.it\"s"}) {
    CHECK_THROWS_AS(rename({{"l1.weight", name}}), schemagen::UsageError);
  }
  CHECK(program == original);
}
