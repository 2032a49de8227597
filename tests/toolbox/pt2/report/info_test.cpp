#include <catch2/catch.hpp>

#include "pt2/program.h"
#include "pt2/report/reports.h"
#include "toolbox/pt2/report/parsed_report.h"

TEST_CASE("a package without a program has all keys, and null for everything about programs") {
  const pt2::ProgramFile file = pt2::open_program_file(data_file("packages/aoti.pt2"));
  REQUIRE(file.archive() != nullptr);
  const rapidjson::Document package = parsed(pt2::info_json("a.pt2", nullptr, file.archive()));
  const pt2::LoadedProgram loaded = pt2::load_program(data_file("programs/torch-2.13.0/mlp.json"));
  CHECK(keys_of(package) == keys_of(parsed(pt2::info_json("b.json", &loaded, nullptr))));
  CHECK(package["package"]["aotinductor"][0] == "model");
  for (const char* const key : {"schema_version", "inputs", "signature", "guards", "symbols", "nodes"}) {
    CHECK(package[key].IsNull());
  }
}

TEST_CASE("numbers of the report are those of the program") {
  const pt2::LoadedProgram loaded = pt2::load_program(data_file("programs/torch-2.13.0/mlp.json"));
  const rapidjson::Document info = parsed(pt2::info_json("mlp.json", &loaded, nullptr));
  const pt2::Graph& graph = loaded.program.graph_module.graph;
  CHECK(info["nodes"].GetUint64() == graph.nodes.size());
  std::uint64_t calls = 0;
  for (const auto& member : info["operators"].GetObject()) calls += member.value.GetUint64();
  CHECK(calls == graph.nodes.size());
  std::uint64_t inputs = info["inputs"].Size();
  for (const char* const kind : {"parameters", "buffers", "non_persistent_buffers", "constants"}) {
    inputs += info[kind]["tensors"].GetUint64();
  }
  CHECK(inputs == graph.inputs.size());
  CHECK(info["outputs"].Size() == graph.outputs.size());
}
