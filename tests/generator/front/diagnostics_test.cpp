#include "front/diagnostics.h"

#include <catch2/catch.hpp>

#include "schemagen/base/utf8.h"

using generator::Diagnostics;
using generator::Severity;
using generator::Span;

namespace {

std::string render(const std::string& text, Span span) {
  Diagnostics diagnostics("s.yaml", text);
  diagnostics.error(span, "wrong");
  return diagnostics.render();
}

}  // namespace

TEST_CASE("no messages render as nothing") {
  const Diagnostics diagnostics("s.yaml", "a: 1\n");
  CHECK(diagnostics.render().empty());
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("a message shows its place, the source line, a caret, the second place and a hint") {
  Diagnostics diagnostics("export.yaml", "name: x\nindex: {id: 20}\nordinal: {id: 20}\n");
  diagnostics.add({Severity::error,
                   {3, 15, 2},
                   "id 20 is used twice in 'Device'",
                   "the next free id is 30",
                   {{{2, 13, 2}, "first used by 'index' here"}}});
  CHECK(diagnostics.render() ==
        "export.yaml:3:15: error: id 20 is used twice in 'Device'\n"
        "    3 | ordinal: {id: 20}\n"
        "      |               ^~\n"
        "export.yaml:2:13: note: first used by 'index' here\n"
        "    2 | index: {id: 20}\n"
        "      |             ^~\n"
        "hint: the next free id is 30\n");
}

TEST_CASE("messages are sorted by place, and keep their order at one place") {
  Diagnostics diagnostics("s.yaml", "ab\ncd\n");
  diagnostics.error({2, 1, 1}, "fourth");
  diagnostics.error({1, 2, 1}, "second");
  diagnostics.error({1, 2, 1}, "third");
  diagnostics.error({1, 1, 1}, "first");
  CHECK(diagnostics.render() ==
        "s.yaml:1:1: error: first\n    1 | ab\n      | ^\n"
        "s.yaml:1:2: error: second\n    1 | ab\n      |  ^\n"
        "s.yaml:1:2: error: third\n    1 | ab\n      |  ^\n"
        "s.yaml:2:1: error: fourth\n    2 | cd\n      | ^\n");
}

TEST_CASE("a warning is no error") {
  Diagnostics diagnostics("s.yaml", "a\n");
  diagnostics.add({Severity::warning, {1, 1, 1}, "odd"});
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(diagnostics.render() == "s.yaml:1:1: warning: odd\n    1 | a\n      | ^\n");
  diagnostics.error({1, 1, 1}, "wrong");
  CHECK(diagnostics.has_errors());
}

TEST_CASE("a message without a place names only the file") {
  CHECK(render("a\n", {}) == "s.yaml: error: wrong\n");
}

TEST_CASE("tabs are shown, and the caret follows them") {
  CHECK(render("\ta:\tb\n", {1, 5, 1}) == "s.yaml:1:5: error: wrong\n    1 | \\ta:\\tb\n      |       ^\n");
}

TEST_CASE("the caret counts characters where the column counts bytes") {
  CHECK(render("é☃: naïve\n", {1, 8, 6}) ==
        "s.yaml:1:8: error: wrong\n    1 | é☃: naïve\n      |     ^~~~~\n");
}

TEST_CASE("the marked part ends with the line") {
  CHECK(render("abc\ndef\n", {1, 2, 50}) == "s.yaml:1:2: error: wrong\n    1 | abc\n      |  ^~\n");
}

TEST_CASE("a place behind the end of a line or of the file has a caret") {
  CHECK(render("abc", {1, 4, 1}) == "s.yaml:1:4: error: wrong\n    1 | abc\n      |    ^\n");
  CHECK(render("abc", {1, 99, 1}) == "s.yaml:1:99: error: wrong\n    1 | abc\n      |    ^\n");
  CHECK(render("abc\n", {2, 1, 1}) == "s.yaml:2:1: error: wrong\n    2 | \n      | ^\n");
  CHECK(render("abc\n", {7, 3, 2}) == "s.yaml:7:3: error: wrong\n    7 | \n      | ^\n");
}

TEST_CASE("a carriage return before the line end is not shown") {
  CHECK(render("abc\r\ndef\r\n", {1, 3, 1}) == "s.yaml:1:3: error: wrong\n    1 | abc\n      |   ^\n");
}

TEST_CASE("the gutter grows with the line number") {
  const std::string text = std::string(123455, '\n') + "abc\n";
  CHECK(render(text, {123456, 1, 3}) == "s.yaml:123456:1: error: wrong\n123456 | abc\n       | ^~~\n");
}

TEST_CASE("of a long line the part around the caret is shown") {
  const std::string text = std::string(500, 'a') + "XYZ" + std::string(500, 'b') + "\n";
  CHECK(render(text, {1, 501, 3}) == "s.yaml:1:501: error: wrong\n    1 | ..." + std::string(55, 'a') +
                                         "XYZ" + std::string(52, 'b') + "...\n      | " +
                                         std::string(58, ' ') + "^~~\n");
}

TEST_CASE("the beginning and the end of a long line are shown without a cut there") {
  const std::string text(500, 'a');
  CHECK(render(text, {1, 3, 1}) ==
        "s.yaml:1:3: error: wrong\n    1 | " + std::string(110, 'a') + "...\n      |   ^\n");
  CHECK(render(text, {1, 500, 1}) == "s.yaml:1:500: error: wrong\n    1 | ..." + std::string(110, 'a') +
                                         "\n      | " + std::string(112, ' ') + "^\n");
}

TEST_CASE("a long line is never cut within a character") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += "☃";
  for (std::size_t column = 1; column <= text.size(); column += 3) {
    const std::string shown = render(text, {1, column, 3});
    REQUIRE_FALSE(schemagen::find_bad_utf8(shown));
  }
}

TEST_CASE("control characters and bytes that are no UTF-8 are shown as escapes") {
  CHECK(render("a\x1b[31mb\xff\x7f\n", {1, 7, 1}) ==
        "s.yaml:1:7: error: wrong\n    1 | a\\x1b[31mb\\xff\\x7f\n      |          ^\n");
  CHECK(render("a:\t\u202ebc\n", {1, 4, 4}) ==
        "s.yaml:1:4: error: wrong\n    1 | a:\\t\\u202ebc\n      |     ^~~~~~~\n");
  Diagnostics diagnostics("s.yaml", "a\n");
  diagnostics.error({1, 1, 1}, "unknown key 'a\x1b\nb\xc2\x9bm'", "not\x07");
  CHECK(diagnostics.render() ==
        "s.yaml:1:1: error: unknown key 'a\\x1b\\nb\\x9bm'\n    1 | a\n      | ^\nhint: not\\x07\n");
}

TEST_CASE("after a hundred messages only the number of the others is given") {
  Diagnostics diagnostics("s.yaml", "a\n");
  for (int i = 0; i < 117; ++i) diagnostics.error({1, 1, 1}, "wrong");
  const std::string text = diagnostics.render();
  std::size_t count = 0;
  for (std::size_t at = text.find("error:"); at != std::string::npos; at = text.find("error:", at + 1))
    ++count;
  CHECK(count == 100);
  CHECK(text.substr(text.size() - 12) == "and 17 more\n");
  CHECK(diagnostics.all().size() == 117);
}
