#include "pt2/report/reports.h"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "program_files.h"
#include "pt2/program.h"
#include "toolbox/pt2/report/parsed_report.h"

using pt2::Polynomial;
using pt2::Row;
using pt2::stats_rows;

namespace {

pt2::ProgramStats stats_of_file(const std::string& name) {
  return pt2::stats_of(pt2::load_program(data_file("programs/torch-2.13.0/" + name)).program);
}

}  // namespace

TEST_CASE("reports about every program are JSON with the same keys") {
  std::set<std::string> info_keys;
  for (const std::filesystem::path& path : program_files("programs/torch-2.13.0")) {
    INFO(path);
    const pt2::LoadedProgram loaded = pt2::load_program(path.string());
    const rapidjson::Document info = parsed(pt2::info_json(path.string(), &loaded, nullptr));
    if (info_keys.empty()) info_keys = keys_of(info);
    CHECK(keys_of(info) == info_keys);
    CHECK(info["package"].IsNull());
    CHECK(info["file"].GetString() == path.string());
    CHECK(info["guards"].Size() == loaded.program.guards_code.size());
    CHECK(parsed(pt2::signature_json(loaded.program.graph_module.signature)) == info["signature"]);
    CHECK(parsed(pt2::stats_json(pt2::stats_of(loaded.program)))["by"].IsArray());
    const rapidjson::Document types = parsed(pt2::comparison_json(pt2::compare_types(loaded.program)));
    CHECK(types["differences"].Empty());
    const std::vector<pt2::OperatorUse> uses = pt2::operator_report(loaded.program);
    CHECK(parsed(pt2::operators_json(uses, {}))["operators"].Size() == uses.size());
  }
  CHECK(info_keys.size() > 20);
}

TEST_CASE("the report of differences has what each difference has") {
  pt2::Difference difference;
  difference.kind = pt2::Difference::Kind::removed;
  difference.part = "nodes";
  difference.before = "a\n\"quoted\"";
  difference.details = {"one", "two"};
  difference.largest_absolute = 0.5;
  const rapidjson::Document report = parsed(pt2::differences_json({difference}));
  CHECK_FALSE(report["same"].GetBool());
  const rapidjson::Value& found = report["differences"][0];
  CHECK(found["kind"] == "removed");
  CHECK(found["before"] == difference.before.c_str());
  CHECK(found["after"].IsNull());
  CHECK(found["details"].Size() == 2);
  CHECK(found["largest_absolute"].GetDouble() == 0.5);
  CHECK(found["largest_relative"].IsNull());
  CHECK(parsed(pt2::differences_json({}))["same"].GetBool());
}

TEST_CASE("each key that rows of costs can have is found by its name") {
  for (const char* const name : pt2::kStatsKeys) CHECK(pt2::find_stats_key(name));
  CHECK_FALSE(pt2::find_stats_key("layer"));
  CHECK(pt2::unknown_stats_key("layer") == "unknown key 'layer', expected operator, module or node");
}

TEST_CASE("polynomials without symbols are grouped numbers") {
  CHECK(pt2::shown(Polynomial(1234567)) == "1,234,567");
  CHECK(pt2::shown(Polynomial(-1234)) == "-1234");
}

TEST_CASE("the costs of a program are rows of a name and a text") {
  // 3 rows through layers of 4 x 8 and 8 x 2: 3 * 4 * 8 + 3 * 8 * 2
  const std::vector<Row> rows = stats_rows(stats_of_file("mlp.json"));
  REQUIRE(rows.size() >= 4);
  CHECK(rows[0] == Row{"parameters", "58 (232 bytes)"});
  CHECK(rows[1] == Row{"buffers", "16 bytes"});
  CHECK(rows[2] == Row{"multiply-adds", "144"});
  CHECK(rows[3][0] == "results");
}

TEST_CASE("costs that depend on symbols are polynomials, without a peak") {
  const std::vector<Row> rows = stats_rows(stats_of_file("dynamic.json"));
  CHECK(rows[3][1].find("s77") != std::string::npos);
  CHECK(rows[3][1].find("peak") == std::string::npos);
}

TEST_CASE("operators without a formula are listed with the number of their nodes") {
  pt2::ProgramStats stats;
  stats.not_counted = {{"my.scale.default", 2}, {"other\n.op", 1}};
  CHECK(stats_rows(stats).back() == Row{"not counted", "my.scale.default (2), other\\n.op (1)"});
}
