#include "front/resolve.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <variant>

#include "evolution/compat.h"
#include "model/cpp_words.h"

using generator::Definition;
using generator::Diagnostic;
using generator::Diagnostics;
using generator::EnumMember;
using generator::Field;
using generator::Model;
using generator::Type;

namespace fs = std::filesystem;

namespace {

const std::string kHead = "name: s\nversion: {major: 1, minor: 0}\n";

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Diagnostics check(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  const auto model = load_model(diagnostics, generator::rule_ids());
  CHECK(model.has_value() == !diagnostics.has_errors());
  return diagnostics;
}

Model resolved(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  auto model = load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model);
  return *std::move(model);
}

std::string with_fields(const std::string& fields) {
  std::string text = kHead + "types:\n  E: {kind: enum, fields: {X: 3, Yes: -1}}\n";
  text += "  S: {kind: struct, fields: {}}\n  A:\n    kind: struct\n    fields:\n";
  std::istringstream lines(fields);
  for (std::string line; std::getline(lines, line);) text += "      " + line + "\n";
  return text;
}

Field only_field(const std::string& field) {
  const Model model = resolved(with_fields(field));
  return model.types[*model.find("A")].fields.at(0);
}

std::string only_type(const std::string& type) {
  const Model model = resolved(with_fields("a: {id: 10, type: \"" + type + "\"}"));
  return spelled(model, model.types[*model.find("A")].fields.at(0).type);
}

}  // namespace

TEST_CASE("a schema with everything in it becomes a model") {
  const Model model = resolved(
      "name: everything\n"
      "version: {major: 8, minor: 20}\n"
      "constants: {TREESPEC_VERSION: 1, LOW: -5}\n"
      "roots: [Value, Device]\n"
      "types:\n"
      "  Device:\n"
      "    kind: struct\n"
      "    doc: Where a tensor lives.\n"
      "    fields:\n"
      "      type: {id: 10, type: str, doc: Its kind.}\n"
      "      index: {id: 20, type: \"Optional[int]\", default: null, since: 8.15, cpp_name: ordinal}\n"
      "      next: {id: 5, type: \"Optional[Device]\", boxed: true, deprecated: use index}\n"
      "    reserved: {ids: [40, 30], names: [old]}\n"
      "  Value:\n"
      "    kind: union\n"
      "    fields:\n"
      "      as_device: {id: 1, type: Device}\n"
      "  Layout:\n"
      "    kind: enum\n"
      "    fields: {Unknown: 0, Strided: 7, Negative: -2147483648}\n");
  CHECK(model.name == "everything");
  CHECK(model.version.major_ == 8);
  CHECK(model.version.minor_ == 20);
  CHECK(model.version_span.line == 2);
  REQUIRE(model.constants.size() == 2);
  CHECK(model.constants[1].name == "LOW");
  CHECK(model.constants[1].value == -5);
  CHECK(model.roots == std::vector<std::size_t>{1, 0});
  REQUIRE(model.types.size() == 3);

  const Definition& device = model.types[0];
  CHECK(device.name == "Device");
  CHECK(device.doc == "Where a tensor lives.");
  CHECK(device.span.line == 6);
  CHECK(device.reserved.ids == std::vector<std::int32_t>{30, 40});
  CHECK(device.reserved.names == std::vector<std::string>{"old"});
  CHECK(device.reserved.span.line == 13);
  REQUIRE(device.is_struct());
  REQUIRE(device.fields.size() == 3);
  CHECK(device.fields[0].name == "type");
  CHECK(device.fields[0].id == 10);
  CHECK(device.fields[0].doc == "Its kind.");
  CHECK_FALSE(device.fields[0].fallback);
  const Field& index = device.fields[1];
  REQUIRE(index.fallback);
  CHECK(std::holds_alternative<std::monostate>(*index.fallback));
  CHECK(index.since == "8.15");
  CHECK(index.cpp_name == "ordinal");
  CHECK(index.span.line == 11);
  CHECK(index.span.column == 7);
  CHECK(index.id_span.column == 19);
  CHECK(index.type_span.length == 15);
  CHECK(device.fields[2].boxed);
  CHECK(device.fields[2].deprecated == "use index");

  CHECK(model.types[1].is_union());
  REQUIRE(model.types[2].is_enum());
  const auto& values = model.types[2].values;
  CHECK(values[1].name == "Strided");
  CHECK(values[1].id == 7);
  CHECK(values[2].id == std::numeric_limits<std::int32_t>::min());
  CHECK(model.find("Layout") == 2U);
  CHECK_FALSE(model.find("Nothing"));
}

TEST_CASE("the smallest schema has no types") {
  const Model model = resolved(kHead + "types: {}\n");
  CHECK(model.types.empty());
  CHECK(model.roots.empty());
}

TEST_CASE("a type expression keeps its shape") {
  for (const char* text :
       {"bool", "int", "float", "str", "bytes", "Any", "Tuple[()]", "List[int]", "Dict[str, float]",
        "Optional[List[Dict[str, List[Tuple[()]]]]]", "Dict[str, Dict[str, Any]]", "Optional[Any]"}) {
    INFO(text);
    CHECK(only_type(text) == text);
  }
  CHECK(only_type("List[S]") == "List[S]");
  CHECK(only_type("Dict[str, A]") == "Dict[str, A]");
  CHECK(only_field("a: {id: 10, type: \"List[S]\"}").type.args.at(0).named == 1);
}

TEST_CASE("blanks within a type expression mean nothing") {
  CHECK(only_type(" Dict [str,List[ int ]]  ") == "Dict[str, List[int]]");
  CHECK(only_type("Tuple [ ( ) ]") == "Tuple[()]");
}

TEST_CASE("a type expression in block style needs no quotes") {
  const Model model =
      resolved(kHead + "types:\n  A:\n    kind: struct\n    fields:\n      a:\n        id: 10\n" +
               "        type: Dict[str, List[int]]\n");
  CHECK(spelled(model, model.types[0].fields[0].type) == "Dict[str, List[int]]");
}

TEST_CASE("a default has the type of its field") {
  const auto fallback = [](const std::string& field) {
    const Field result = only_field(field);
    REQUIRE(result.fallback);
    return *result.fallback;
  };
  CHECK(std::get<bool>(fallback("a: {id: 10, type: bool, default: true}")));
  CHECK(std::get<std::int64_t>(fallback("a: {id: 10, type: int, default: -1}")) == -1);
  CHECK(std::get<double>(fallback("a: {id: 10, type: float, default: 0.1}")) == 0.1);
  CHECK(std::get<std::string>(fallback("a: {id: 10, type: str, default: word}")) == "word");
  CHECK(std::get<std::string>(fallback("a: {id: 10, type: str, default: \"12\"}")) == "12");
  CHECK(std::get<std::string>(fallback("a: {id: 10, type: str, default: \"\"}")).empty());
  CHECK(std::get<generator::ListLiteral>(fallback("a: {id: 10, type: \"List[S]\", default: []}"))
            .items.empty());
  CHECK(std::get<generator::MapLiteral>(fallback("a: {id: 10, type: \"Dict[str, S]\", default: {}}"))
            .entries.empty());
  CHECK(
      std::holds_alternative<std::monostate>(fallback("a: {id: 10, type: \"Optional[S]\", default: null}")));
}

TEST_CASE("a default of a struct takes the defaults of the fields that it leaves out, however deep") {
  const auto default_of_a = [](const std::string& written) {
    const Model model =
        resolved(kHead + "types:\n  A:\n    kind: struct\n    fields:\n      a: {id: 10, " + written +
                 "}\n"
                 "  P: {kind: struct, fields: {x: {id: 1, type: int}, y: {id: 2, type: Q, "
                 "default: {n: 5}}}}\n"
                 "  Q: {kind: struct, fields: {n: {id: 1, type: int}, s: {id: 2, type: "
                 "\"List[str]\", default: [\"d\"]}}}\n"
                 "  U: {kind: union, fields: {p: {id: 1, type: P}, n: {id: 2, type: int}}}\n");
    return spelled(*model.types[0].fields[0].fallback);
  };
  CHECK(default_of_a("type: P, default: {x: 1}") == "{x: 1, y: {n: 5, s: [\"d\"]}}");
  CHECK(default_of_a("type: P, default: {y: {s: [], n: 2}, x: 1}") == "{x: 1, y: {n: 2, s: []}}");
  CHECK(default_of_a("type: P, boxed: true, default: {x: 1}") == "{x: 1, y: {n: 5, s: [\"d\"]}}");
  CHECK(default_of_a("type: \"Dict[str, List[Q]]\", default: {a b: [{n: 1}], \"\": []}") ==
        "{\"a b\": [{n: 1, s: [\"d\"]}], \"\": []}");
  CHECK(default_of_a("type: U, default: {p: {x: -1}}") == "{p: {x: -1, y: {n: 5, s: [\"d\"]}}}");
}

TEST_CASE("defaults that a short schema makes endless are refused") {
  std::string text = kHead + "types:\n  T0: {kind: struct, fields: {x: {id: 1, type: int, default: 0}}}\n";
  for (int i = 1; i < 70; ++i) {
    const std::string field = "type: T" + std::to_string(i - 1) + ", default: {}}";
    text += "  T" + std::to_string(i) + ": {kind: struct, fields: {a: {id: 1, " + field + ", b: {id: 2, " +
            field + "}}\n";
  }
  generator::Diagnostics diagnostics("s.yaml", text);
  CHECK_FALSE(generator::load_model(diagnostics, generator::rule_ids()));
  CHECK(diagnostics.render().find("more than 100000 values in all defaults") != std::string::npos);
  CHECK(diagnostics.all().size() == 1);
}

TEST_CASE("an integer literal is a float where the field is one") {
  CHECK(std::get<double>(*only_field("a: {id: 10, type: float, default: 0}").fallback) == 0.0);
  CHECK(std::get<double>(*only_field("a: {id: 10, type: float, default: -3}").fallback) == -3.0);
}

TEST_CASE("numbers of other sizes have defaults in their range, and int64 is int") {
  CHECK(only_type("int64") == "int");
  CHECK(only_type("List[int64]") == "List[int]");
  for (const char* const text : {"int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32",
                                 "Dict[str, List[uint8]]"}) {
    INFO(text);
    CHECK(only_type(text) == text);
  }
  const auto fallback = [](const std::string& type, const std::string& value) {
    return only_field("a: {id: 10, type: " + type + ", default: " + value + "}").fallback.value();
  };
  CHECK(std::get<std::int64_t>(fallback("int8", "-128")) == -128);
  CHECK(std::get<std::int64_t>(fallback("uint32", "4294967295")) == 4294967295);
  CHECK(std::get<std::int64_t>(fallback("uint64", "9223372036854775807")) == 9223372036854775807);
  CHECK(std::get<std::uint64_t>(fallback("uint64", "18446744073709551615")) == 18446744073709551615U);
  CHECK(std::get<float>(fallback("float32", "0.1")) == 0.1F);
  CHECK(std::get<float>(fallback("float32", "16777217")) == 16777216.0F);
  CHECK(spelled(fallback("float32", "0.10000000149")) == "0.1");
  CHECK(spelled(fallback("uint64", "18446744073709551615")) == "18446744073709551615");
}

TEST_CASE("a default of an enum is a member, also of an enum declared later and with an odd name") {
  const auto member = std::get<EnumMember>(*only_field("a: {id: 10, type: E, default: Yes}").fallback);
  CHECK(member.name == "Yes");
  CHECK(member.number == -1);
  const Model later = resolved(kHead +
                               "types:\n  A: {kind: struct, fields: {a: {id: 1, type: L, default: M}}}\n"
                               "  L: {kind: enum, fields: {M: 7}}\n");
  CHECK(std::get<EnumMember>(*later.types[0].fields[0].fallback).number == 7);
}

TEST_CASE("a name may be any identifier, keywords of C++ included") {
  const Model model = resolved(with_fields("class: {id: 10, type: str}\n_x9: {id: 20, type: str}\n"));
  CHECK(model.types[2].fields[0].name == "class");
}

TEST_CASE("the line endings do not matter") {
  std::string text = with_fields("a: {id: 10, type: \"List[int]\", default: []}");
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(resolved(crlf).types.size() == resolved(text).types.size());
}

TEST_CASE("keywords of C++ are known from the first to the last") {
  for (const char* word : {"alignas", "and", "char8_t", "class", "co_await", "const_cast", "consteval",
                           "default", "int", "namespace", "not_eq", "static_assert", "union", "xor_eq"}) {
    INFO(word);
    CHECK(generator::is_cpp_keyword(word));
  }
  for (const char* word : {"", "Class", "classes", "override", "final", "string", "zzz"}) {
    INFO(word);
    CHECK_FALSE(generator::is_cpp_keyword(word));
  }
}

TEST_CASE("an id used twice shows both places and the next free id") {
  CHECK(check(with_fields("index: {id: 20, type: int}\nordinal: {id: 20, type: int}")).render() ==
        "s.yaml:10:21: error: id 20 is used twice in 'A'\n"
        "   10 |       ordinal: {id: 20, type: int}\n"
        "      |                     ^~\n"
        "s.yaml:9:19: note: first used by 'index' here\n"
        "    9 |       index: {id: 20, type: int}\n"
        "      |                   ^~\n"
        "hint: the next free id is 30\n");
}

TEST_CASE("an error within a type stands under its part of the text") {
  CHECK(check(with_fields("a: {id: 10, type: \"List[Dict[str, Devise]]\"}\nDevice: {id: 20, type: S}"))
            .render() ==
        "s.yaml:9:41: error: unknown type 'Devise'\n"
        "    9 |       a: {id: 10, type: \"List[Dict[str, Devise]]\"}\n"
        "      |                                         ^~~~~~\n");
}

TEST_CASE("a containment cycle shows its path, its places and what can be boxed") {
  CHECK(check(kHead + "types:\n"
                      "  Graph: {kind: struct, fields: {node: {id: 10, type: Node}}}\n"
                      "  Node: {kind: struct, fields: {graph: {id: 10, type: \"Optional[Graph]\"}}}\n")
            .render() ==
        "s.yaml:5:33: error: 'Graph' contains itself by value: Graph -> Node -> Graph\n"
        "    5 |   Node: {kind: struct, fields: {graph: {id: 10, type: \"Optional[Graph]\"}}}\n"
        "      |                                 ^~~~~\n"
        "s.yaml:4:34: note: 'Graph' holds 'Node' here\n"
        "    4 |   Graph: {kind: struct, fields: {node: {id: 10, type: Node}}}\n"
        "      |                                  ^~~~\n"
        "hint: put 'boxed: true' on Graph.node or Node.graph\n");
}

TEST_CASE("a scalar of another YAML version says how to write it") {
  CHECK(check(with_fields("a: {id: 012, type: str}\nb: {id: 20, type: bool, default: yes}")).render() ==
        "s.yaml:9:15: error: 'id' must be an integer, not '012'\n"
        "    9 |       a: {id: 012, type: str}\n"
        "      |               ^~~\n"
        "hint: write 12, or 10 if you meant octal\n"
        "s.yaml:10:40: error: the default of 'A.b' must be true or false, not 'yes'\n"
        "   10 |       b: {id: 20, type: bool, default: yes}\n"
        "      |                                        ^~~\n"
        "hint: write true\n");
}

TEST_CASE("the middle of a long cycle is left out") {
  std::string text = kHead + "types:\n";
  for (int i = 0; i < 40; ++i) {
    const std::string next = "T" + std::to_string((i + 1) % 40);
    text += "  T" + std::to_string(i) +
            ": {kind: union, fields: {n: {id: 1, type: int}, t: {id: 2, type: " + next + "}}}\n";
  }
  const Diagnostics diagnostics = check(text);
  REQUIRE(diagnostics.all().size() == 1);
  const Diagnostic& only = diagnostics.all()[0];
  CHECK(only.message ==
        "'T0' contains itself by value: T0 -> T1 -> T2 -> T3 -> T4 -> T5 -> T6 -> T7 -> T8 -> T9 -> ... -> "
        "T30 -> "
        "T31 -> T32 -> T33 -> T34 -> T35 -> T36 -> T37 -> T38 -> T39 -> T0");
  CHECK(only.notes.size() == 19);
}

TEST_CASE("types nested too deep give an error and no crash") {
  const auto nested = [](std::size_t depth) {
    std::string type;
    for (std::size_t i = 0; i < depth; ++i) type += "List[";
    return with_fields("a: {id: 10, type: \"" + type + "int" + std::string(depth, ']') + "\"}");
  };
  CHECK_FALSE(check(nested(64)).has_errors());
  const Diagnostics deep = check(nested(65));
  REQUIRE(deep.all().size() == 1);
  CHECK(deep.all()[0].message == "types are nested more than 64 levels deep");
  CHECK(check(nested(100000)).all().size() == 1);
}

TEST_CASE("a node that was refused causes no second message") {
  const Diagnostics diagnostics = check(kHead +
                                        "types:\n"
                                        "  A: &a {kind: struct, fields: {}}\n"
                                        "  B: *a\n"
                                        "  C:\n"
                                        "    kind: *a\n"
                                        "    fields: *a\n"
                                        "  D:\n"
                                        "    kind: struct\n"
                                        "    fields: {x: *a, y: {id: *a, type: *a, default: *a, boxed: *a}}\n"
                                        "    reserved: {ids: [*a], names: *a}\n");
  REQUIRE(diagnostics.all().size() == 11);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    CHECK(diagnostic.message.find("not part of the schema language") != std::string::npos);
  }
}

TEST_CASE("a syntax error is not followed by messages about what could not be read") {
  CHECK(check("types: {A: [}\n").all().size() == 1);
  CHECK(check("").all().size() == 1);
}

TEST_CASE("where no id is free none is suggested") {
  std::string text = kHead + "types:\n  A:\n    kind: struct\n    fields:\n";
  for (int i = 1; i <= 32767; ++i) {
    if (i == 7) continue;
    text += "      f" + std::to_string(i) + ": {id: " + std::to_string(i) + ", type: int}\n";
  }
  const Diagnostics diagnostics = check(text + "      a: {id: 1, type: int}\n      b: {id: 1, type: int}\n");
  REQUIRE(diagnostics.all().size() == 2);
  CHECK(diagnostics.all()[0].hint == "the next free id is 7");
  CHECK(diagnostics.all()[1].hint.empty());
}

TEST_CASE("a large bad schema is refused in reasonable time") {
  std::string text = kHead + "types:\n";
  for (int i = 0; i < 5000; ++i) {
    const std::string number = std::to_string(i);
    text += "  Type" + number + ": {kind: struct, fields: {a: {id: 10, type: Typo" + number +
            "}, b: {id: 10, type: x" + number + "}}}\n";
  }
  CHECK(check(text).all().size() == 15000);
}

namespace {

struct Expectation {
  std::size_t line = 0;
  std::string severity;
  std::string message;
  std::string column;
  std::string hint;
};

std::string text_of(const Expectation& e) {
  return std::to_string(e.line) + ": " + e.severity + ": " + e.message +
         (e.column.empty() ? "" : " (column " + e.column + ")") +
         (e.hint.empty() ? "" : " (hint: " + e.hint + ")");
}

/// A line's comments: `# error: M` and `# note: M`, after an error also `# column: N` and `# hint: H`.
void add_expectations(const std::string& line, std::size_t number, std::vector<Expectation>& out) {
  const std::vector<std::string> labels = {"error", "note", "column", "hint"};
  const auto next_label = [&](std::size_t from) {
    std::pair<std::size_t, std::string> next{std::string::npos, ""};
    for (const std::string& label : labels) {
      const std::size_t at = line.find("# " + label + ": ", from);
      if (at < next.first) next = {at, label};
    }
    return next;
  };
  for (auto [at, label] = next_label(0); at != std::string::npos;) {
    const std::size_t begin = at + label.size() + 4;
    const auto [end, next] = next_label(begin);
    std::string text = line.substr(begin, end == std::string::npos ? end : end - begin);
    text.erase(text.find_last_not_of(' ') + 1);
    if (label == "column") {
      REQUIRE_FALSE(out.empty());
      out.back().column = text;
    } else if (label == "hint") {
      REQUIRE_FALSE(out.empty());
      out.back().hint = text;
    } else {
      out.push_back({number, label, text, "", ""});
    }
    at = end;
    label = next;
  }
}

std::vector<Expectation> expectations(const std::string& text) {
  std::vector<Expectation> out;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) add_expectations(line, ++number, out);
  return out;
}

std::vector<Expectation> messages(const std::string& text) {
  std::vector<Expectation> out;
  const Diagnostics diagnostics = check(text);
  for (const Diagnostic& d : diagnostics.all()) {
    const bool is_error = d.severity == generator::Severity::error;
    out.push_back(
        {d.span.line, is_error ? "error" : "warning", d.message, std::to_string(d.span.column), d.hint});
    for (const auto& note : d.notes) out.push_back({note.span.line, "note", note.message, "", ""});
  }
  return out;
}

bool meets(const Expectation& actual, const Expectation& expected) {
  return actual.line == expected.line && actual.severity == expected.severity &&
         actual.message == expected.message &&
         (expected.column.empty() || actual.column == expected.column) &&
         (expected.hint.empty() || actual.hint == expected.hint);
}

std::string differences(std::vector<Expectation> actual, const std::vector<Expectation>& expected) {
  std::string out;
  for (const Expectation& wanted : expected) {
    const auto found =
        std::find_if(actual.begin(), actual.end(), [&](const Expectation& e) { return meets(e, wanted); });
    if (found == actual.end())
      out += "missing     " + text_of(wanted) + "\n";
    else
      actual.erase(found);
  }
  for (const Expectation& left : actual) out += "unexpected  " + text_of(left) + "\n";
  return out;
}

}  // namespace

TEST_CASE("every bad schema gets exactly the messages that its comments say") {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(PT2_SOURCE_DIR) / "tests" / "bad")) {
    if (entry.path().extension() == ".yaml") files.insert(entry.path());
  }
  CHECK(files.size() >= 70);
  for (const fs::path& path : files) {
    const std::string text = read_file(path);
    const std::vector<Expectation> expected = expectations(text);
    INFO(path.filename().string());
    CHECK_FALSE(expected.empty());
    CHECK(differences(messages(text), expected) == "");
  }
}

TEST_CASE("every schema in the folder of schemas is good") {
  const fs::path folder = fs::path(PT2_SOURCE_DIR) / "schema";
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    INFO(entry.path().filename().string());
    CHECK(check(read_file(entry.path())).render() == "");
  }
  CHECK(count > 0);
}
