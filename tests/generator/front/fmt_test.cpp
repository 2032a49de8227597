#include "front/fmt.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "evolution/compat.h"
#include "generator/torch_exports.h"
#include "model/model.h"

using generator::Diagnostics;

namespace {

const std::string kHead = "name: s\nversion: {major: 1, minor: 0}\n";

std::string fmt(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  const auto result = generator::formatted(diagnostics, generator::rule_ids());
  INFO(text);
  INFO(diagnostics.render());
  REQUIRE(result);
  Diagnostics again("s.yaml", *result);
  CHECK(generator::formatted(again, generator::rule_ids()) == *result);
  return *result;
}

std::string types(const std::string& text) {
  const std::string head = kHead + "types:\n";
  const std::string result = fmt(head + text);
  REQUIRE(result.substr(0, head.size()) == head);
  return result.substr(head.size());
}

std::string refusal(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  CHECK_FALSE(generator::formatted(diagnostics, generator::rule_ids()));
  CHECK(diagnostics.has_errors());
  return diagnostics.render();
}

std::string field(const std::string& keys) {
  const std::string result = types("  A:\n    kind: struct\n    fields:\n      f: {" + keys +
                                   "}\n\n  E:\n    kind: enum\n    fields: {x: 0, \"null\": 1}\n");
  const std::string before = "  A:\n    kind: struct\n    fields:\n      f: {";
  REQUIRE(result.substr(0, before.size()) == before);
  return result.substr(before.size(), result.find("}\n") - before.size());
}

}  // namespace

TEST_CASE("every schema that is checked in is in the layout") {
  namespace fs = std::filesystem;
  std::size_t count = 0;
  for (const auto& file : fs::recursive_directory_iterator(std::string(PT2_SOURCE_DIR) + "/schema")) {
    if (file.path().extension() != ".yaml") continue;
    INFO(file.path());
    const std::string text =
        file_text(fs::relative(file.path(), std::string(PT2_SOURCE_DIR)).generic_string());
    Diagnostics diagnostics("s.yaml", text);
    CHECK(generator::formatted(diagnostics, generator::rule_ids()) == text);
    ++count;
  }
  CHECK(count >= 14);
}

TEST_CASE("keys come in one order and types keep theirs") {
  CHECK(fmt("types:\n"
            "  B:\n"
            "    reserved: {names: [old], ids: [3, 2]}\n"
            "    fields:\n"
            "      z:\n"
            "        doc: Text.\n"
            "        cpp_name: zz\n"
            "        deprecated: use a\n"
            "        since: '1.2'\n"
            "        boxed: true\n"
            "        default: null\n"
            "        type: Optional[A]\n"
            "        id: 1\n"
            "    doc: Words.\n"
            "    kind: struct\n"
            "  A: {fields: {}, kind: struct}\n"
            "roots:\n"
            "- B\n"
            "- A\n"
            "constants:\n"
            "  M: 2\n"
            "  L: 1\n"
            "version:\n"
            "  minor: 0\n"
            "  major: 1\n"
            "name: \"s\"\n") ==
        "name: s\n"
        "version: {major: 1, minor: 0}\n"
        "constants: {M: 2, L: 1}\n"
        "roots: [B, A]\n"
        "types:\n"
        "  B:\n"
        "    kind: struct\n"
        "    doc: Words.\n"
        "    fields:\n"
        "      z:\n"
        "        id: 1\n"
        "        type: \"Optional[A]\"\n"
        "        default: null\n"
        "        boxed: true\n"
        "        since: \"1.2\"\n"
        "        deprecated: use a\n"
        "        cpp_name: zz\n"
        "        doc: Text.\n"
        "    reserved: {ids: [2, 3], names: [old]}\n"
        "\n"
        "  A:\n"
        "    kind: struct\n"
        "    fields: {}\n");
}

TEST_CASE("a schema written as JSON is a schema") {
  CHECK(
      fmt(R"({"name": "s", "version": {"major": 1, "minor": 0}, "types": {"E": {"kind": "enum", "fields": {"no": 1}}}})") ==
      kHead + "types:\n  E:\n    kind: enum\n    fields: {no: 1}\n");
}

TEST_CASE("a field is on one line up to one hundred columns") {
  const std::string before = "  A:\n    kind: struct\n    fields:\n";
  const std::string start = "      f: {id: 1, type: str, doc: ";
  const std::string fits(100 - start.size() - 1, 'x');
  CHECK(types(before + start + fits + "}\n") == before + start + fits + "}\n");
  CHECK(types(before + start + fits + "x}\n") ==
        before + "      f:\n        id: 1\n        type: str\n        doc: " + fits + "x\n");
}

TEST_CASE("columns are characters and not bytes") {
  const std::string before = "  A:\n    kind: struct\n    fields:\n";
  const std::string start = "      f: {id: 1, type: str, doc: \"";
  std::string fits;
  for (std::size_t i = 0; i < 100 - start.size() - 2; ++i) fits += "é";
  CHECK(types(before + start + fits + "\"}\n") == before + start + fits + "\"}\n");
}

TEST_CASE("a doc of several lines starts on a new line, in a type and in a field") {
  const std::string types_before =
      "  A:\n    kind: struct\n    doc: |\n      One: 1.\n\n        - two # no comment\n    fields:\n"
      "      a:\n        id: 10\n        type: int\n        doc: |-\n          First.\n          Second.\n";
  CHECK(types(types_before) == types_before);
  CHECK(
      types(
          "  A:\n    kind: struct\n    fields:\n      a: {id: 10, doc: \"First.\\nSecond.\", type: int}\n") ==
      "  A:\n    kind: struct\n    fields:\n" + types_before.substr(types_before.find("      a:")));
  for (const char* text : {" a\\nb", "a \\nb", "a\\nb\\n\\n", "\\na", "a\\n\\tb", "a\\n"}) {
    INFO(text);
    CHECK(field("id: 1, type: int, doc: \"" + std::string(text) + "\"") ==
          "id: 1, type: int, doc: \"" + std::string(text) + "\"");
  }
}

TEST_CASE("text is in quotes unless it is letters, digits and a few signs") {
  CHECK(field("id: 1, type: int, doc: 'plain (text); it''s = a/b+c<d>e^f~g$h-i.'") ==
        "id: 1, type: int, doc: plain (text); it's = a/b+c<d>e^f~g$h-i.");
  for (const char* text : {"a: b", "a, b", "a#b", "1st", "a*b", "[a]", " a", "a ", "Yes", "null", "y", "é"}) {
    INFO(text);
    CHECK(field("id: 1, type: int, doc: '" + std::string(text) + "'") ==
          "id: 1, type: int, doc: \"" + std::string(text) + "\"");
  }
  CHECK(field("id: 1, type: int, doc: \"a\\tb\\\\\\\"\\n\"") ==
        "id: 1, type: int, doc: \"a\\tb\\\\\\\"\\n\"");
  CHECK(field("id: 1, type: str, default: \"\\x7f\\e\\N\\L\\u202E\"") ==
        "id: 1, type: str, default: \"\\u007f\\u001b\\u0085\\u2028\\u202e\"");
}

TEST_CASE("types and defaults have one spelling") {
  CHECK(field("id: 1, type: \"Dict[ str,List[Tuple[()]] ]\"") ==
        "id: 1, type: \"Dict[str, List[Tuple[()]]]\"");
  CHECK(field("id: 1, type: 'str', default: abc") == "id: 1, type: str, default: \"abc\"");
  CHECK(field("id: 1, type: float, default: 1") == "id: 1, type: float, default: 1.0");
  for (const char* type : {"float", "float32"}) {
    for (const char* value : {".nan", ".inf", "-.inf"}) {
      const std::string text = std::string("id: 1, type: ") + type + ", default: " + value;
      CHECK(field(text) == text);
    }
  }
  CHECK(field("id: 1, type: float, default: -1.50E+20") == "id: 1, type: float, default: -1.5e+20");
  CHECK(field("id: 1, type: int, default: -0") == "id: 1, type: int, default: 0");
  CHECK(field("id: 1, type: bool, default: true") == "id: 1, type: bool, default: true");
  CHECK(field("id: 1, type: E, default: 'x'") == "id: 1, type: E, default: x");
  CHECK(field("id: 1, type: E, default: \"null\"") == "id: 1, type: E, default: \"null\"");
  CHECK(field("id: 1, type: \"List[int]\", default: [ ]") == "id: 1, type: \"List[int]\", default: []");
}

TEST_CASE("the values in a default stay as they are, on one line") {
  CHECK(field("type: 'List[str]', default: [ 'b', c, \"d e\", f g, \"no\"], id: 1") ==
        "id: 1, type: \"List[str]\", default: [\"b\", c, \"d e\", \"f g\", \"no\"]");
  CHECK(field("id: 1, type: 'Dict[str, List[int]]', default: {  a: [1,-2],\"b c\": [ ], \"7\": []  }") ==
        "id: 1, type: \"Dict[str, List[int]]\", default: {a: [1, -2], \"b c\": [], \"7\": []}");
  CHECK(field("id: 1, type: 'List[E]', default: [x, \"null\"]") ==
        "id: 1, type: \"List[E]\", default: [x, \"null\"]");
}

TEST_CASE("what says nothing is left out") {
  CHECK(fmt("name: s\nversion: {major: 1, minor: 0}\nconstants: {}\nroots: []\n"
            "types: {A: {kind: struct, doc: '', fields: {a: {id: 1, type: A2, boxed: false, doc: ''}},"
            " reserved: {ids: [], names: []}}, A2: {kind: struct, fields: {}}}\n") ==
        kHead +
            "types:\n  A:\n    kind: struct\n    fields:\n      a: {id: 1, type: A2}\n\n"
            "  A2:\n    kind: struct\n    fields: {}\n");
}

TEST_CASE("comments stay above and behind what they are about, also when that moves") {
  CHECK(fmt("# about the version\n"
            "version:   # behind version\n"
            "   minor: 0    # behind minor\n"
            "   # above major\n"
            "   major: 1\n"
            "name: s\n"
            "types: {}\n") ==
        "name: s\n"
        "# about the version\n"
        "version:  # behind version\n"
        "  # above major\n"
        "  major: 1\n"
        "  minor: 0  # behind minor\n"
        "types: {}\n");
}

TEST_CASE("a comment at the top that an empty line sets apart is about the file") {
  CHECK(fmt("# Licence\n#\n# more\n\n# about types\ntypes: {}\nname: s  # the name\nversion: {major: 1, "
            "minor: 0}\n") ==
        "# Licence\n#\n# more\n\nname: s  # the name\nversion: {major: 1, minor: 0}\n# about types\ntypes: "
        "{}\n");
}

TEST_CASE("a map with comments in it has one key per line") {
  CHECK(types("  A:\n"
              "    kind: struct\n"
              "    fields:\n"
              "      a: {type: int,  # sixty-four bits\n"
              "          # the first\n"
              "          id: 1}\n"
              "      b: {id: 2, type: int}   # in one\n"
              "  E:\n"
              "    kind: enum\n"
              "    fields: {x: 0, y: 1 # why\n"
              "      }\n") ==
        "  A:\n"
        "    kind: struct\n"
        "    fields:\n"
        "      a:\n"
        "        # the first\n"
        "        id: 1\n"
        "        type: int  # sixty-four bits\n"
        "      b: {id: 2, type: int}  # in one\n"
        "\n"
        "  E:\n"
        "    kind: enum\n"
        "    fields:\n"
        "      x: 0\n"
        "      y: 1  # why\n");
}

TEST_CASE("comments between types follow their indentation") {
  CHECK(types("  A:\n"
              "    kind: struct\n"
              "    fields:\n"
              "      a: {id: 1, type: int}\n"
              "        # behind a\n"
              "\n"
              "      # b: {id: 2, type: int}\n"
              "    # of A\n"
              "# between\n"
              "\n"
              "\n"
              "  # about B\n"
              "\n"
              "  B: {kind: struct, fields: {}}\n"
              "  # last of types\n"
              "# end of file\n") ==
        "  A:\n"
        "    kind: struct\n"
        "    fields:\n"
        "      a: {id: 1, type: int}\n"
        "      # behind a\n"
        "\n"
        "      # b: {id: 2, type: int}\n"
        "    # of A\n"
        "\n"
        "  # between\n"
        "\n"
        "  # about B\n"
        "\n"
        "  B:\n"
        "    kind: struct\n"
        "    fields: {}\n"
        "  # last of types\n"
        "# end of file\n");
}

TEST_CASE("comments in lists stay with their items") {
  CHECK(
      fmt(kHead +
          "roots: [B, # second\n"
          "  # first\n"
          "  A]\n"
          "types:\n"
          "  A:\n    kind: struct\n    fields: {}\n    reserved:\n      ids:\n      - 9 # nine\n      - 3\n\n"
          "  B:\n    kind: struct\n    fields: {}\n") ==
      kHead +
          "roots:\n"
          "  - B  # second\n"
          "  # first\n"
          "  - A\n"
          "types:\n"
          "  A:\n    kind: struct\n    fields: {}\n    reserved:\n      ids:\n        - 3\n        - 9  # "
          "nine\n\n"
          "  B:\n    kind: struct\n    fields: {}\n");
}

TEST_CASE("a number sign within text does not start a comment") {
  CHECK(types("  A:\n"
              "    kind: struct\n"
              "    doc: |  # in a block\n"
              "\n"
              "      # text\n"
              "        more\n"
              "\n"
              "      end\n"
              "\n"
              "    # about fields\n"
              "    fields:\n"
              "      a: {id: 1, type: int, doc: \"it's \\\" # text\"}\n"
              "      b: {id: 2, type: int, doc: 'it''s # text'}\n"
              "      c: {id: 3, type: int, doc: it's#text}  # 'not text'\n"
              "      d:\n"
              "        id: 4\n"
              "        type: int\n"
              "        doc: several\n"
              "          \"words\n"
              "\n"
              "          go on  # and end\n"
              "      e:\n"
              "        id: 5\n"
              "        type: int\n"
              "        doc: >-\n"
              "          # folded\n"
              "          text\n") ==
        "  A:\n"
        "    kind: struct\n"
        "    doc: \"\\n# text\\n  more\\n\\nend\\n\"  # in a block\n"
        "    # about fields\n"
        "    fields:\n"
        "      a: {id: 1, type: int, doc: \"it's \\\" # text\"}\n"
        "      b: {id: 2, type: int, doc: \"it's # text\"}\n"
        "      c: {id: 3, type: int, doc: \"it's#text\"}  # 'not text'\n"
        "      d:  # and end\n"
        "        id: 4\n"
        "        type: int\n"
        "        doc: |-\n"
        "          several \"words\n"
        "          go on\n"
        "      e: {id: 5, type: int, doc: \"# folded text\"}\n");
}

TEST_CASE("a comment between a key and its value goes above the key") {
  CHECK(types("  A:\n    kind:\n      # what it is\n      struct\n    fields: {}\n") ==
        "  A:\n    # what it is\n    kind: struct\n    fields: {}\n");
}

TEST_CASE("a key that says nothing stays where it has a comment") {
  CHECK(types("  A:\n    kind: struct\n    doc: ''  # to be written\n    fields: {}\n") ==
        "  A:\n    kind: struct\n    doc: \"\"  # to be written\n    fields: {}\n");
}

TEST_CASE("line endings of Windows and blanks at line endings go") {
  CHECK(fmt("# c \r\nname: s\r\nversion: {major: 1, minor: 0}   \r\ntypes: {}  # d\t\r\n") ==
        "# c\nname: s\nversion: {major: 1, minor: 0}\ntypes: {}  # d\n");
}

TEST_CASE("a comment without a place is refused with where it stands") {
  CHECK(refusal("name: s\nversion: {  # one\n  major: 1, minor: 0\n  }  # two\ntypes: {}\n") ==
        "s.yaml:4:6: error: the layout has no place for this comment\n"
        "    4 |   }  # two\n"
        "      |      ^~~~~\n"
        "hint: move it to a separate line above its entry\n");
  CHECK(refusal(kHead + "types: {\n  # none\n  }\n") ==
        "s.yaml:4:3: error: the layout has no place for this comment\n"
        "    4 |   # none\n"
        "      |   ^~~~~~\n"
        "hint: move it above the entry\n");
}

TEST_CASE("text with an indentation indicator is refused, because it looks like comments") {
  const std::string text =
      refusal(kHead + "types:\n  A:\n    kind: struct\n    doc: |1\n      # x\n    fields: {}\n");
  CHECK(text.find("s.yaml:6:10: error: cannot find the end of this value") == 0);
}

TEST_CASE("a schema with errors is not formatted") {
  CHECK(refusal("name: s\n").find("the schema has no 'types'") != std::string::npos);
  CHECK(refusal("{").find("YAML syntax") != std::string::npos);
}

TEST_CASE("schemas are the same if they say the same") {
  const std::string text =
      kHead +
      "constants: {C: 1}\nroots: [A]\ntypes:\n"
      "  A:\n    kind: struct\n    doc: D\n    fields:\n"
      "      a: {id: 1, type: \"Optional[B]\", default: null, boxed: true}\n"
      "      f: {id: 2, type: float, default: 0.0, since: \"1.0\", cpp_name: g, doc: D}\n"
      "      s: {id: 3, type: str, default: \"x\", deprecated: R}\n"
      "      e: {id: 4, type: E, default: x}\n"
      "      l: {id: 5, type: \"List[int]\", default: []}\n"
      "      v: {id: 6, type: V, states_version: true}\n"
      "    reserved: {ids: [9], names: [n]}\n"
      "  B: {kind: union, fields: {i: {id: 1, type: int}}}\n"
      "  E: {kind: enum, json: name, fields: {x: 0}}\n"
      "  V: {kind: struct, fields: {major: {id: 1, type: int}, minor: {id: 2, type: int}}}\n";
  const generator::Model model = model_of(text);
  CHECK(same_meaning(model, model_of(fmt(text))));
  const std::pair<const char*, const char*> changes[] = {
      {"name: s", "name: t"},
      {"major: 1", "major: 2"},
      {"minor: 0", "minor: 1"},
      {"{C: 1}", "{C: 2}"},
      {"{C: 1}", "{D: 1}"},
      {"[A]", "[A, B]"},
      {"doc: D\n", "doc: E\n"},
      {"boxed: true", "boxed: false"},
      {"states_version: true", "states_version: false"},
      {"0.0", "-0.0"},
      {"\"1.0\"", "\"1.1\""},
      {"cpp_name: g", "cpp_name: h"},
      {"doc: D}", "doc: E}"},
      {"default: \"x\"", "default: \"y\""},
      {"deprecated: R", "deprecated: S"},
      {", default: []", ""},
      {"ids: [9]", "ids: [8]"},
      {"names: [n]", "names: [m]"},
      {"kind: union", "kind: struct"},
      {"x: 0", "x: 1"},
      {"json: name", "json: number"},
      {"type: int}", "type: str}"},
      {"List[int]", "List[str]"},
      {"i: {id: 1", "i: {id: 2"},
      {"i: {id", "j: {id"},
      {"Optional[B]", "Optional[A]"},
  };
  for (const auto& [from, to] : changes) {
    std::string changed = text;
    INFO(from << " -> " << to);
    REQUIRE(changed.find(from) != std::string::npos);
    changed.replace(changed.find(from), std::string_view(from).size(), to);
    CHECK_FALSE(same_meaning(model, model_of(changed)));
  }
}
