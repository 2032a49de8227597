#include "front/yaml.h"

#include <catch2/catch.hpp>
#include <limits>

using generator::describe;
using generator::Diagnostics;
using generator::is_ambiguous_as_string;
using generator::is_null;
using generator::parse_yaml;
using generator::Span;
using generator::YamlNode;

namespace {

std::string place(const Span& span) {
  return std::to_string(span.line) + ":" + std::to_string(span.column) + "+" + std::to_string(span.length);
}

YamlNode parse(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  YamlNode root = parse_yaml(diagnostics);
  INFO(diagnostics.render());
  REQUIRE_FALSE(diagnostics.has_errors());
  return root;
}

std::string errors(const std::string& text) {
  Diagnostics diagnostics("s.yaml", text);
  parse_yaml(diagnostics);
  std::string out;
  for (const auto& diagnostic : diagnostics.all()) {
    out += place(diagnostic.span) + " " + diagnostic.message + "\n";
  }
  return out;
}

const YamlNode& value(const YamlNode& map, const std::string& key) {
  const auto* entry = map.find(key);
  REQUIRE(entry != nullptr);
  return entry->value;
}

YamlNode scalar(const std::string& text) {
  return value(parse("v: " + text + "\n"), "v");
}

template <typename Read>
std::string read(const std::string& text, Read reader) {
  Diagnostics diagnostics("s.yaml", "");
  const auto result = reader(scalar(text), "'x'", diagnostics);
  REQUIRE(result.has_value() == diagnostics.all().empty());
  if (result) return "ok";
  const auto& first = diagnostics.all().front();
  return first.message + (first.hint.empty() ? "" : " / " + first.hint);
}

}  // namespace

TEST_CASE("maps, lists and scalars become nodes in their order") {
  const YamlNode root = parse("b: 1\na: [x, \"y\", {z: }]\n");
  REQUIRE(root.kind == YamlNode::Kind::map);
  REQUIRE(root.entries.size() == 2);
  CHECK(root.entries[0].key.text == "b");
  CHECK(root.entries[0].value.text == "1");
  const YamlNode& list = value(root, "a");
  REQUIRE(list.kind == YamlNode::Kind::sequence);
  REQUIRE(list.items.size() == 3);
  CHECK_FALSE(list.items[0].quoted);
  CHECK(list.items[1].quoted);
  CHECK(list.items[1].text == "y");
  CHECK(list.items[2].kind == YamlNode::Kind::map);
  CHECK(root.find("c") == nullptr);
  CHECK(list.find("a") == nullptr);
}

TEST_CASE("places count lines and bytes from one and cover the text with its quotes") {
  const YamlNode root = parse(
      "# comment\n"
      "plain: two words  # more\n"
      "  \n"
      "'quoted key':   'it''s'\n"
      "é: {é: \"a\\\"b\", list: [1, -2]}\r\n"
      "last:\n"
      "  - nested: end");
  CHECK(place(root.span) == "2:1+1");
  CHECK(place(root.entries[0].key.span) == "2:1+5");
  CHECK(place(root.entries[0].value.span) == "2:8+9");
  CHECK(place(root.entries[1].key.span) == "4:1+12");
  CHECK(place(root.entries[1].value.span) == "4:17+7");
  CHECK(place(root.entries[2].key.span) == "5:1+2");
  const YamlNode& map = root.entries[2].value;
  CHECK(place(map.span) == "5:5+1");
  CHECK(place(map.entries[0].key.span) == "5:6+2");
  CHECK(place(map.entries[0].value.span) == "5:10+6");
  CHECK(place(map.entries[1].value.span) == "5:24+1");
  CHECK(place(map.entries[1].value.items[1].span) == "5:28+2");
  const YamlNode& list = root.entries[3].value;
  CHECK(place(list.span) == "7:3+1");
  CHECK(place(list.items[0].entries[0].key.span) == "7:5+6");
  CHECK(place(list.items[0].entries[0].value.span) == "7:13+3");
}

TEST_CASE("a part of a scalar has a place where the text is verbatim") {
  const YamlNode root = parse(
      "a: List[int]\n"
      "b: \"List[int]\"\n"
      "c: \"List[\\x69nt]\"\n"
      "d: List[\n"
      "  int]\n"
      "e: |\n"
      "  List[int]\n");
  CHECK(place(value(root, "a").part(5, 3)) == "1:9+3");
  CHECK(place(value(root, "b").part(5, 3)) == "2:10+3");
  CHECK(place(value(root, "c").part(5, 3)) == "3:4+14");
  CHECK(place(value(root, "d").part(5, 3)) == "4:4+5");
  CHECK(place(value(root, "e").part(5, 3)) == "6:4+1");
  CHECK(place(value(root, "a").part(9, 0)) == "1:13+1");
}

TEST_CASE("escapes and folded lines give the text that YAML means") {
  CHECK(scalar("\"\\u2603 \\x41 \\n\"").text == "☃ A \n");
  CHECK(scalar("'a''b\\n'").text == "a'b\\n");
  CHECK(scalar("one\n  two").text == "one two");
  CHECK(scalar("|\n  a\n  b").text == "a\nb\n");
  CHECK(scalar("|\n  a").quoted);
}

TEST_CASE("nulls and missing values are distinguished") {
  for (const char* text : {"null", "~", "Null", "NULL"}) {
    CHECK(scalar(text).text == text);
    CHECK(is_null(scalar(text)) == (std::string(text) == "null"));
  }
  CHECK_FALSE(is_null(scalar("\"null\"")));
  CHECK(scalar("").text.empty());
  CHECK(describe(scalar("")) == "an empty value");
  CHECK(describe(scalar("null")) == "null");
  CHECK(describe(scalar("~")) == "'~'");
  CHECK(describe(scalar("\"null\"")) == "the string 'null'");
}

TEST_CASE("a missing value has the place of its key or of its dash") {
  const YamlNode root = parse("a:\n\nb: {c: , d}\ne:\n  - x\n  -\n\n  - y\n");
  CHECK(place(value(root, "a").span) == "1:1+1");
  CHECK(place(value(value(root, "b"), "c").span) == "3:5+1");
  CHECK(place(value(value(root, "b"), "d").span) == "3:10+1");
  CHECK(place(value(root, "e").items[1].span) == "6:3+1");
  CHECK(place(parse("- # a comment - here\n\n# another -\n- x # -\n").items[0].span) == "1:1+1");
}

TEST_CASE("an empty file is an error without a place") {
  for (const char* text : {"", "\n\n", "# only a comment\n", "  \n"}) {
    CHECK(errors(text) == "0:0+1 the file is empty\n");
  }
}

TEST_CASE("all that is refused is reported in one run and what is sound is kept") {
  Diagnostics diagnostics("s.yaml",
                          "a: &x 1\n"
                          "b: !!int 2\n"
                          "c: *x\n"
                          "<<: {d: 4}\n"
                          "a: 5\n"
                          "? [e]\n"
                          ": 6\n"
                          "f: 7\n");
  const YamlNode root = parse_yaml(diagnostics);
  std::string messages;
  for (const auto& diagnostic : diagnostics.all()) {
    messages += place(diagnostic.span) + " " + diagnostic.message + "\n";
  }
  CHECK(messages ==
        "1:4+2 anchors are not part of the schema language: '&x'\n"
        "2:4+5 tags are not part of the schema language: '!!int'\n"
        "3:4+2 aliases are not part of the schema language: '*x'\n"
        "4:1+2 merge keys are not part of the schema language\n"
        "5:1+1 duplicate key 'a'\n"
        "6:3+1 a key must be a string, not a list\n");
  CHECK(value(root, "a").text == "1");
  CHECK(value(root, "c").kind == YamlNode::Kind::invalid);
  CHECK(value(root, "f").text == "7");
  CHECK(root.entries.size() == 5);
}

TEST_CASE("a duplicate key is found however it is quoted, and both places are given") {
  Diagnostics diagnostics("s.yaml", "a: 1\n\"a\": 2\n'a': 3\n");
  parse_yaml(diagnostics);
  REQUIRE(diagnostics.all().size() == 2);
  CHECK(place(diagnostics.all()[1].span) == "3:1+3");
  REQUIRE(diagnostics.all()[1].notes.size() == 1);
  CHECK(place(diagnostics.all()[1].notes[0].span) == "1:1+1");
}

TEST_CASE("equal keys in different maps are not duplicates") {
  CHECK(errors("a: {x: 1}\nb: {x: 1}\nx: [{x: 1}, {x: 1}]\n").empty());
}

TEST_CASE("a quoted merge key is a key like any other") {
  CHECK(errors("\"<<\": {a: 1}\n").empty());
}

TEST_CASE("the tag that yaml-cpp shows like a quoted scalar is found") {
  CHECK(errors("a: ! b\n") == "1:4+1 tags are not part of the schema language: '!'\n");
  CHECK(errors("a: ! \"b\"\n") == "1:4+1 tags are not part of the schema language: '!'\n");
  CHECK(errors("a: !x [b]\n") == "1:4+2 tags are not part of the schema language: '!x'\n");
  CHECK(errors("!\n") == "1:1+1 tags are not part of the schema language: '!'\n");
  CHECK(errors("a: \"!b\"\n").empty());
}

TEST_CASE("directives are found before the document only") {
  CHECK(errors("# c\n%YAML 1.2\n%TAG ! x\n---\na: 1\n") ==
        "2:1+9 directives are not part of the schema language\n"
        "3:1+8 directives are not part of the schema language\n");
  CHECK(errors("a: |\n  %YAML\n").empty());
}

TEST_CASE("a marker before the first document and one after it are allowed") {
  CHECK(errors("---\na: 1\n...\n").empty());
}

TEST_CASE("a second document is an error whether it is marked or not") {
  CHECK(errors("a: 1\n---\nb: 2\n---\nc: 3\n") ==
        "2:1+3 a schema must be a single YAML document, but a second one begins here\n");
  CHECK(errors("{a: 1}\nb\n") == "2:1+1 unexpected text after the end of the schema\n");
}

TEST_CASE("a syntax error is one message with its place and leaves nothing") {
  Diagnostics diagnostics("s.yaml", "a: {x: List[int]}\n");
  CHECK(parse_yaml(diagnostics).kind == YamlNode::Kind::invalid);
  CHECK(diagnostics.render() ==
        "s.yaml:1:12: error: YAML syntax: expected ',' or '}'\n"
        "    1 | a: {x: List[int]}\n"
        "      |            ^\n"
        "hint: inside braces, quote a type that contains brackets: \"List[int]\"\n");
}

TEST_CASE("a syntax error at the end of the file names what is open") {
  Diagnostics diagnostics("s.yaml", "a: {x: 1,\n  y: 2\n");
  parse_yaml(diagnostics);
  CHECK(diagnostics.render() ==
        "s.yaml:3:1: error: YAML syntax: expected ',' or '}'\n"
        "    3 | \n"
        "      | ^\n"
        "s.yaml:1:4: note: in a map that begins here\n"
        "    1 | a: {x: 1,\n"
        "      |    ^\n");
}

TEST_CASE("a syntax error names the character that is missing or unexpected") {
  CHECK(errors("a: {x: 1\n") == "2:1+1 YAML syntax: expected ',' or '}'\n");
  CHECK(errors("a: [x: y: z]\n") == "1:9+1 YAML syntax: expected ',' or ']'\n");
  CHECK(errors("a: \"x\" y\n") == "1:8+1 YAML syntax: expected a key\n");
  CHECK(errors("a: {x: 1}}\n") == "1:10+1 YAML syntax: unexpected '}'\n");
  CHECK(errors("a: - b\n") == "1:4+1 YAML syntax: unexpected '-'\n");
  CHECK(errors("a: b: c\n") == "1:5+1 YAML syntax: unexpected ':'\n");
  CHECK(errors("a: @b\n") == "1:4+1 YAML syntax: unexpected '@'\n");
}

TEST_CASE("syntax errors of all kinds have a place") {
  for (const char* text :
       {"a: \"x", "a: 'x", "a: @b\n", "a: [1\n", "a: 1\n b: 2\n", "a: - b\n", "]", "a: \"\\q\"\n",
        "a: b: c\n", "!", "\"a\" b\n", "{a: 1", "a:\n\t- 1\n", "- a\nb: 1\n", "*x", "%"}) {
    Diagnostics diagnostics("s.yaml", text);
    parse_yaml(diagnostics);
    INFO(text);
    REQUIRE(diagnostics.has_errors());
    for (const auto& diagnostic : diagnostics.all())
      CHECK(diagnostic.message.find('\n') == std::string::npos);
    CHECK_FALSE(diagnostics.render().empty());
  }
}

TEST_CASE("invalid UTF-8 is refused at its place") {
  CHECK(errors("\xef\xbb\xbf"
               "a: [\r\n") == errors("a: [\r\n"));
  CHECK(errors(std::string("\xff\xfe"
                           "a\0:\0",
                           6)) == "1:1+1 the file is UTF-16\n");
  CHECK(errors(std::string("a\0:\0", 4)) == "1:1+1 the file is UTF-16\n");
  CHECK(errors("a: 1\nb: \xff\n") == "2:4+1 the file contains bytes that are not UTF-8\n");
  CHECK(errors("a: \xed\xa0\x80\n") == "1:4+1 the file contains bytes that are not UTF-8\n");
  CHECK(errors(std::string("a: x\0y\n", 7)) == "1:5+1 the file contains the control character U+0000\n");
  CHECK(errors("a: \x1b[0m\n") == "1:4+1 the file contains the control character U+001B\n");
  CHECK(errors("a: \xc2\x85\n") == "1:4+1 the file contains the control character U+0085\n");
  CHECK(errors("# \xe2\x80\xa8\n") == "1:3+1 the file contains the control character U+2028\n");
  CHECK(errors("# \xe2\x80\xae\n") == "1:3+1 the file contains the control character U+202E\n");
  CHECK(errors("a: \xc2\xa0\xe2\x80\xa7\xe2\x80\xaf\n").empty());
  CHECK(errors("a: 1\rb: 2\n") ==
        "1:5+1 the file contains a carriage return that is not part of a line ending\n");
}

TEST_CASE("escapes give the characters that YAML says") {
  Diagnostics diagnostics("s.yaml", R"(a: "\N\_\L\x85\u00e9\U0001F600")");
  CHECK(parse_yaml(diagnostics).entries.at(0).value.text ==
        "\xc2\x85\xc2\xa0\xe2\x80\xa8\xc2\x85\xc3\xa9\xf0\x9f\x98\x80");
}

TEST_CASE("nesting is allowed up to 64 levels") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(errors(nested(64)).empty());
  CHECK(errors(nested(65)) == "1:65+1 lists and maps are nested more than 64 deep\n");
}

TEST_CASE("hostile nesting gives an error and no crash") {
  const auto repeat = [](const std::string& text) {
    std::string out;
    for (int i = 0; i < 100000; ++i) out += text;
    return out;
  };
  for (const char* text : {"[", "{", "{a: ", "- ", "? ", "[? ", ": ", "{\"a\":", "[{", "- - ", "[a: "}) {
    Diagnostics diagnostics("s.yaml", repeat(text));
    INFO(text);
    CHECK(parse_yaml(diagnostics).kind == YamlNode::Kind::invalid);
    REQUIRE(diagnostics.has_errors());
    CHECK(diagnostics.all().back().message == "lists and maps are nested more than 64 deep");
  }
  for (const char* text : {"]", "}", "a: ", "*a ", "!", "\"\\", ":", "---\n"}) {
    Diagnostics diagnostics("s.yaml", repeat(text));
    INFO(text);
    parse_yaml(diagnostics);
    CHECK(diagnostics.has_errors());
  }
}

TEST_CASE("a file of more than 2 MiB is refused") {
  const std::size_t limit = std::size_t{2} << 20;
  std::string text = "a: 1\n# ";
  text.append(limit - text.size() - 1, 'x').append("\n");
  CHECK(errors(text).empty());
  CHECK(errors(text + " ") == "0:0+1 file size: more than 2097152 bytes\n");
}

TEST_CASE("a large document on one line is read as fast as one on many lines") {
  const auto repeat = [](const std::string& text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  CHECK(errors("[" + repeat("a, 'b', \"c\", {d: e}, , ~, ", 20000) + "]").empty());
  Diagnostics diagnostics("s.yaml", "[" + repeat("!t a, &a b, *a, <<: c, {d, d}, !, ", 10000) + "]");
  parse_yaml(diagnostics);
  CHECK(diagnostics.all().size() == 60000);
  CHECK(diagnostics.render().size() < 100000);
}

TEST_CASE("integers are decimal") {
  const auto number = [](const std::string& text) {
    Diagnostics diagnostics("s.yaml", "");
    return generator::read_int(scalar(text), "'x'", diagnostics);
  };
  CHECK(number("0") == 0);
  CHECK(number("-7") == -7);
  CHECK(number("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(number("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("a value that is not an integer is refused, and the error shows how to write one") {
  const std::string not_integer = "'x' must be an integer, not ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"012", not_integer + "'012' / write 12, or 10 if you meant octal"},
      {"-012", not_integer + "'-012' / write -12, or -10 if you meant octal"},
      {"08", not_integer + "'08' / write 8"},
      {"00", not_integer + "'00' / write 0"},
      {"0o17", not_integer + "'0o17' / write 15"},
      {"0x1F", not_integer + "'0x1F' / write 31"},
      {"-0x10", not_integer + "'-0x10' / write -16"},
      {"0b101", not_integer + "'0b101' / write 5"},
      {"1_000", not_integer + "'1_000' / write 1000"},
      {"+1", not_integer + "'+1' / write 1"},
      {"1.0", not_integer + "'1.0' / write digits, as in 10"},
      {"1e3", not_integer + "'1e3' / write digits, as in 10"},
      {"yes", not_integer + "'yes' / write digits, as in 10"},
      {"true", not_integer + "'true' / write digits, as in 10"},
      {"--1", not_integer + "'--1' / write digits, as in 10"},
      {"0x", not_integer + "'0x' / write digits, as in 10"},
      {"+", not_integer + "'+' / write digits, as in 10"},
      {"\"12\"", not_integer + "the string '12' / write 12 without quotes"},
      {"null", not_integer + "null / write digits, as in 10"},
      {"", not_integer + "an empty value / write digits, as in 10"},
      {"[1]", not_integer + "a list / write digits, as in 10"},
      {"9223372036854775808", "'x' does not fit in 64 bits: '9223372036854775808'"},
  };
  for (const auto& [text, expected] : cases) CHECK(read(text, generator::read_int) == expected);
}

TEST_CASE("bools are true and false") {
  CHECK(read("true", generator::read_bool) == "ok");
  CHECK(read("false", generator::read_bool) == "ok");
  const std::string not_bool = "'x' must be true or false, not ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"yes", not_bool + "'yes' / write true"},
      {"On", not_bool + "'On' / write true"},
      {"y", not_bool + "'y' / write true"},
      {"TRUE", not_bool + "'TRUE' / write true"},
      {"no", not_bool + "'no' / write false"},
      {"OFF", not_bool + "'OFF' / write false"},
      {"n", not_bool + "'n' / write false"},
      {"False", not_bool + "'False' / write false"},
      {"1", not_bool + "'1'"},
      {"", not_bool + "an empty value"},
      {"{a: b}", not_bool + "a map"},
      {"\"true\"", not_bool + "the string 'true' / write true without quotes"},
  };
  for (const auto& [text, expected] : cases) CHECK(read(text, generator::read_bool) == expected);
}

TEST_CASE("floats are numbers as JSON writes them") {
  const auto number = [](const std::string& text) {
    Diagnostics diagnostics("s.yaml", "");
    return generator::read_float(scalar(text), "'x'", diagnostics);
  };
  CHECK(number("0") == 0.0);
  CHECK(number("-12") == -12.0);
  CHECK(number("0.1") == 0.1);
  CHECK(number("1e-5") == 1e-5);
  CHECK(number("1.5E+3") == 1500.0);
  CHECK(number("5e-324") == 5e-324);
  CHECK(number("1.7976931348623157e308") == std::numeric_limits<double>::max());
}

TEST_CASE("what is no JSON number is refused with the way to write it") {
  const std::string not_number = "'x' must be a number, not ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {".5", not_number + "'.5' / write 0.5"},
      {"-.5", not_number + "'-.5' / write -0.5"},
      {"5.", not_number + "'5.' / write 5.0"},
      {"+1.5", not_number + "'+1.5' / write 1.5"},
      {"1_0", not_number + "'1_0' / write 10"},
      {"01.5", not_number + "'01.5' / write digits, as in 0.5"},
      {"1e", not_number + "'1e' / write digits, as in 0.5"},
      {"1e5.0", not_number + "'1e5.0' / write digits, as in 0.5"},
      {"half", not_number + "'half' / write digits, as in 0.5"},
      {"\"0.5\"", not_number + "the string '0.5' / write 0.5 without quotes"},
      {"null", not_number + "null / write digits, as in 0.5"},
      {"+.inf", not_number + "'+.inf' / write .inf"},
      {"-.Inf", not_number + "'-.Inf' / write -.inf"},
      {"Infinity", not_number + "'Infinity' / write .inf"},
      {"NaN", not_number + "'NaN' / write .nan"},
      {"'.nan'", not_number + "the string '.nan' / write .nan without quotes"},
      {"-.nan", not_number + "'-.nan' / write digits, as in 0.5"},
      {"1e999", "'x' does not fit in a double: '1e999'"},
  };
  for (const auto& [text, expected] : cases) CHECK(read(text, generator::read_float) == expected);
}

TEST_CASE("strings are quoted or plain but not null") {
  for (const char* text : {"word", "\"\"", "12", "yes", "\"null\"", "'~'", "8.15"}) {
    CHECK(read(text, generator::read_string) == "ok");
  }
  CHECK(read("null", generator::read_string) ==
        "'x' must be a string, not null / write \"null\" if you mean the string");
  CHECK(read("~", generator::read_string) ==
        "'x' must be a string, not '~' / write \"~\" if you mean the string");
  CHECK(read("", generator::read_string) == "'x' must be a string, not an empty value");
  CHECK(read("[a]", generator::read_string) == "'x' must be a string, not a list");
}

TEST_CASE("a plain scalar that some reader takes for another type is ambiguous as a string") {
  for (const char* text : {"yes", "No", "on", "true", "12", "012", "0x1f", "1_0", "+1", "1.5", ".5", "1e3",
                           ".inf", "null", "~", "Null", ""}) {
    INFO(text);
    CHECK(is_ambiguous_as_string(scalar(text)));
  }
  for (const char* text : {"\"yes\"", "'12'", "word", "1.2.3", "v1", "yess", "a b", "[1]"}) {
    INFO(text);
    CHECK_FALSE(is_ambiguous_as_string(scalar(text)));
  }
}

TEST_CASE("a node that could not be understood causes no second message") {
  Diagnostics diagnostics("s.yaml", "");
  const YamlNode invalid;
  CHECK_FALSE(generator::read_int(invalid, "'x'", diagnostics));
  CHECK_FALSE(generator::read_bool(invalid, "'x'", diagnostics));
  CHECK_FALSE(generator::read_float(invalid, "'x'", diagnostics));
  CHECK_FALSE(generator::read_string(invalid, "'x'", diagnostics));
  CHECK(diagnostics.all().empty());
}
