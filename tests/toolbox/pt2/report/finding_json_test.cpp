#include "pt2/report/finding_json.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/report/parsed_report.h"

namespace {

template <class Write>
rapidjson::Document written(const Write& write) {
  pt2::ReportWriter json;
  json.begin('{');
  write(json);
  json.end('}');
  return parsed(json.text());
}

pt2::Finding finding() {
  pt2::Finding found{pt2::RuleId::name_code, pt2::Severity::error, "graph.nodes[1]", "runs\ncode"};
  found.record = "data/a\x1b[31m";
  return found;
}

}  // namespace

TEST_CASE("a finding has the members that are asked for, in their order") {
  const rapidjson::Document all = written(
      [](pt2::ReportWriter& json) { write_finding(json, finding(), "message rule level record path what"); });
  CHECK(all.MemberBegin()->name == "message");
  CHECK(all["rule"] == "NAME_CODE");
  CHECK(all["level"] == "error");
  CHECK(all["path"] == "graph.nodes[1]");
  CHECK(all["what"] == "");
  CHECK(keys_of(written([](pt2::ReportWriter& json) { write_finding(json, finding(), "rule path"); })) ==
        std::set<std::string>{"rule", "path"});
}

TEST_CASE("text of a file is printable in a finding") {
  const rapidjson::Document all =
      written([](pt2::ReportWriter& json) { write_finding(json, finding(), "record message"); });
  CHECK(all["message"] == "runs\\ncode");
  CHECK(std::string(all["record"].GetString()).find('\x1b') == std::string::npos);
}

TEST_CASE("what is unknown about a place is null") {
  const rapidjson::Document bytes =
      written([](pt2::ReportWriter& json) { write_place(json, schemagen::Place{17}); });
  CHECK(bytes["offset"] == 17);
  CHECK(bytes["line"].IsNull());
  CHECK(bytes["column"].IsNull());
  const rapidjson::Document text = written([](pt2::ReportWriter& json) {
    write_place(json, schemagen::Place{30, 2, 5});
  });
  CHECK(text["line"] == 2);
  CHECK(text["column"] == 5);
  CHECK(written([](pt2::ReportWriter& json) { write_place(json, {}); })["offset"].IsNull());
}
