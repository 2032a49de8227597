#include "pt2/report/page_data.h"

#include <catch2/catch.hpp>

#include "program_files.h"
#include "pt2/weights.h"
#include "toolbox/pt2/report/parsed_report.h"

namespace {

rapidjson::Document page_of(const pt2::ExportedProgram& program, std::vector<pt2::Weight> weights = {},
                            pt2::PageStatistics statistics = pt2::PageStatistics::none) {
  return parsed(page_data({"title", &program, pt2::diagram_of(program), std::move(weights)}, statistics));
}

rapidjson::Document page_with_weights(pt2::PageStatistics statistics) {
  const pt2::ProgramFile file = pt2::open_program_file(data_file("programs/torch-2.13.0/mlp.pt2"));
  return page_of(pt2::load_program(file).program, pt2::load_weights(file), statistics);
}

}  // namespace

TEST_CASE("every program has a page, with numbers that lead to its values, groups and strings") {
  for (const std::filesystem::path& path : program_files("programs/torch-2.13.0")) {
    INFO(path);
    const pt2::ExportedProgram program = pt2::load_program(path.string()).program;
    const rapidjson::Document page = page_of(program);
    const std::uint64_t strings = page["strings"].Size();
    for (const rapidjson::Value& value : page["values"].GetArray()) {
      CHECK(value[0].GetUint64() < strings);
      CHECK(value[1].GetUint64() < strings);
      CHECK(value[2].GetInt64() < static_cast<std::int64_t>(page["nodes"].Size()));
    }
    for (const rapidjson::Value& node : page["nodes"].GetArray()) {
      for (const unsigned text : {1U, 2U, 3U}) CHECK(node[text].GetUint64() < strings);
      for (const rapidjson::Value& value : node[6].GetArray())
        CHECK(value.GetUint64() < page["values"].Size());
    }
    CHECK(page["inputs"].Size() == program.graph_module.graph.inputs.size());
    CHECK(page["outputs"].Size() == program.graph_module.graph.outputs.size());
    CHECK(parsed(page_costs(program))["facts"].IsArray());
  }
}

TEST_CASE("weights have statistics if the page asks for them") {
  const rapidjson::Document without = page_with_weights(pt2::PageStatistics::none);
  const rapidjson::Document with = page_with_weights(pt2::PageStatistics::all);
  REQUIRE(with["weights"].Size() == without["weights"].Size());
  REQUIRE(with["weights"].Size() > 0);
  for (unsigned i = 0; i < with["weights"].Size(); ++i) {
    CHECK_FALSE(without["weights"][i].HasMember("histogram"));
    const rapidjson::Value& weight = with["weights"][i];
    std::uint64_t counted = 0;
    for (const rapidjson::Value& bin : weight["histogram"].GetArray()) counted += bin.GetUint64();
    CHECK(counted == weight["finite"].GetUint64());
  }
}

TEST_CASE("costs that depend on symbols are terms, with an example of each size") {
  const rapidjson::Document costs =
      parsed(page_costs(pt2::load_program(data_file("programs/torch-2.13.0/dynamic.json")).program));
  REQUIRE(costs["sizes"].Size() > 0);
  CHECK(costs["sizes"][0][1].GetInt64() > 0);
  bool has_terms = false;
  for (const rapidjson::Value& module : costs["modules"].GetArray()) has_terms |= module[2].IsArray();
  CHECK(has_terms);
}

TEST_CASE("a difference without a place has null for it") {
  pt2::Difference difference;
  difference.part = "inputs";
  difference.before = "x";
  const rapidjson::Document differences = parsed(pt2::page_differences({difference}));
  CHECK(differences[0]["part"] == "inputs");
  CHECK(differences[0]["before"] == "x");
  CHECK(differences[0]["at_before"].IsNull());
}
