#include "schemagen/base/json_syntax.h"

#include <catch2/catch.hpp>
#include <string>

using schemagen::any_fault;

namespace {

bool is_json(std::string_view text, std::size_t depth) {
  return any_fault(text, depth).empty();
}

}  // namespace

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

TEST_CASE("an Any has one value for each key, however the key is written") {
  CHECK(is_json(R"({"a": {"a": 1}, "A": [{"a": 1}, {"a": 2}]})", 9));
  CHECK(is_json(R"({"\u0061": 1, "\\u0061": 2, "\ud83d\ude00": 3, "": 4, "\n": 5, "n": 6})", 9));
  const std::string twice = " has the duplicate key ";
  CHECK(any_fault(R"([1, {"b": [{"a": 1, "c": {}, "a": 1}]}])", 9) == twice + "'a'");
  CHECK(any_fault(R"({"a": 1, "\u0061": 2})", 9) == twice + "'a'");
  CHECK(any_fault(R"({"\t": 1, "\u0009": 2})", 9) == twice + "'\\t'");
  CHECK(any_fault("{\"\\ud83d\\ude00\": 1, \"\xf0\x9f\x98\x80\": 2}", 9) == twice + "'\xf0\x9f\x98\x80'");
  CHECK(any_fault(R"({"": 1, "": 1})", 9) == twice + "''");
}

TEST_CASE("an Any has no number that is too large for a double") {
  const std::string most(309, '9');
  for (const std::string fits : {"1e308", "-1.7976931348623157e308", "1e-400", "-0.0e999",
                                 "0e999999999999999999999", "0.00001e310", "100000000000000000000000"}) {
    INFO(fits);
    CHECK(is_json("[" + fits + "]", 9));
  }
  for (const std::string& large :
       {std::string("1e400"), std::string("-1E+309"), most, std::string("1.8e308")}) {
    INFO(large);
    CHECK(any_fault("[" + large + "]", 9) == " contains a number that is too large for a 64-bit float");
  }
}
