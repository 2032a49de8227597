#include "pt2/text/literal.h"

#include <catch2/catch.hpp>
#include <limits>

TEST_CASE("writes floats as Python does") {
  CHECK(pt2::float_literal(1.0) == "1.0");
  CHECK(pt2::float_literal(-0.0) == "-0.0");
  CHECK(pt2::float_literal(1e22) == "1e+22");
  CHECK(pt2::float_literal(1e-5) == "1e-05");
  CHECK(pt2::float_literal(0.1) == "0.1");
  CHECK(pt2::float_literal(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(pt2::float_literal(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(pt2::float_literal(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("writes complex numbers with both parts") {
  CHECK(pt2::complex_literal(1, 2) == "(1+2j)");
  CHECK(pt2::complex_literal(0.5, -1.5) == "(0.5-1.5j)");
  CHECK(pt2::complex_literal(-0.0, -std::numeric_limits<double>::infinity()) == "(-0-infj)");
}

TEST_CASE("quotes strings") {
  CHECK(pt2::string_literal("") == "\"\"");
  CHECK(pt2::string_literal("it's") == "\"it's\"");
  CHECK(pt2::string_literal("a\"b\\c\n\t\r") == R"("a\"b\\c\n\t\r")");
  CHECK(pt2::string_literal("na\u00efve \u2603 \U0001f600") == "\"na\u00efve \u2603 \U0001f600\"");
}

TEST_CASE("escapes control characters") {
  CHECK(pt2::printable("\x1b[31m") == "\\x1b[31m");
  CHECK(pt2::printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(pt2::printable("\x7f\u0085\u202e\u2066\ufeff") == "\\x7f\\x85\\u202e\\u2066\\ufeff");
  CHECK(pt2::printable("\"\\") == "\"\\");
}

TEST_CASE("escapes invalid UTF-8") {
  CHECK(pt2::printable("a\xff\xc3") == "a\\xff\\xc3");
}

TEST_CASE("counts one column per code point") {
  CHECK(pt2::text_width("") == 0);
  CHECK(pt2::text_width("abc") == 3);
  CHECK(pt2::text_width("na\u00efve \u2603") == 7);
}
