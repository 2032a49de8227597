#include "front/imports.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "evolution/compat.h"
#include "folder.h"
#include "front/fmt.h"
#include "front/resolve.h"
#include "model/canonical.h"

using generator::Diagnostics;
using generator::Model;
using generator::SchemaFiles;

namespace {

using Files = std::map<std::string, std::string>;

SchemaFiles reader_of(const Files& files, const std::string& prefix = "") {
  return {prefix, [&files](const std::string& name) {
            const auto found = files.find(name);
            if (found == files.end()) throw std::runtime_error("cannot read " + name);
            return found->second;
          }};
}

std::string head(const std::string& imports) {
  return "name: s\nversion: {major: 1, minor: 0}\nimports: [" + imports + "]\n";
}

std::string schema(const std::string& imports, const std::string& types) {
  std::string text = head(imports) + "types:\n";
  for (const char name : types) text += "  " + std::string(1, name) + ": {kind: struct, fields: {}}\n";
  return types.empty() ? text + "  {}\n" : text;
}

std::string said_of(const Files& files, const std::string& name = "s.yaml", const std::string& prefix = "") {
  Diagnostics diagnostics(name, files.at(name));
  const auto model = load_model(diagnostics, generator::rule_ids(), reader_of(files, prefix));
  CHECK(model.has_value() == !diagnostics.has_errors());
  return diagnostics.render();
}

Model model_of(const Files& files, const std::string& name = "s.yaml", const std::string& prefix = "") {
  Diagnostics diagnostics(name, files.at(name));
  auto model = load_model(diagnostics, generator::rule_ids(), reader_of(files, prefix));
  INFO(diagnostics.render());
  REQUIRE(model);
  return *std::move(model);
}

std::string names_of(const Model& model) {
  std::string names;
  for (const generator::Definition& type : model.types) names += type.name;
  return names;
}

const std::string kUnits =
    "  Unit:\n    kind: enum\n    fields: {METRE: 0, SECOND: 1}\n"
    "  Quantity:\n    kind: struct\n    fields:\n      value: {id: 10, type: float}\n"
    "      unit: {id: 20, type: Unit, default: SECOND}\n";
const std::string kSamples =
    "  Sample:\n    kind: struct\n    fields:\n      quantities: {id: 10, type: \"List[Quantity]\"}\n"
    "      unit: {id: 20, type: Unit, default: METRE}\n";

}  // namespace

TEST_CASE("a schema of two files is the schema that they would be as one") {
  const std::string one_head = "name: s\nversion: {major: 1, minor: 0}\nroots: [Sample]\n";
  const Model whole =
      model_of({{"s.yaml", one_head + "constants: {A: 1, B: 2}\ntypes:\n" + kUnits + kSamples}});
  const Model split =
      model_of({{"s.yaml", one_head + "imports: [units.yaml]\nconstants: {B: 2}\ntypes:\n" + kSamples},
                {"units.yaml",
                 "name: units\nversion: {major: 7, minor: 3}\nroots: [Quantity]\nconstants: {A: 1}\n"
                 "types:\n" +
                     kUnits}});
  CHECK(normal_form(split) == normal_form(whole));
  CHECK(form_of(split, split.roots.at(0), generator::Form::binary) ==
        form_of(whole, whole.roots.at(0), generator::Form::binary));
  CHECK(split.name == "s");
  CHECK(spelled(split.version) == "1.0");
  REQUIRE(split.roots.size() == 1);
  CHECK(split.types[split.roots[0]].name == "Sample");
  CHECK(split.files == std::vector<std::string>{"s.yaml", "units.yaml"});
  CHECK(split.types[*split.find("Quantity")].span.file == 1);
  CHECK(split.types[*split.find("Sample")].span.file == 0);
}

TEST_CASE("types follow the types of imported files, each file once") {
  const Model model = model_of({{"s.yaml", schema("b.yaml, c.yaml", "S")},
                                {"b.yaml", schema("d.yaml", "B")},
                                {"c.yaml", schema("./x/../d.yaml", "C")},
                                {"d.yaml", schema("", "D")}});
  CHECK(names_of(model) == "DBCS");
  CHECK(model.files == std::vector<std::string>{"s.yaml", "b.yaml", "d.yaml", "c.yaml"});
}

TEST_CASE("a path is relative to the folder of the importing file") {
  CHECK(names_of(model_of({{"in/s.yaml", schema("of/b.yaml, ../d.yaml", "S")},
                           {"in/of/b.yaml", schema("c.yaml", "B")},
                           {"in/of/c.yaml", schema("../../d.yaml", "C")},
                           {"d.yaml", schema("", "D")}},
                          "in/s.yaml")) == "DCBS");
  CHECK(names_of(model_of({{"/a/s.yaml", schema("b.yaml", "S")}, {"/a/b.yaml", schema("", "B")}},
                          "/a/s.yaml")) == "BS");
  CHECK(names_of(model_of({{"./s.yaml", schema("b.yaml", "S")}, {"./b.yaml", schema("", "B")}},
                          "./s.yaml")) == "BS");
  CHECK(names_of(model_of({{"<stdin>", schema("b.yaml", "S")}, {"b.yaml", schema("", "B")}}, "<stdin>")) ==
        "BS");
}

TEST_CASE("in a state of git, imports are of the same state") {
  const auto types_of = [](const std::string& path, const std::string& import, const std::string& other) {
    return names_of(model_of({{"git:v1:" + path, schema(import, "S")}, {"git:v1:" + other, schema("", "B")}},
                             "git:v1:" + path, "git:v1:"));
  };
  CHECK(types_of("s.yaml", "b.yaml", "b.yaml") == "BS");
  CHECK(types_of("in/s.yaml", "b.yaml", "in/b.yaml") == "BS");
  CHECK(types_of("in/s.yaml", "../b.yaml", "b.yaml") == "BS");
  CHECK(types_of("./s.yaml", "b.yaml", "./b.yaml") == "BS");
  CHECK(types_of("./s.yaml", "../b.yaml", "../b.yaml") == "BS");
  CHECK(types_of("../in/s.yaml", "b.yaml", "../in/b.yaml") == "BS");
  CHECK(types_of(".in/s.yaml", "b.yaml", ".in/b.yaml") == "BS");
  CHECK(said_of({{"git:v1:in/s.yaml", schema("../../b.yaml", "S")}}, "git:v1:in/s.yaml", "git:v1:") ==
        "git:v1:in/s.yaml:3:11: error: '../../b.yaml' is outside the repository\n"
        "    3 | imports: [../../b.yaml]\n"
        "      |           ^~~~~~~~~~~~\n");
}

TEST_CASE("a cycle of imports is refused, with the way around") {
  CHECK(said_of({{"s.yaml", schema("b.yaml", "S")},
                 {"b.yaml", schema("c.yaml", "B")},
                 {"c.yaml", schema("s.yaml", "C")}}) ==
        "c.yaml:3:11: error: 's.yaml' imports itself\n"
        "    3 | imports: [s.yaml]\n"
        "      |           ^~~~~~\n"
        "s.yaml:3:11: note: through 'b.yaml'\n"
        "    3 | imports: [b.yaml]\n"
        "      |           ^~~~~~\n"
        "b.yaml:3:11: note: through 'c.yaml'\n"
        "    3 | imports: [c.yaml]\n"
        "      |           ^~~~~~\n"
        "hint: move the types that both need to a file that both import\n");
  CHECK(said_of({{"s.yaml", schema("./s.yaml", "S")}}) ==
        "s.yaml:3:11: error: 's.yaml' imports itself\n"
        "    3 | imports: [./s.yaml]\n"
        "      |           ^~~~~~~~\n"
        "hint: remove it\n");
}

TEST_CASE("two types or constants of one name in several files are refused, with both places") {
  CHECK(said_of({{"s.yaml", schema("b.yaml, c.yaml", "S")},
                 {"b.yaml", schema("", "AB")},
                 {"c.yaml", schema("", "CA")}}) ==
        "c.yaml:6:3: error: the type 'A' is also defined in another file of the schema\n"
        "    6 |   A: {kind: struct, fields: {}}\n"
        "      |   ^\n"
        "b.yaml:5:3: note: first defined here\n"
        "    5 |   A: {kind: struct, fields: {}}\n"
        "      |   ^\n"
        "hint: rename one of the two, or move it to a file that both import\n");
  CHECK(said_of({{"s.yaml", head("b.yaml") + "constants: {N: 1}\ntypes: {}\n"},
                 {"b.yaml", head("") + "constants: {N: 1}\ntypes: {}\n"}}) ==
        "s.yaml:4:13: error: the constant 'N' is also defined in another file of the schema\n"
        "    4 | constants: {N: 1}\n"
        "      |             ^\n"
        "b.yaml:4:13: note: first defined here\n"
        "    4 | constants: {N: 1}\n"
        "      |             ^\n"
        "hint: rename one of the two, or move it to a file that both import\n");
}

TEST_CASE("a file that cannot be read is an error where it is imported, and nothing follows from it") {
  CHECK(said_of(
            {{"s.yaml", head("no.yaml") + "types:\n  A: {kind: struct, fields: {b: {id: 1, type: B}}}\n"}}) ==
        "s.yaml:3:11: error: cannot read no.yaml\n"
        "    3 | imports: [no.yaml]\n"
        "      |           ^~~~~~~\n"
        "hint: write a path relative to the folder of this file\n");
}

TEST_CASE("one run reports the errors of all files, each at its place") {
  const std::string said =
      said_of({{"s.yaml", schema("b.yaml, c.yaml", "S") + "  bad: {}\n"},
               {"b.yaml", "version: {major: 1, minor: 0}\ntypes: {B: {kind: stuct, fields: {}}}\n"},
               {"c.yaml", "name: c\nversion: 1\ntypes: {}\nroots: [S]\n"}});
  CHECK(said.find("s.yaml:6:3: error: 'bad' is not a valid name for a type") != std::string::npos);
  CHECK(said.find("b.yaml:1:1: error: the schema has no 'name'") != std::string::npos);
  CHECK(said.find("b.yaml:2:19: error: unknown kind 'stuct'") != std::string::npos);
  CHECK(said.find("c.yaml:2:10: error: 'version' must be a map") != std::string::npos);
  CHECK(said.find("c.yaml:4:9: error: unknown type 'S' in 'roots'") != std::string::npos);
  CHECK(said_of({{"s.yaml", schema("b.yaml", "S")}, {"b.yaml", "name: [\n"}}).substr(0, 9) == "s.yaml:3:");
}

TEST_CASE("a file names the types of those that it imports, also through others, and of no other file") {
  const std::string holds_a =
      "types:\n  C: {kind: struct, fields: {a: {id: 1, type: \"Dict[str, A]\"}}}\nroots: [A]\n";
  const Files files = {{"s.yaml", schema("a.yaml, c.yaml", "S")},
                       {"a.yaml", schema("", "A")},
                       {"b.yaml", schema("a.yaml", "B")},
                       {"c.yaml", head("b.yaml") + holds_a}};
  CHECK(said_of(files).empty());
  Files without = files;
  without["c.yaml"] = head("") + holds_a;
  CHECK(said_of(without) ==
        "c.yaml:5:47: error: 'A' is defined in a file that this one does not import\n"
        "    5 |   C: {kind: struct, fields: {a: {id: 1, type: \"Dict[str, A]\"}}}\n"
        "      |                                               ^~~~~~~~~~~~~~\n"
        "a.yaml:5:3: note: defined here\n"
        "    5 |   A: {kind: struct, fields: {}}\n"
        "      |   ^\n"
        "hint: add the file to 'imports'\n"
        "c.yaml:6:9: error: 'A' is defined in a file that this one does not import\n"
        "    6 | roots: [A]\n"
        "      |         ^\n"
        "a.yaml:5:3: note: defined here\n"
        "    5 |   A: {kind: struct, fields: {}}\n"
        "      |   ^\n"
        "hint: add the file to 'imports'\n");
}

TEST_CASE("more than 256 files in one schema of 2 MiB together") {
  Files files;
  for (int i = 0; i < 256; ++i) {
    const std::string name = i == 0 ? "s.yaml" : std::to_string(i) + ".yaml";
    files[name] = schema(i == 255 ? "" : std::to_string(i + 1) + ".yaml", "");
  }
  CHECK(said_of(files).empty());
  files["255.yaml"] = schema("256.yaml", "");
  files["256.yaml"] = schema("", "");
  CHECK(said_of(files).find("255.yaml:3:11: error: more than 256 files in one schema") == 0);

  files = {{"s.yaml", schema("b.yaml, c.yaml", "")}, {"b.yaml", schema("", "")}, {"c.yaml", schema("", "")}};
  files["b.yaml"] += "#" + std::string(std::size_t{1} << 20, 'x') + "\n";
  CHECK(said_of(files).empty());
  files["c.yaml"] += "#" + std::string(std::size_t{1} << 20, 'x') + "\n";
  CHECK(said_of(files).find("s.yaml:3:19: error: more than 2097152 bytes in the files of one schema") == 0);
}

TEST_CASE("files on disk are imported, and nothing that could wait or never end") {
  const Folder folder;
  folder.write("b.yaml", schema("", "B"));
  std::filesystem::create_directory(folder.path / "d.yaml");
  const auto said = [&](const std::string& import) {
    Diagnostics diagnostics(folder / "s.yaml", schema(import, "S"));
    load_model(diagnostics, generator::rule_ids());
    return diagnostics.render();
  };
  CHECK(said("b.yaml").empty());
  CHECK(said("no.yaml").find("cannot read " + folder / "no.yaml" + ": No such file or directory") !=
        std::string::npos);
  CHECK(said("d.yaml").find("cannot read '" + folder / "d.yaml" + "': Is a directory") != std::string::npos);
  CHECK(said("\"-\"").find("No such file") != std::string::npos);
}

TEST_CASE("a file and symlinks to it are one file") {
  const Folder folder;
  folder.write("unit.yaml", schema("", "U"));
  std::filesystem::create_symlink("unit.yaml", folder.path / "link.yaml");
  folder.write("b.yaml", head("link.yaml") + "types:\n  B: {kind: struct, fields: {u: {id: 1, type: U}}}\n");
  folder.write("again.yaml", schema("link_to_again.yaml", "A"));
  std::filesystem::create_symlink("again.yaml", folder.path / "link_to_again.yaml");
  const auto said = [&](const std::string& imports) {
    Diagnostics diagnostics(folder / "s.yaml",
                            head(imports) + "types:\n  S: {kind: struct, fields: {u: {id: 1, type: U}}}\n");
    load_model(diagnostics, generator::rule_ids());
    return diagnostics.render();
  };
  for (const char* imports : {"unit.yaml, b.yaml", "b.yaml, unit.yaml", "unit.yaml, link.yaml, b.yaml"}) {
    INFO(imports);
    CHECK(said(imports).empty());
  }
  CHECK(said("unit.yaml, again.yaml").find("link_to_again.yaml' imports itself") != std::string::npos);
}

TEST_CASE("the layout has imports behind the version, in their order") {
  const Files files = {
      {"s.yaml",
       "types: {}\nimports:\n# ours\n- 'in/z.yaml'\n- b.yaml\nname: s\nversion: {minor: 0, major: 1}\n"},
      {"in/z.yaml", schema("", "Z")},
      {"b.yaml", schema("", "B")}};
  Diagnostics diagnostics("s.yaml", files.at("s.yaml"));
  const auto text = formatted(diagnostics, generator::rule_ids(), reader_of(files));
  INFO(diagnostics.render());
  REQUIRE(text);
  CHECK(*text ==
        "name: s\nversion: {major: 1, minor: 0}\nimports:\n  # ours\n  - in/z.yaml\n  - b.yaml\ntypes: {}\n");
}
