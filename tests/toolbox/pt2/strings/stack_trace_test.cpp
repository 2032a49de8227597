#include "pt2/strings/node_metadata.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

TEST_CASE("the frames of a stack trace are read") {
  const auto frames = pt2::parse_stack_trace(
      "  File \"a \", line 2, in b.py\", line 123, in forward\n    n = x[0].item()\n        ^^^^\n"
      "  File \"<eval_with_key>.42\", line 6, in <lambda>\n");
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].file == "a \", line 2, in b.py");
  CHECK(frames[0].line == 123);
  CHECK(frames[0].function == "forward");
  CHECK(frames[0].code == "n = x[0].item()\n    ^^^^");
  CHECK(frames[1].code.empty());
}

TEST_CASE("a stripped stack trace is read") {
  const auto frames =
      pt2::parse_stack_trace("File \"a.py\", line 1, in f\n    x\n  File \"a.py\", line 2, in g\n    y");
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].code == "x");
  CHECK(frames[1].code == "y");
}

TEST_CASE("text before the first frame is skipped") {
  for (const char* text : {"", "NoneType: None\n", "  File \"a\", line x, in f\n", "File \"a\""}) {
    CHECK(pt2::parse_stack_trace(text).empty());
  }
  CHECK(pt2::parse_stack_trace("Traceback:\n  File \"a\", line 1, in f\n").size() == 1);
}

TEST_CASE("other text between frames is an error with the byte") {
  CHECK_THROWS_WITH(
      pt2::parse_stack_trace("  File \"a\", line 1, in f\n  odd\n"),
      "expected a stack frame or a line of code indented by four spaces, got '  odd' (byte 25)");
}
