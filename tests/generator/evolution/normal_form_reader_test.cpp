#include "evolution/normal_form_reader.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/load.h"
#include "model/canonical.h"

using generator::Diagnostics;
using generator::normal_form;
using generator::read_normal_form;

namespace fs = std::filesystem;

namespace {

const fs::path kSource = PT2_SOURCE_DIR;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  INFO(path.string());
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// `line: message` of the error; empty if there is none.
std::string error_of(const std::string& text) {
  Diagnostics diagnostics("form", text);
  const auto model = read_normal_form(diagnostics);
  CHECK(model.has_value() == !diagnostics.has_errors());
  if (model) return "";
  REQUIRE(diagnostics.all().size() == 1);
  return std::to_string(diagnostics.all()[0].span.line) + ": " + diagnostics.all()[0].message;
}

}  // namespace

TEST_CASE("the normal form of every schema is read back to a schema with that normal form") {
  std::vector<fs::path> files = {kSource / "schema/pt2.yaml", kSource / "schema/draft.yaml",
                                 kSource / "tests/data/vectors/small.yaml"};
  for (const auto& entry : fs::directory_iterator(kSource / "schema/released")) files.push_back(entry.path());
  for (const fs::path& file : files) {
    INFO(file.string());
    Diagnostics source(file.string(), read_file(file));
    const auto model = generator::load_model(source, generator::rule_ids());
    REQUIRE(model);
    const std::string form = normal_form(*model);
    Diagnostics diagnostics("form", form);
    const auto again = read_normal_form(diagnostics);
    INFO(diagnostics.render());
    REQUIRE(again);
    CHECK(normal_form(*again) == form);
    CHECK(again->types.size() == model->types.size());
  }
}

TEST_CASE("every kind of type and default can be read back") {
  CHECK(error_of("nsf 1\n"
                 "const LOW -9223372036854775808\n"
                 "enum E\n"
                 "-1 A\n"
                 "7 B\n"
                 "struct S\n"
                 "1 a bool =true\n"
                 "2 b i64 =-5\n"
                 "3 c f64 =0x3fb999999999999a\n"
                 "4 d string =\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001 = \xe2\x98\x83\"\n"
                 "5 e list<map<string,T>> =[]\n"
                 "6 f map<string,list<S>> ={}\n"
                 "7 g optional<U> =null\n"
                 "8 h E =7\n"
                 "9 i binary\n"
                 "10 j unit\n"
                 "11 k any\n"
                 "struct T\n"
                 "union U\n"
                 "1 s S\n") == "");
}

TEST_CASE("what is no normal form is refused, with the line") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "0: the last line has no end"},
      {"nsf 1", "0: the last line has no end"},
      {"nsf 2\n", "1: the first line must be 'nsf 1'"},
      {"nsf 1\n\n", "2: a type is expected"},
      {"nsf 1\nstruct A\n10 x str\n", "3: unknown type 'str'"},
      {"nsf 1\nstruct A\n10 x list<bool\n", "3: '>' is expected"},
      {"nsf 1\nstruct A\n10 x list<optional<bool>>\n", "3: unknown type 'optional'"},
      {"nsf 1\nstruct A\n10 x map<i64,bool>\n", "3: '<string,' is expected"},
      {"nsf 1\nstruct A\n10 x bool>\n", "3: unexpected '>' after a type"},
      {"nsf 1\nstruct A\n10 x bool =yes\n", "3: this is not the normal form of a schema"},
      {"nsf 1\nstruct A\n10 x bool true\n", "3: a default is expected, not 'true'"},
      {"nsf 1\nstruct A\n10 x i64 =1.5\n", "3: '1.5' is not a number"},
      {"nsf 1\nstruct A\n10 x i64 =01\n", "3: this is not the normal form of a schema"},
      {"nsf 1\nstruct A\n10 x i64 =9223372036854775808\n", "3: '9223372036854775808' is not a number"},
      {"nsf 1\nstruct A\n10 x f64 =1.5\n", "3: a double is 0x and 16 digits"},
      {"nsf 1\nstruct A\n10 x string =\"a\n", "3: a string is expected"},
      {"nsf 1\nstruct A\n10 x string =\"\\u0041\"\n", "3: an escape that is not minimal"},
      {"nsf 1\nstruct A\n10 x string =\"\\q\"\n", "3: an unknown escape"},
      {"nsf 1\nstruct A\n10 x binary =\"\"\n", "3: a type that has no defaults has one"},
      {"nsf 1\nenum B\n1 X\nstruct A\n10 x B =2\n", "5: a default is not a member of its enum"},
      {"nsf 1\nstruct A\n10 x A =2\n", "3: a default is a number, but its type is not an enum"},
      {"nsf 1\nstruct B\nstruct A\n", "2: this is not the normal form of a schema"},
      {"nsf 1\nstruct A\nstruct A\n", "3: 'A' is there twice"},
      {"nsf 1\nstruct A b\n", "2: 'A b' is not a name"},
      {"nsf 1\nstruct A\n20 x bool\n10 y bool\n", "4: members must be in the order of their numbers"},
      {"nsf 1\nstruct A\n10 x bool\n10 y bool\n", "4: members must be in the order of their numbers"},
      {"nsf 1\nstruct A\n10 x bool\n20 x bool\n", "4: 'x' is there twice"},
      {"nsf 1\nstruct A\n0 x bool\n", "3: an id is out of range"},
      {"nsf 1\nstruct A\n32768 x bool\n", "3: an id is out of range"},
      {"nsf 1\nstruct A\n10  bool\n", "3: '' is not a name"},
      {"nsf 1\nunion U\n10 x bool =true\n", "3: a member of a union has a default"},
      {"nsf 1\nenum E\n1 A 2\n", "3: unexpected '2' after the member of an enum"},
      {"nsf 1\nconst B 1\nconst A 1\n", "3: constants must be in the order of their names"},
      {"nsf 1\nconst A 1 \n", "2: '1 ' is not a number"},
      {"nsf 1\nstruct A\r\n", "2: 'A\\r' is not a name"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK(error_of(text) == message);
  }
}

TEST_CASE("types nested too deep are refused") {
  std::string type = "bool";
  for (int i = 0; i < 1000; ++i) type.insert(0, "list<");
  CHECK(error_of("nsf 1\nstruct A\n10 x " + type + "\n") == "3: types are nested too deep");
}

TEST_CASE("a normal form with a byte missing is refused or another normal form") {
  const std::string form = read_file(kSource / "tests/data/vectors/small.nsf.txt");
  for (std::size_t i = 0; i < form.size(); ++i) {
    std::string text = form;
    text.erase(i, 1);
    Diagnostics diagnostics("form", text);
    const auto model = read_normal_form(diagnostics);
    if (model) CHECK(normal_form(*model) == text);
  }
}
