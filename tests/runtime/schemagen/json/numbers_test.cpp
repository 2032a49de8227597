#include <everything/json.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/schemagen/json/json_parsers.h"

using everything::Number;
using everything::Numbers;
using schemagen::from_json;
using schemagen::to_json;

namespace {

template <class T>
void check_bounds(const std::string& name) {
  using Bounds = std::numeric_limits<T>;
  const std::string min = std::to_string(Bounds::min());
  const std::string max = std::to_string(Bounds::max());
  CHECK(rewritten<std::vector<T>>("[" + min + ", 0, " + max + "]") == "[" + min + ", 0, " + max + "]");
  const std::string reason =
      "the integer does not fit in " + name + " (" + min + " to " + max + ") (line 1, column ";
  const std::string below = std::is_signed_v<T> ? min.substr(0, min.size() - 1) + "9" : "-1";
  const std::string above = max.substr(0, max.size() - 1) + "8";
  for (const std::string& beyond : {below, above, std::string("99999999999999999999999")}) {
    CAPTURE(name, beyond);
    CHECK(error_of<std::vector<T>>("[0, " + beyond + "]") == "[1]: " + reason + "5)");
  }
  CHECK(error_of<std::vector<T>>("[1.0]") == "[0]: expected an integer, found a float (line 1, column 2)");
  CHECK(error_of<std::vector<T>>("[\"1\"]") == "[0]: expected an integer, found a string (line 1, column 2)");
}

}  // namespace

TEST_CASE("an integer out of range is an error that names the type and its range") {
  check_bounds<std::int8_t>("int8");
  check_bounds<std::int16_t>("int16");
  check_bounds<std::int32_t>("int32");
  check_bounds<std::uint16_t>("uint16");
  check_bounds<std::uint32_t>("uint32");
  check_bounds<std::uint64_t>("uint64");
  CHECK(error_of<Number>(R"({"byte": 256})") ==
        "byte: the integer does not fit in uint8 (0 to 255) (line 1, column 10)");
  CHECK(rewritten<Number>(R"({"byte": 255})") == R"({"byte": 255})");
}

TEST_CASE("numbers have C++ types of their size, and int64 is int") {
  const Numbers numbers;
  CHECK(std::is_same_v<decltype(numbers.tiny), std::int8_t>);
  CHECK(std::is_same_v<decltype(numbers.short_), std::int16_t>);
  CHECK(std::is_same_v<decltype(numbers.medium), std::int32_t>);
  CHECK(std::is_same_v<decltype(numbers.long_), std::int64_t>);
  CHECK(std::is_same_v<decltype(numbers.byte), std::uint8_t>);
  CHECK(std::is_same_v<decltype(numbers.word), std::uint16_t>);
  CHECK(std::is_same_v<decltype(numbers.half), std::uint32_t>);
  CHECK(std::is_same_v<decltype(numbers.whole), std::uint64_t>);
  CHECK(std::is_same_v<decltype(numbers.single), float>);
}

TEST_CASE("absent numbers of every size have their defaults") {
  const auto numbers = from_json<Numbers>(
      R"({"tiny": 1, "short": 2, "medium": 3, "long": 4, "byte": 5, "word": 6, "half": 7, "whole": 8, "single": 9})");
  CHECK(numbers == [] {
    Numbers expected;
    expected.tiny = 1;
    expected.short_ = 2;
    expected.medium = 3;
    expected.long_ = 4;
    expected.byte = 5;
    expected.word = 6;
    expected.half = 7;
    expected.whole = 8;
    expected.single = 9;
    return expected;
  }());
  CHECK(numbers.tiny_default == -128);
  CHECK(numbers.byte_default == 255);
  CHECK(numbers.half_default == 4294967295);
  CHECK(numbers.whole_default == std::numeric_limits<std::uint64_t>::max());
  CHECK(numbers.single_default == 0.1F);
  CHECK(numbers.infinite_default == -std::numeric_limits<float>::infinity());
  CHECK(numbers.number_default == Number::of<Number::tiny>(std::int8_t{-128}));
}

TEST_CASE("List[uint8] is a list of numbers in JSON, unlike bytes") {
  Numbers numbers;
  numbers.bytes = {0, 128, 255};
  numbers.pixels.try_emplace("a").first->push_back({1, 2});
  numbers.maybe = schemagen::ByteList{3};
  const std::string json = to_json(numbers);
  CHECK(json.find(R"("bytes": [0, 128, 255])") != std::string::npos);
  CHECK(json.find(R"("pixels": {"a": [[1, 2]]})") != std::string::npos);
  CHECK(json.find(R"("maybe": [3])") != std::string::npos);
  CHECK(from_json<Numbers>(json) == numbers);
  CHECK(rewritten<Number>(R"({"bytes": [7, 8]})") == R"({"bytes": [7, 8]})");
}

TEST_CASE("a float32 is written as the shortest text that reads back as the same float") {
  const std::vector<std::pair<float, std::string>> cases = {
      {0.1F, "0.1"},
      {1.0F, "1.0"},
      {-0.0F, "-0.0"},
      {16777216.0F, "16777216.0"},
      {1e10F, "10000000000.0"},
      {1e16F, "1e+16"},
      {1e-5F, "1e-05"},
      {0.0001F, "0.0001"},
      {3.4028235e38F, "3.4028235e+38"},
      {1e-45F, "1e-45"},
      {std::numeric_limits<float>::infinity(), "\"Infinity\""},
      {-std::numeric_limits<float>::infinity(), "\"-Infinity\""},
      {std::numeric_limits<float>::quiet_NaN(), "\"NaN\""},
  };
  for (const auto& [value, text] : cases) {
    CAPTURE(text);
    CHECK(to_json(std::vector<float>{value}) == "[" + text + "]");
    CHECK(rewritten<std::vector<float>>("[" + text + "]") == "[" + text + "]");
  }
}

TEST_CASE("a JSON number is rounded to the nearest float32") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"0.10000000149011612", "0.1"},
      {"16777217", "16777216.0"},
      {"18446744073709551615", "1.8446744e+19"},
      {"99999999999999999999999", "1e+23"},
      {"1e-60", "0.0"},
      {"-1e-60", "-0.0"},
      {"1e-40", "1e-40"},
      // The nearest double is halfway between two floats, the number nearer to the larger.
      {"1.00000005960464477540000000000001", "1.0000001"},
      {"1.000000059604644775390625", "1.0"},
      // Still nearer to the largest float than to the next value.
      {"3.4028235677973365e38", "3.4028235e+38"},
  };
  for (const auto& [text, result] : cases) {
    CAPTURE(text);
    CHECK(rewritten<std::vector<float>>("[" + text + "]") == "[" + result + "]");
  }
  for (const char* const text : {"3.4028235677973367e38", "-1e39", "1e300"}) {
    CAPTURE(text);
    CHECK(error_of<std::vector<float>>("[0, " + std::string(text) + "]") ==
          "[1]: the number is too large for a 32-bit float (line 1, column 5)");
  }
  CHECK(error_of<std::vector<float>>("[\"x\"]") ==
        "[0]: expected a number, \"NaN\", \"Infinity\" or \"-Infinity\", found a different string (line 1, "
        "column 2)");
  CHECK(error_of<std::vector<float>>("[true]") == "[0]: expected a number, found a bool (line 1, column 2)");
}
