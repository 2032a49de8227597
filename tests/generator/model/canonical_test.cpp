#include "model/canonical.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "evolution/compat.h"
#include "front/resolve.h"

using generator::Form;
using generator::form_of;
using generator::Model;
using generator::normal_form;
using generator::schema_hash;

namespace {

const std::string kSource = PT2_SOURCE_DIR;
const std::string kVectors = kSource + "/tests/data/vectors/";
const std::string kHead = "name: s\nversion: {major: 1, minor: 0}\n";

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  INFO(path);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Model resolved(const std::string& text) {
  generator::Diagnostics diagnostics("s.yaml", text);
  auto model = load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model);
  return *std::move(model);
}

Model types(const std::string& text) {
  return resolved(kHead + "types:\n" + text);
}

std::size_t root(const Model& model, const std::string& name) {
  const auto found = model.find(name);
  REQUIRE(found);
  return *found;
}

std::string schema_path(const std::string& name) {
  if (name == "small.yaml") return kVectors + name;
  REQUIRE(name.substr(0, 4) == "pt2-");
  const std::string released = kSource + "/schema/released/" + name.substr(4) + ".yaml";
  return std::filesystem::exists(released) ? released : kSource + "/schema/pt2.yaml";
}

std::string form(const Model& model, const std::string& what, const std::string& type) {
  if (type == "-") return normal_form(model);
  if (what == "schema") return form_of(model, root(model, type), Form::schema);
  if (what == "bin") return form_of(model, root(model, type), Form::binary);
  REQUIRE(what == "json");
  return form_of(model, root(model, type), Form::json);
}

}  // namespace

TEST_CASE("the forms of the small schema match the vectors byte for byte") {
  const Model model = resolved(read_file(kVectors + "small.yaml"));
  CHECK(normal_form(model) == read_file(kVectors + "small.nsf.txt"));
  CHECK(form_of(model, root(model, "Rec"), Form::binary) == read_file(kVectors + "small.Rec.nsf-bin.txt"));
  CHECK(form_of(model, root(model, "Rec"), Form::json) == read_file(kVectors + "small.Rec.nsf-json.txt"));
}

TEST_CASE("every digest of the vectors comes out") {
  std::istringstream lines(read_file(kVectors + "digests.txt"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    INFO(line);
    std::istringstream words(line);
    std::string schema;
    std::string what;
    std::string type;
    std::string digest;
    REQUIRE((words >> schema >> what >> type >> digest));
    CHECK(schema_hash(form(resolved(read_file(schema_path(schema))), what, type)) == digest);
    ++count;
  }
  CHECK(count == 15);
}

TEST_CASE("the schema hash is the SHA-256 of the form") {
  CHECK(schema_hash("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("constants come first, by name, and only in the form of the whole schema") {
  const Model model = resolved(
      kHead + "constants: {b: -2, B: 9223372036854775807, a: 0}\ntypes: {A: {kind: struct, fields: {}}}\n");
  CHECK(normal_form(model) == "nsf 1\nconst B 9223372036854775807\nconst a 0\nconst b -2\nstruct A\n");
  CHECK(form_of(model, 0, Form::schema) == "nsf 1\nstruct A\n");
}

TEST_CASE("every type and every default has its spelling") {
  const Model model = types(
      "  A:\n"
      "    kind: struct\n"
      "    fields:\n"
      "      a: {id: 1, type: bool, default: true}\n"
      "      b: {id: 2, type: int, default: -9223372036854775808}\n"
      "      c: {id: 3, type: float, default: -0.0}\n"
      "      d: {id: 4, type: float, default: 1}\n"
      "      e: {id: 5, type: str, default: \"\\\"\\\\/\\b\\f\\n\\r\\t\\x01\\x1f\\x7fé☃😀\"}\n"
      "      f: {id: 6, type: bytes}\n"
      "      g: {id: 7, type: \"Tuple[()]\"}\n"
      "      h: {id: 8, type: Any}\n"
      "      i: {id: 9, type: \"List[List[bool]]\", default: []}\n"
      "      j: {id: 10, type: \"Dict[str, Any]\", default: {}}\n"
      "      k: {id: 11, type: \"Optional[Dict[str, E]]\", default: null}\n"
      "      l: {id: 12, type: E, default: Low}\n"
      "      m: {id: 13, type: float, default: .nan}\n"
      "      n: {id: 14, type: float32, default: -.inf}\n"
      "      o: {id: 15, type: \"List[float32]\", default: [.nan, .inf]}\n"
      "  E: {kind: enum, fields: {High: 5, Low: -5}}\n");
  const std::string lines =
      "1 a bool =true\n"
      "2 b i64 =-9223372036854775808\n"
      "3 c f64 =0x8000000000000000\n"
      "4 d f64 =0x3ff0000000000000\n"
      "5 e string =\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7fé☃😀\"\n"
      "6 f binary\n"
      "7 g unit\n"
      "8 h any\n"
      "9 i list<list<bool>> =[]\n"
      "10 j map<string,any> ={}\n"
      "11 k optional<map<string,E>> =null\n"
      "12 l E =-5\n"
      "13 m f64 =0x7ff8000000000000\n"
      "14 n f32 =0xff800000\n"
      "15 o list<f32> =[0x7fc00000,0x7f800000]\n";
  CHECK(normal_form(model) == "nsf 1\nstruct A\n" + lines + "enum E\n-5 Low\n5 High\n");
}

TEST_CASE("a default is written out in full, so that two ways of writing it are one") {
  const std::string text =
      "  A:\n"
      "    kind: struct\n"
      "    fields:\n"
      "      list: {id: 10, type: \"List[float]\", default: [1, 0.5]}\n"
      "      map: {id: 20, type: \"Dict[str, int]\", default: {b: 1, a: 2}}\n"
      "      color: {id: 30, type: C, default: {red: 7}}\n"
      "      other: {id: 40, type: U, default: {e: X}}\n"
      "  C:\n"
      "    kind: struct\n"
      "    fields:\n"
      "      red: {id: 20, type: int}\n"
      "      blue: {id: 10, type: \"List[str]\", default: [\"x\"]}\n"
      "      none: {id: 30, type: \"Optional[int]\", default: null}\n"
      "  U: {kind: union, fields: {e: {id: 5, type: E}}}\n"
      "  E: {kind: enum, fields: {X: 9}}\n";
  const Model model = types(text);
  const std::string head =
      "10 list list<f64> =[0x3ff0000000000000,0x3fe0000000000000]\n"
      "20 map map<string,i64> ={\"a\":2,\"b\":1}\n";
  CHECK(form_of(model, 0, Form::schema)
            .find("struct A\n" + head +
                  "30 color C ={10 [\"x\"],20 7,30 null}\n"
                  "40 other U ={5 9}\n") != std::string::npos);
  CHECK(form_of(model, 0, Form::binary).find("30 T1 ={10 [\"x\"],20 7,30 null}\n40 T2 ={5 9}\n") !=
        std::string::npos);
  CHECK(form_of(model, 0, Form::json).find("color T1 ={\"blue\":[\"x\"],\"none\":null,\"red\":7}\n") !=
        std::string::npos);
  CHECK(form_of(model, 0, Form::json).find("other T2 ={\"e\":9}\n") != std::string::npos);

  std::string same = text;
  const auto replace = [&](const std::string& from, const std::string& to) {
    same.replace(same.find(from), from.size(), to);
  };
  replace("{red: 7}", "{none: null, blue: [x], red: 7}");
  replace("{b: 1, a: 2}", "{a: 2, b: 1}");
  CHECK(normal_form(types(same)) == normal_form(model));
}

TEST_CASE("types are in byte order, fields by number, enum members by number") {
  const Model model = types(
      "  Zz: {kind: enum, fields: {B: 10, A: 9, C: -1}}\n"
      "  Z_: {kind: struct, fields: {x: {id: 100, type: int}, y: {id: 20, type: int}}}\n"
      "  ZA: {kind: union, fields: {x: {id: 2, type: int}}}\n");
  CHECK(normal_form(model) ==
        "nsf 1\nunion ZA\n2 x i64\nstruct Z_\n20 y i64\n100 x i64\nenum Zz\n-1 C\n9 A\n10 B\n");
}

TEST_CASE("the form of a root has only what it reaches, through lists, maps, optionals and boxes") {
  const Model model = types(
      "  Unused: {kind: struct, fields: {r: {id: 1, type: Root}}}\n"
      "  Root:\n"
      "    kind: struct\n"
      "    fields:\n"
      "      a: {id: 1, type: \"Optional[List[InList]]\"}\n"
      "      b: {id: 2, type: \"Dict[str, InMap]\"}\n"
      "      c: {id: 3, type: \"Optional[Root]\", boxed: true}\n"
      "  InMap: {kind: struct, fields: {}}\n"
      "  InList: {kind: union, fields: {e: {id: 1, type: E}}}\n"
      "  E: {kind: enum, fields: {X: 0}}\n");
  CHECK(form_of(model, root(model, "Root"), Form::schema) ==
        "nsf 1\nenum E\n0 X\nunion InList\n1 e E\nstruct InMap\n"
        "struct Root\n1 a optional<list<InList>>\n2 b map<string,InMap>\n3 c optional<Root>\n");
  CHECK(form_of(model, root(model, "Root"), Form::binary) ==
        "nsf-bin 1\nstruct T0\n1 optional<list<T1>>\n2 map<string,T3>\n3 optional<T0>\n"
        "union T1\n1 T2\nenum T2\n0\nstruct T3\n");
}

TEST_CASE("the binary form visits by id and the JSON form by name") {
  const Model model = types(
      "  R: {kind: struct, fields: {b: {id: 1, type: X}, a: {id: 2, type: Y}}}\n"
      "  X: {kind: struct, fields: {x: {id: 7, type: int}}}\n"
      "  Y: {kind: struct, fields: {y: {id: 8, type: str}}}\n");
  CHECK(form_of(model, 0, Form::binary) ==
        "nsf-bin 1\nstruct T0\n1 T1\n2 T2\nstruct T1\n7 i64\nstruct T2\n8 string\n");
  CHECK(form_of(model, 0, Form::json) ==
        "nsf-json 1\nstruct T0\na T1\nb T2\nstruct T1\ny string\nstruct T2\nx i64\n");
}

namespace {

/// Of "schema", "bin", "json".
std::string changed_by(const std::string& from, const std::string& to) {
  const std::string before =
      "  R:\n"
      "    kind: struct\n"
      "    fields:\n"
      "      a: {id: 10, type: int, default: 1}\n"
      "      k: {id: 20, type: Kind}\n"
      "  Kind:\n"
      "    kind: enum\n"
      "    fields: {A: 0, B: 1}\n";
  std::string after = before;
  for (std::size_t at = after.find(from); at != std::string::npos; at = after.find(from, at + to.size())) {
    after.replace(at, from.size(), to);
  }
  REQUIRE(after != before);
  const Model old_model = types(before);
  const Model new_model = types(after);
  const auto changed = [&](Form form) {
    return form_of(old_model, root(old_model, "R"), form) != form_of(new_model, root(new_model, "R"), form);
  };
  std::string out;
  if (normal_form(old_model) != normal_form(new_model)) out += "schema ";
  if (changed(Form::binary)) out += "bin ";
  if (changed(Form::json)) out += "json ";
  return out;
}

}  // namespace

TEST_CASE("each edit changes the forms that it should and no other") {
  CHECK(changed_by("  Kind:\n", "  # a comment\n  Kind:\n    doc: d\n") == "");
  CHECK(changed_by("{id: 10, type: int,", "{type: \"int\", since: 1.0, deprecated: no use, id: 10,") == "");
  CHECK(changed_by("{A: 0, B: 1}", "{B: 1, A: 0}") == "");
  CHECK(changed_by("    kind: enum\n", "    kind: enum\n    reserved: {ids: [7]}\n") == "");
  CHECK(changed_by("Kind", "Sort") == "schema ");
  CHECK(changed_by("      a:", "      aa:") == "schema json ");
  CHECK(changed_by("id: 10", "id: 15") == "schema bin ");
  CHECK(changed_by("default: 1", "default: 2") == "schema bin json ");
  CHECK(changed_by(", default: 1", "") == "schema bin json ");
  CHECK(changed_by("type: int, default: 1", "type: float, default: 1") == "schema bin json ");
  CHECK(changed_by("B: 1", "B: 2") == "schema bin json ");
  CHECK(changed_by("B: 1", "C: 1") == "schema ");
  CHECK(changed_by("B: 1", "B: 1, C: 2") == "schema bin json ");
  CHECK(changed_by("    fields:\n      a", "    fields:\n      n: {id: 5, type: str}\n      a") ==
        "schema bin json ");
}

TEST_CASE("an enum that JSON spells by name is part of the JSON form, with its names") {
  const auto forms = [](const std::string& rest) {
    const Model model =
        types("  E: {kind: enum, " + rest + "}\n  A: {kind: struct, fields: {e: {id: 1, type: E}}}\n");
    return std::vector{normal_form(model), form_of(model, 1, Form::binary), form_of(model, 1, Form::json)};
  };
  const auto by_number = forms("fields: {X: 1, Y: 0}");
  CHECK(forms("json: number, fields: {X: 1, Y: 0}") == by_number);
  const auto by_name = forms("json: name, fields: {X: 1, Y: 0}");
  CHECK(by_name[0] == "nsf 1\nstruct A\n1 e E\nenum E json=name\n0 Y\n1 X\n");
  CHECK(by_name[1] == by_number[1]);
  CHECK(by_name[2] == "nsf-json 1\nstruct T0\ne T1\nenum T1 json=name\n0 Y\n1 X\n");
  CHECK(forms("json: name, fields: {X: 1, Z: 0}")[2] != by_name[2]);
}

TEST_CASE("map keys other than strings, and their enums, are part of all forms") {
  const Model model = types(
      "  E: {kind: enum, fields: {X: 1}}\n"
      "  A: {kind: struct, fields: {a: {id: 1, type: \"Dict[int, Dict[E, B]]\"}}}\n"
      "  B: {kind: struct, fields: {}}\n");
  CHECK(spelled(model, model.types[1].fields[0].type) == "Dict[int, Dict[E, B]]");
  CHECK(form_of(model, 1, Form::schema) == "nsf 1\nstruct A\n1 a map<i64,map<E,B>>\nstruct B\nenum E\n1 X\n");
  CHECK(form_of(model, 1, Form::binary) ==
        "nsf-bin 1\nstruct T0\n1 map<i64,map<T1,T2>>\nenum T1\n1\nstruct T2\n");
  CHECK(form_of(model, 1, Form::json) ==
        "nsf-json 1\nstruct T0\na map<i64,map<T1,T2>>\nenum T1\n1\nstruct T2\n");
}

TEST_CASE("no form contains states_version") {
  const std::string text = read_file(PT2_SOURCE_DIR "/tests/schemas/letters_2_4.yaml");
  const std::string key = ", states_version: true";
  REQUIRE(text.find(key) != std::string::npos);
  const Model with = resolved(text);
  const Model without = resolved(std::string(text).replace(text.find(key), key.size(), ""));
  CHECK(normal_form(with) == normal_form(without));
  CHECK(form_of(with, root(with, "Letter"), Form::binary) ==
        form_of(without, root(without, "Letter"), Form::binary));
  CHECK(form_of(with, root(with, "Letter"), Form::json) ==
        form_of(without, root(without, "Letter"), Form::json));
}

TEST_CASE("a chain as long as the schema allows is visited without recursion") {
  Model chain;
  const std::size_t count = 100000;
  chain.types.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    generator::Field field;
    field.name = "next";
    field.id = 1;
    field.boxed = true;
    field.type = {generator::Type::Kind::optional, {{generator::Type::Kind::named, {}, (i + 1) % count}}, 0};
    chain.types[i].fields.push_back(field);
  }
  const std::string text = form_of(chain, 0, Form::binary);
  CHECK(text.substr(0, 33) == "nsf-bin 1\nstruct T0\n1 optional<T1");
}

TEST_CASE("numbers of other sizes have separate names, and int64 is hashed as int") {
  CHECK(normal_form(types("  S:\n    kind: struct\n    fields:\n"
                          "      a: {id: 1, type: int8, default: -1}\n"
                          "      b: {id: 2, type: int16}\n"
                          "      c: {id: 3, type: int32}\n"
                          "      d: {id: 4, type: uint8}\n"
                          "      e: {id: 5, type: uint16}\n"
                          "      f: {id: 6, type: uint32}\n"
                          "      g: {id: 7, type: uint64, default: 18446744073709551615}\n"
                          "      h: {id: 8, type: float32, default: 0.1}\n"
                          "      i: {id: 9, type: \"List[int64]\"}\n")) ==
        "nsf 1\nstruct S\n1 a i8 =-1\n2 b i16\n3 c i32\n4 d u8\n5 e u16\n6 f u32\n"
        "7 g u64 =18446744073709551615\n8 h f32 =0x3dcccccd\n9 i list<i64>\n");
}
