#include "pt2/strings/node_metadata.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

TEST_CASE("the frames of a stack trace are read and written with the same bytes") {
  const std::string text =
      "  File \"a \", line 2, in b.py\", line 123, in forward\n    n = x[0].item()\n        ^^^^\n"
      "  File \"<eval_with_key>.42\", line 6, in <lambda>\n";
  const auto trace = pt2::parse_stack_trace(text);
  REQUIRE(trace.frames.size() == 2);
  CHECK(trace.frames[0].file == "a \", line 2, in b.py");
  CHECK(trace.frames[0].line == 123);
  CHECK(trace.frames[0].function == "forward");
  CHECK(trace.frames[0].code == "n = x[0].item()\n    ^^^^");
  CHECK(trace.frames[1].code.empty());
  CHECK(stack_trace_text(trace) == text);
}

TEST_CASE("a stripped stack trace stays stripped") {
  const std::string text = "File \"a.py\", line 1, in f\n    x\n  File \"a.py\", line 2, in g\n    y";
  const auto trace = pt2::parse_stack_trace(text);
  CHECK(trace.is_stripped);
  CHECK(trace.frames.size() == 2);
  CHECK(stack_trace_text(trace) == text);
}

TEST_CASE("text before the first frame is kept") {
  for (const char* text :
       {"", "NoneType: None\n", "Traceback (most recent call last):\n  File \"a\", line 1, in f\n",
        "  File \"a\", line x, in f\n", "File \"a\""}) {
    CHECK(stack_trace_text(pt2::parse_stack_trace(text)) == text);
  }
  CHECK(pt2::parse_stack_trace("Traceback:\n  File \"a\", line 1, in f\n").before == "Traceback:\n");
}

TEST_CASE("other text between frames is an error with the byte") {
  CHECK_THROWS_WITH(
      pt2::parse_stack_trace("  File \"a\", line 1, in f\n  odd\n"),
      "expected a stack frame or a line of code indented by four spaces, got '  odd' (byte 25)");
}
