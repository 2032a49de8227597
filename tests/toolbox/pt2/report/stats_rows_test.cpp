#include "pt2/report/stats_rows.h"

#include <catch2/catch.hpp>

#include "pt2/program.h"

using pt2::Polynomial;
using pt2::Row;
using pt2::stats_rows;

namespace {

pt2::ProgramStats stats_of_file(const std::string& name) {
  return pt2::stats_of(pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name).program);
}

}  // namespace

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
