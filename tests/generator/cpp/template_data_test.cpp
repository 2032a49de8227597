#include "cpp/template_data.h"

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/resolve.h"

using generator::TemplateData;

namespace {

TemplateData data_of(const std::string& types, const std::string& name_space = "n") {
  generator::Diagnostics diagnostics("s.yaml", "name: s\nversion: {major: 2, minor: 5}\n" + types);
  const auto model = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model.has_value());
  return template_data(*model, name_space);
}

const TemplateData::Value& value(const TemplateData& data, const std::string& name) {
  for (const auto& [entry, found] : data.entries) {
    if (entry == name) return found;
  }
  FAIL("no entry " << name);
  return data.entries.front().second;
}

std::string text(const TemplateData& data, const std::string& name) {
  return std::get<std::string>(value(data, name));
}

const TemplateData::List& list(const TemplateData& data, const std::string& name) {
  return std::get<TemplateData::List>(value(data, name));
}

const TemplateData& type(const TemplateData& data, const std::string& name) {
  for (const char* const kind : {"types", "enums"}) {
    for (const TemplateData& one : list(data, kind)) {
      if (text(one, "name") == name) return one;
    }
  }
  FAIL("no type " << name);
  return data;
}

std::vector<std::string> all(const TemplateData::List& items, const std::string& name) {
  std::vector<std::string> result;
  for (const TemplateData& one : items) result.push_back(text(one, name));
  return result;
}

TemplateData field(const std::string& yaml) {
  const TemplateData data = data_of(
      "types:\n  E: {kind: enum, fields: {RED: 0, BLUE: -7, class: 3}}\n"
      "  S: {kind: struct, fields: {x: {id: 1, type: int}}}\n"
      "  A:\n    kind: struct\n    fields:\n      f: {id: 7, " +
      yaml + "}\n");
  return list(type(data, "A"), "fields")[0];
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("types are spelled in C++") {
  const std::pair<const char*, const char*> vectors[] = {
      {"bool", "bool"},
      {"int", "std::int64_t"},
      {"float", "double"},
      {"str", "std::string"},
      {"bytes", "schemagen::Bytes"},
      {"Tuple[()]", "schemagen::Unit"},
      {"Any", "schemagen::Json"},
      {"E", "E"},
      {"S", "S"},
      {"List[List[S]]", "std::vector<std::vector<S>>"},
      {"Dict[str, List[bytes]]", "schemagen::Map<std::vector<schemagen::Bytes>>"},
      {"Dict[int, List[bytes]]", "schemagen::Map<std::vector<schemagen::Bytes>, std::int64_t>"},
      {"Dict[E, E]", "schemagen::Map<E, E>"},
      {"Optional[Dict[str, E]]", "std::optional<schemagen::Map<E>>"},
  };
  for (const auto& [schema, cpp] : vectors) {
    CHECK(text(field("type: \"" + std::string(schema) + "\""), "type") == cpp);
  }
  CHECK(text(field("type: S, boxed: true"), "type") == "schemagen::Box<S>");
  CHECK(text(field("type: \"Optional[S]\", boxed: true"), "type") == "std::optional<schemagen::Box<S>>");
}

TEST_CASE("every scalar has an initializer, and a default is a literal of C++") {
  const std::pair<const char*, const char*> vectors[] = {
      {"type: bool", " = false"},
      {"type: int", " = 0"},
      {"type: float", " = 0.0"},
      {"type: str", ""},
      {"type: E", "{}"},
      {"type: S", ""},
      {"type: \"Optional[int]\"", ""},
      {"type: \"Optional[int]\", default: null", ""},
      {"type: bool, default: true", " = true"},
      {"type: int, default: -5", " = -5"},
      {"type: int, default: -9223372036854775808", " = -9223372036854775807 - 1"},
      {"type: int, default: 9223372036854775807", " = 9223372036854775807"},
      {"type: float, default: 2", " = 2.0"},
      {"type: float, default: -0.0", " = -0.0"},
      {"type: float, default: 1e300", " = 1e+300"},
      {"type: float, default: 0.1", " = 0.1"},
      {"type: E, default: BLUE", " = E::BLUE"},
      {"type: E, default: class", " = E::class_"},
      {"type: \"List[int]\", default: []", ""},
      {"type: \"Dict[str, int]\", default: {}", ""},
      {R"(type: str, default: "")", " = \"\""},
      {R"(type: str, default: "a\"\\b")", R"( = "a\"\\b")"},
      {R"(type: str, default: "\n\x01f\x7f")", R"( = "\n\001f\177")"},
      {R"(type: str, default: "é7")", R"( = "\303\2517")"},
      {R"(type: str, default: "\r\u2028\u0085")", R"( = "\015\342\200\250\302\205")"},
      {"type: str, default: \"what?\?/ ?\"", R"( = "what?\?/ ?")"},
      {"type: str, default: \"?\?\?\"", R"( = "?\?\?")"},
      {R"(type: str, default: "a\0b")", R"( = std::string("a\000b", 3))"},
  };
  for (const auto& [schema, cpp] : vectors) {
    CAPTURE(schema);
    CHECK(text(field(schema), "initializer") == cpp);
  }
}

TEST_CASE("a field without default is required, one that is null by default can be left out") {
  struct Case {
    const char* schema;
    const char* required;
    bool is_omittable;
  };
  for (const Case& c : {Case{"type: int", "true", false}, Case{"type: int, default: 1", "false", false},
                        Case{"type: \"Optional[int]\"", "true", false},
                        Case{"type: \"Optional[int]\", default: null", "false", true}}) {
    const TemplateData data = field(c.schema);
    CHECK(text(data, "required") == c.required);
    CHECK(std::get<bool>(value(data, "is_omittable")) == c.is_omittable);
  }
}

TEST_CASE("names that C++ has other plans for get an underscore, those that would then be the same another") {
  const TemplateData data = data_of(R"(
constants: {kSchemaName: 1, Color: 2, NULL: 3, ANSWER: 42}
types:
  NULL: {kind: enum, fields: {class: 1, class_: 2, RED: 3, EOF: 4, EOF_: 5}}
  NULL_: {kind: struct, fields: {}}
  Color: {kind: struct, fields: {}}
  Kind:
    kind: union
    fields:
      get: {id: 1, type: int}
      get_: {id: 2, type: int}
      unset: {id: 3, type: int}
      Kind: {id: 4, type: int}
      major: {id: 5, type: int}
      plain: {id: 6, type: int}
  Fields:
    kind: struct
    fields:
      class: {id: 1, type: int}
      Color: {id: 2, type: Color}
      Color_: {id: 3, type: int}
      errno: {id: 4, type: int}
      major: {id: 5, type: int}
      std: {id: 6, type: int}
      schemagen: {id: 7, type: int}
      renamed: {id: 8, type: int, cpp_name: another}
      get: {id: 9, type: int}
)");
  CHECK(all(list(data, "constants"), "name") == Names{"kSchemaName_", "Color_", "NULL_3", "ANSWER"});
  CHECK(all(list(data, "types"), "name") == Names{"NULL_", "Color", "Kind_", "Fields"});
  CHECK(all(list(type(data, "NULL_2"), "values"), "name") ==
        Names{"class_2", "class_", "RED", "EOF_2", "EOF_"});
  CHECK(all(list(type(data, "Kind_"), "fields"), "name") ==
        Names{"get_2", "get_", "unset_", "Kind_2", "major_", "plain"});
  CHECK(all(list(type(data, "Fields"), "fields"), "name") ==
        Names{"class_", "Color_2", "Color_", "errno_", "major", "std_", "schemagen_", "another", "get"});
  CHECK(text(type(data, "Kind_"), "schema_name") == "Kind");
  CHECK(all(list(type(data, "Fields"), "fields"), "schema_name") ==
        Names{"class", "Color", "Color_", "errno", "major", "std", "schemagen", "renamed", "get"});
}

TEST_CASE("types come in an order that C++ can define them in, enums apart") {
  const TemplateData data = data_of(R"(
types:
  A: {kind: struct, fields: {b: {id: 1, type: B}, c: {id: 2, type: "List[A]"}}}
  B: {kind: union, fields: {d: {id: 1, type: D}, e: {id: 2, type: E}}}
  E: {kind: enum, fields: {X: 0}}
  D: {kind: struct, fields: {a: {id: 1, type: "Optional[A]", default: null, boxed: true}}}
)");
  CHECK(all(list(data, "types"), "name") == Names{"D", "B", "A"});
  CHECK(all(list(data, "unions"), "name") == Names{"B"});
  CHECK(all(list(data, "enums"), "name") == Names{"E"});
}

TEST_CASE("docs are comments of at most 100 columns, which do not take the next line with them") {
  const std::string long_word(120, 'w');
  const auto doc = [](const std::string& yaml) {
    return text(field("type: int, doc: \"" + yaml + "\""), "doc");
  };
  CHECK(text(field("type: int"), "doc").empty());
  CHECK(doc("Short.") == "  /// Short.\n");
  CHECK(doc("two  spaces\\n\\nand lines") == "  /// two spaces\n  /// and lines\n");
  CHECK(doc(long_word + " x") == "  /// " + long_word + "\n  /// x\n");
  std::string words;
  for (int i = 0; i < 60; ++i) words += "word ";
  const std::string wrapped = doc(words);
  CHECK(wrapped.find('\n') <= 100);
  CHECK(wrapped.find('\n') > 90);
  CHECK(doc("ends in \\\\") == "  /// ends in \\.\n");
  CHECK(doc("a \\\\\\nb") == "  /// a \\.\n  /// b\n");
  CHECK(doc("a \\\\\\t\\nb\\tc") == "  /// a \\.\n  /// b c\n");
  CHECK(doc("what?\?/") == "  /// what?\?/.\n");
  CHECK(doc("what?\?/ now") == "  /// what?\?/ now\n");
  CHECK(text(field("type: int, doc: D., since: \"2.1\", deprecated: why"), "doc") ==
        "  /// D.\n  /// Since 2.1.\n  /// Deprecated: why\n");
}

TEST_CASE("the tag of a union has 16 bits if its members are many") {
  std::string yaml =
      "types:\n  Short: {kind: union, fields: {a: {id: 1, type: int}, b: {id: 2, type: str}}}\n  Long:\n    "
      "kind: union\n    fields:\n";
  for (int i = 1; i <= 300; ++i)
    yaml += "      m" + std::to_string(i) + ": {id: " + std::to_string(i) + ", type: \"List[int]\"}\n";
  const TemplateData data = data_of(yaml);
  CHECK(text(type(data, "Short"), "tag_type") == "std::uint8_t");
  CHECK(text(type(data, "Long"), "tag_type") == "std::uint16_t");
}

TEST_CASE("the data has the schema's name, version, namespace and hash") {
  const TemplateData data = data_of("types: {A: {kind: struct, fields: {}}}", "a::b");
  CHECK(text(data, "schema") == "s");
  CHECK(text(data, "namespace") == "a::b");
  CHECK(text(data, "major") == "2");
  CHECK(text(data, "minor") == "5");
  const std::string hash = text(data, "hash");
  CHECK(hash.substr(0, 7) == "sha256:");
  const std::string bytes = text(data, "hash_bytes");
  CHECK(bytes.substr(0, 4) == "0x" + hash.substr(7, 2));
  CHECK(std::count(bytes.begin(), bytes.end(), 'x') == 32);
}
