#include "cpp/amalgamate.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/resolve.h"

using generator::amalgamate;
using generator::AmalgamationParts;
using generator::Model;
using generator::OutputFile;

namespace {

Model model_named(const std::string& name) {
  generator::Diagnostics diagnostics("s.yaml",
                                     "name: " + name + "\nversion: {major: 3, minor: 1}\n" +
                                         "types: {A: {kind: struct, fields: {a: {id: 1, type: int}}}}\n");
  const auto model = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model.has_value());
  return *model;
}

AmalgamationParts all_parts() {
  return {"all", true, true, true};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::vector<std::string> lines_with(const std::string& text, const std::string& start) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, start.size(), start) == 0) found.push_back(line);
  }
  return found;
}

}  // namespace

TEST_CASE("every namespace of an amalgamation is inside of the schema's own, major version included") {
  for (const OutputFile& file :
       amalgamate(model_named("pt2"), "", "company::pt2", {"all", true, true, true})) {
    CAPTURE(file.path);
    int depth = 0;
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) {
      if (line.compare(0, 10, "namespace ") == 0 && line.back() == '{') {
        CAPTURE(line);
        if (depth == 0) REQUIRE(line == "namespace company::pt2 {");
        ++depth;
      }
      if (line.compare(0, 18, "inline namespace v") == 0) ++depth;
      if (line.compare(0, 14, "}  // namespac") == 0) --depth;
    }
    CHECK(depth == 0);
  }
}

TEST_CASE("an amalgamation has each file once, behind what it includes") {
  const auto files = amalgamate(model_named("pt2"), "out", "pt2", all_parts());
  REQUIRE(files.size() == 4);
  CHECK(files[0].path == "out/pt2.h");
  CHECK(files[1].path == "out/pt2.cpp");
  CHECK(files[2].path == "out/c/schemagen_value.h");
  CHECK(files[3].path == "out/c/pt2.h");
  std::string all;
  for (const OutputFile& file : files) all += file.text;
  std::vector<std::string> names = lines_with(all, "// ---- ");
  const auto is_heading = [](const std::string& line) { return line.back() == '-'; };
  names.erase(std::remove_if(names.begin(), names.end(), is_heading), names.end());
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  const std::string& header = files[0].text;
  CHECK(header.find("// ---- schemagen/base/value.h") < header.find("// ---- schemagen/base/union.h"));
  CHECK(header.find("// ---- schemagen/base/union.h") < header.find("// ---- pt2/types.h"));
  CHECK(count(header, "#include <string>\n") == 1);
  CHECK(lines_with(header, "#include \"") == std::vector<std::string>{"#include \"c/schemagen_value.h\""});
  CHECK(lines_with(files[1].text, "#include \"") ==
        std::vector<std::string>{"#include \"pt2.h\"", "#include \"c/pt2.h\""});
}

TEST_CASE("an amalgamation has what its codecs need, and no more") {
  const auto source = [](const AmalgamationParts& parts) {
    return amalgamate(model_named("s"), "", "s", parts).at(1).text;
  };
  const std::string json = source({"codecs", true, false});
  CHECK(count(json, "// ---- schemagen/json/parse.cpp\n") == 1);
  CHECK(count(json, "// ---- schemagen/compact_reader") == 0);
  CHECK(count(json, "// ---- pt2/") == 0);
  const std::string binary = source({"codecs", false, true});
  CHECK(count(binary, "// ---- schemagen/thrift/reader.cpp\n") == 1);
  CHECK(count(binary, "// ---- schemagen/json_reader") == 0);
  CHECK(count(json + binary, "extern \"C\"") == 0);
}

TEST_CASE("what an amalgamation has outside of all namespaces, for C, names what is in its own") {
  for (const OutputFile& file :
       amalgamate(model_named("pt2"), "", "company::pt2", {"all", true, true, true})) {
    if (file.path != "pt2.cpp") continue;
    CHECK(count(file.text, "\nusing namespace ::company::pt2::v3::c;\n") > 5);
    CHECK(count(file.text, "\nusing ::company::pt2::v3::schemagen::Access;\n") == 1);
    CHECK(count(file.text, "<::company::pt2::v3::ExportedProgram>, &program->loaded.program") == 1);
    CHECK(count(file.text, "company::company") == 0);
  }
}

TEST_CASE("levels above the codecs are those that the list describes, each with its headers") {
  const generator::CopiedLibrary& library = generator::copied_library();
  CHECK(library.schema == "pt2");
  REQUIRE(library.levels.size() == 3);
  CHECK(library.levels.back().name == "all");
  CHECK(library.find("codecs") == nullptr);
  REQUIRE(library.find("versions") != nullptr);
  const auto& versions = library.find("versions")->headers;
  CHECK(std::count(versions.begin(), versions.end(), "pt2/upgrade/upgrade.h") == 1);
  CHECK(std::count(versions.begin(), versions.end(), "pt2/program.h") == 0);
}
