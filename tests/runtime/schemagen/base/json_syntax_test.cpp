#include "schemagen/base/json_syntax.h"

#include <catch2/catch.hpp>
#include <string>

using schemagen::is_json;

TEST_CASE("JSON is distinguished from other texts") {
  for (const char* text : {"null", "true", "false", "0", "-0", "-1.5e+10", "1E5", "0.25e-3", "\"\"",
                           "\"a\\n\\u00e9\\ud83d\\ude00\"", "[]", "[1, [2], {}]",
                           " { \"a\" : [ ] , \"b\" : null } ", "\"\xc3\xa9\"", "\"\\\"\"", "\t[\r\n1]"}) {
    CAPTURE(text);
    CHECK(is_json(text, 10));
  }
  for (const char* text : {"",
                           " ",
                           "nul",
                           "nulll",
                           "True",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "-",
                           "1e",
                           "1e+",
                           "NaN",
                           "-Infinity",
                           "'a'",
                           "\"",
                           "\"a",
                           "\"\n\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u123g\"",
                           "\"\\ud800\"",
                           "\"\\ud800\\u0041\"",
                           "\"\\udc00\"",
                           "\"\\ud800\\ud800\"",
                           "[",
                           "]",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{a:1}",
                           "{\"a\":1,}",
                           "{1:2}",
                           "[}",
                           "1 2",
                           "[1]]",
                           "\"\xff\"",
                           "\"\\",
                           "{\"a\":1",
                           "tru",
                           "\"a\\"}) {
    CAPTURE(text);
    CHECK_FALSE(is_json(text, 10));
  }
  CHECK_FALSE(is_json(std::string("1\0", 2), 10));
}

TEST_CASE("JSON that is nested too deep is refused") {
  CHECK(is_json("[[[]]]", 3));
  CHECK_FALSE(is_json("[[[[]]]]", 3));
  CHECK(is_json("[{}, [], [[]]]", 3));
  CHECK_FALSE(is_json(std::string(1000000, '['), 256));
}
