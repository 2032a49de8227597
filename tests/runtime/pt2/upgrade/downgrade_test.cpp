#include "pt2/upgrade/upgrade.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "pt2/json.h"
#include "pt2/program.h"
#include "runtime/pt2/head_version.h"
#include "schemagen/base/error.h"
#include "schemagen/json/json.h"

using pt2::Argument;
using pt2::DowngradedDocument;
using pt2::ExportedProgram;

namespace {

ExportedProgram load(const std::string& name) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/" + name).program;
}

DowngradedDocument downgraded(const ExportedProgram& program, std::int32_t minor) {
  const std::string json = schemagen::to_json(program);
  return pt2::downgrade_document(schemagen::JsonDocument(json, {}), {8, minor});
}

std::vector<std::string> unsupported(const ExportedProgram& program, std::int32_t minor) {
  std::vector<std::string> lines;
  for (const pt2::UnsupportedValue& value : downgraded(program, minor).unsupported) {
    lines.push_back(value.path + ": " + value.what);
  }
  return lines;
}

ExportedProgram with_argument(Argument argument) {
  ExportedProgram program = load("torch-2.13.0/mlp.json");
  program.graph_module.graph.nodes[0].inputs[0].arg = std::move(argument);
  return program;
}

}  // namespace

TEST_CASE("downgrading drops and counts fields that the older schema lacks") {
  const ExportedProgram program = load("torch-2.13.0/mlp.json");
  const DowngradedDocument document = downgraded(program, 14);
  REQUIRE(document.unsupported.empty());
  CHECK(document.text.find("\"minor\": 14") != std::string::npos);
  REQUIRE(document.dropped.size() == 1);
  CHECK(document.dropped[0].name == "Node.name");
  CHECK(document.dropped[0].count == program.graph_module.graph.nodes.size());
  ExportedProgram expected = program;
  expected.schema_version.minor = 14;
  for (pt2::Node& node : expected.graph_module.graph.nodes) node.name.reset();
  CHECK(schemagen::from_json<ExportedProgram>(document.text) == expected);
}

TEST_CASE("downgrading to an unreleased minor uses the schema of the release before it") {
  const DowngradedDocument document = downgraded(load("torch-2.13.0/mlp.json"), 16);
  CHECK(document.text.find("\"minor\": 16") != std::string::npos);
  REQUIRE(document.dropped.size() == 1);
}

TEST_CASE("downgrading to the version of the program changes nothing") {
  ExportedProgram program = load("torch-2.13.0/gpt2.json");
  program.schema_version = kHeadVersion;
  const DowngradedDocument document = downgraded(program, pt2::kSchemaMinor);
  CHECK(document.dropped.empty());
  CHECK(document.text == schemagen::to_json(program));
}

TEST_CASE("downgrading reports union members that the older schema lacks") {
  const ExportedProgram program = with_argument(
      Argument::of<Argument::as_int_lists>(std::vector<std::vector<std::int64_t>>{{1, 2}, {3}}));
  CHECK(unsupported(program, 14) ==
        std::vector<std::string>{"graph_module.graph.nodes[0].inputs[0].arg.as_int_lists: Argument has no "
                                 "member 'as_int_lists'"});
  CHECK(unsupported(program, 15).empty());
}

TEST_CASE("downgrading reports enum values that the older schema lacks") {
  const ExportedProgram program =
      with_argument(Argument::of<Argument::as_scalar_type>(pt2::ScalarType::UINT64));
  CHECK(
      unsupported(program, 17) ==
      std::vector<std::string>{"graph_module.graph.nodes[0].inputs[0].arg.as_scalar_type: ScalarType has no "
                               "value 35, UINT64"});
}

TEST_CASE("downgrading drops guards") {
  ExportedProgram program = load("torch-2.13.0/mlp.json");
  program.guards_code = {"L['x'].size()[0] <= 8"};
  const auto older =
      pt2::downgrade_document(schemagen::JsonDocument(schemagen::to_json(program), {}), {8, 8});
  CHECK(older.unsupported.empty());
  CHECK(older.text.find("guards_code") == std::string::npos);
  const auto is_it = [](const pt2::DroppedField& field) {
    return field.name == "ExportedProgram.guards_code";
  };
  CHECK(std::count_if(older.dropped.begin(), older.dropped.end(), is_it) == 1);
}

TEST_CASE("downgrading to torch 2.6 writes a returned tuple of one tensor as a list") {
  ExportedProgram program = load("torch-2.13.0/cond.json");
  for (pt2::Node& node : program.graph_module.graph.nodes) {
    if (node.is_hop_single_tensor_return) node.is_hop_single_tensor_return = true;
  }
  CHECK(unsupported(program, 2).empty());
  pt2::Node& cond = program.graph_module.graph.nodes.back();
  cond.is_hop_single_tensor_return = false;
  cond.outputs.resize(1);
  program.schema_version = kHeadVersion;
  const DowngradedDocument document = downgraded(program, 2);
  REQUIRE(document.unsupported.empty());
  const ExportedProgram older = schemagen::from_json<ExportedProgram>(document.text);
  const auto* const list = older.graph_module.graph.nodes.back().outputs[0].get_if<Argument::as_tensors>();
  REQUIRE(list != nullptr);
  CHECK(*list == std::vector{*cond.outputs[0].get_if<Argument::as_tensor>()});
  const ExportedProgram again = schemagen::from_json<ExportedProgram>(
      pt2::upgrade_document(schemagen::JsonDocument(document.text, {}), {}).text);
  CHECK(again.graph_module.graph.nodes.back().outputs == cond.outputs);
  CHECK(again.graph_module.graph.nodes.back().is_hop_single_tensor_return == false);
  CHECK(downgraded(program, 6).text.find(R"("is_hop_single_tensor_return": false)") != std::string::npos);
}

TEST_CASE("downgrading to torch 2.6 rejects a returned tuple of one number") {
  ExportedProgram program = load("torch-2.13.0/cond.json");
  pt2::Node& cond = program.graph_module.graph.nodes.back();
  cond.outputs = {
      Argument::of<Argument::as_sym_int>(pt2::SymIntArgument::of<pt2::SymIntArgument::as_name>("n"))};
  cond.is_hop_single_tensor_return = false;
  CHECK(unsupported(program, 2).size() == 1);
}

TEST_CASE("downgrading writes NaN and infinities in the form of that release") {
  const ExportedProgram program = with_argument(Argument::of<Argument::as_float>(-INFINITY));
  CHECK(downgraded(program, 2).text.find(R"({"as_float": -Infinity})") != std::string::npos);
  CHECK(downgraded(program, 7).text.find(R"({"as_float": "-Infinity"})") != std::string::npos);
}

TEST_CASE("downgrading rejects unreleased versions and older programs") {
  const ExportedProgram program = load("torch-2.13.0/mlp.json");
  CHECK_THROWS_WITH(downgraded(program, 1), "cannot downgrade to version 8.1: expected 8.2 to " + kHeadText);
  CHECK_THROWS_AS(downgraded(program, pt2::kSchemaMinor + 1), schemagen::UsageError);
  CHECK_THROWS_WITH(downgraded(load("torch-2.6.0/mlp.json"), 8),
                    "the program's version 8.2 is older than 8.8; upgrade it first");
}
