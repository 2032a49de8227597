#include "schemagen/json/document.h"

#include <rapidjson/document.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "runtime/test_seed.h"
#include "schemagen/json/reader.h"
#include "schemagen/json/writer.h"

namespace fs = std::filesystem;
using schemagen::JsonDocument;
using schemagen::JsonPathCursor;
using schemagen::JsonReadOptions;
using schemagen::JsonTape;
using schemagen::JsonTextCursor;

namespace {

bool has_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Whether RapidJSON reads the same values.
bool same_value(const JsonTape& tape, std::size_t at, const rapidjson::Value& value) {
  std::string scratch;
  const auto is_text = [&](std::size_t index, const rapidjson::Value& text) {
    return tape.string(index, scratch) == std::string_view(text.GetString(), text.GetStringLength());
  };
  switch (tape.tag(at)) {
    case JsonTape::kObject:
      if (!value.IsObject() || tape.size_of(at) != value.MemberCount()) return false;
      ++at;
      for (const auto& member : value.GetObject()) {
        if (!is_text(at, member.name) || !same_value(tape, at + 1, member.value)) return false;
        at = tape.next(at + 1);
      }
      return true;
    case JsonTape::kArray:
      if (!value.IsArray() || tape.size_of(at) != value.Size()) return false;
      ++at;
      for (const auto& item : value.GetArray()) {
        if (!same_value(tape, at, item)) return false;
        at = tape.next(at);
      }
      return true;
    case JsonTape::kString:
      return value.IsString() && is_text(at, value);
    case JsonTape::kInt64:
      return value.IsInt64() && tape.number<std::int64_t>(at) == value.GetInt64();
    case JsonTape::kUint64:
      return value.IsUint64() && tape.number<std::uint64_t>(at) == value.GetUint64();
    case JsonTape::kDouble:
    case JsonTape::kBigInteger:
    case JsonTape::kBare:
      return value.IsDouble() && has_bits(tape.number<double>(at), value.GetDouble());
    case JsonTape::kTrue:
    case JsonTape::kFalse:
      return value.IsBool() && value.GetBool() == (tape.tag(at) == JsonTape::kTrue);
    default:
      return value.IsNull();
  }
}

bool same_as_rapidjson(const std::string& text) {
  rapidjson::Document other;
  other.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseNanAndInfFlag>(text.c_str());
  return !other.HasParseError() && same_value(JsonDocument(text, {}).tape(), JsonDocument::root(), other);
}

std::vector<std::size_t> starts(const JsonTape& tape) {
  std::vector<std::size_t> result;
  for (std::size_t at = 1; at + 1 < tape.size();) {
    const JsonTape::Tag tag = tape.tag(at);
    if (tag != JsonTape::kObjectEnd && tag != JsonTape::kArrayEnd) result.push_back(at);
    at = tag == JsonTape::kObject || tag == JsonTape::kArray ? at + 1 : tape.next(at);
  }
  return result;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("RapidJSON reads the same from every program in the tests") {
  std::size_t count = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(PT2_SOURCE_DIR) / "tests/data/programs")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    const std::string text = read_file(entry.path());
    CHECK(same_as_rapidjson(text));
    ++count;
  }
  CHECK(count > 50);
}

TEST_CASE("RapidJSON reads the same from every kind of value") {
  for (const char* const text : {"null",
                                 "true",
                                 "false",
                                 "0",
                                 "-1",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "9223372036854775808",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "-9223372036854775809",
                                 "1.5",
                                 "-0.0",
                                 "1e5",
                                 "5e-324",
                                 "1e-400",
                                 "\"\"",
                                 "\"a\\u0000b\"",
                                 "[]",
                                 "{}",
                                 "[[]]",
                                 "[{}]",
                                 "{\"a\": {}}",
                                 "[1, [2, {\"a\": 3}], \"x\"]",
                                 "[\"\", \"\", \"\"]",
                                 "[\"\\u00e9\\ud83d\\ude00\\n\"]",
                                 "[1,1,1,1]",
                                 "NaN",
                                 "[Infinity, -Infinity]"}) {
    CAPTURE(text);
    CHECK(same_as_rapidjson(text));
  }
}

TEST_CASE("RapidJSON reads the same strings with escapes at any distance") {
  std::mt19937_64 random(test_seed());
  const auto below = [&](std::size_t n) { return random() % n; };
  static const std::string kEscapes[] = {
      R"(\\)", R"(\")",     R"(\/)",     R"(\b)",     R"(\f)",     R"(\n)",           R"(\r)",
      R"(\t)", R"(\u0000)", R"(\u007F)", R"(\u00e9)", R"(\u2603)", R"(\ud83d\ude00)", R"(\uDBFF\uDFFF)"};
  for (int round = 0; round < 300; ++round) {
    std::string text = "[";
    for (std::size_t strings = 1 + below(5); strings > 0; --strings) {
      text += '"';
      for (std::size_t escapes = below(40); escapes > 0; --escapes) {
        text += std::string(below(4) == 0 ? below(200) : below(4), below(2) == 0 ? 'x' : 'u');
        text += kEscapes[below(std::size(kEscapes))];
      }
      text += below(2) == 0 ? "\", " : "tail\" ,";
    }
    text += "0]";
    CAPTURE(text);
    CHECK(same_as_rapidjson(text));
  }
}

TEST_CASE("strings may be too long for a word of the tape") {
  const std::string text = "[\"" + std::string(JsonTape::kLongestInText, 'x') + "\", \"" +
                           std::string(JsonTape::kLongestInText + 1, 'y') + "\"]";
  const JsonDocument document(text, {});
  CHECK(document.tape().string(2).size() == JsonTape::kLongestInText);
  CHECK(document.tape().string(3) == std::string(JsonTape::kLongestInText + 1, 'y'));
}

TEST_CASE("bytes after the text are not part of it") {
  for (const char* const text :
       {"[1, 2", "12", "tru", "\"abc", "{\"a\": 1", "[", "{", "{\"a\"", "{\"a\":", "-"}) {
    for (const char behind : {']', '}', '3', 'e', '"', ':', ' '}) {
      CAPTURE(text, behind);
      const std::string_view whole(text);
      const std::string padded = std::string(whole) + std::string(64, behind);
      const auto outcome = [&](std::string_view json, std::size_t readable_after) {
        JsonReadOptions options;
        options.readable_after = readable_after;
        try {
          return std::to_string(JsonDocument(json, options).tape().size());
        } catch (const schemagen::DataError& error) {
          return std::string(error.what());
        }
      };
      CHECK(outcome(std::string_view(padded).substr(0, whole.size()), 64) == outcome(whole, 0));
    }
  }
}

TEST_CASE("a document finds the path and place of every value and key") {
  const std::string text =
      "{\"a\": [1, -2.5,\n  {\"b c\": null, \"d\": [[], {}]}],\n \"e\": \"x\\\"]\", \"f\":true}";
  const std::vector<std::string> expected = {
      " 1:1",   // the root
      "a 1:2",  // its key a
      "a 1:7",  // the list
      "a[0] 1:8",
      "a[1] 1:11",
      "a[2] 2:3",
      "a[2][\"b c\"] 2:4",   // key
      "a[2][\"b c\"] 2:11",  // value
      "a[2].d 2:17",
      "a[2].d 2:22",
      "a[2].d[0] 2:23",
      "a[2].d[1] 2:27",
      "e 3:2",
      "e 3:7",
      "f 3:15",
      "f 3:19",
  };
  const JsonDocument document(text, {});
  std::vector<std::string> found;
  JsonPathCursor paths(document.tape());
  for (const std::size_t index : starts(document.tape())) {
    const schemagen::Place place = document.place(index);
    found.push_back(document.path(index) + " " + std::to_string(place.line) + ":" +
                    std::to_string(place.column));
    CHECK(paths.seek(index) == document.path(index));
  }
  CHECK(found == expected);
}

TEST_CASE("a path cursor finds the same paths as separate searches") {
  const std::string text =
      R"([{"a": [1, [2, 3], {"b": 4}]}, [], {}, [[5]], {"c": {"d": [6, {"e": 7}]}, "f": 8}, 9])";
  const JsonDocument document(text, {});
  const std::vector<std::size_t> all = starts(document.tape());
  for (std::size_t step = 1; step < all.size(); ++step) {
    for (std::size_t first = 0; first < step; ++first) {
      JsonPathCursor paths(document.tape());
      for (std::size_t i = first; i < all.size(); i += step) {
        REQUIRE(paths.seek(all[i]) == document.path(all[i]));
        REQUIRE(paths.seek(all[i]) == document.path(all[i]));
      }
    }
  }
  CHECK(JsonPathCursor(JsonDocument("1", {}).tape()).seek(1).empty());
}

TEST_CASE("a text cursor finds the tokens of a tape") {
  const std::string text =
      "[ 1 , -2.50,\"a\\\\\\\"]\" ,{ \"k\" :null},NaN,-Infinity, 123456789012345678901234567890 ]";
  const std::vector<std::string> expected = {
      "[",     "1",    "-2.50", "\"a\\\\\\\"]\"", "{",
      "\"k\"", "null", "NaN",   "-Infinity",      "123456789012345678901234567890"};
  const JsonDocument document(text, {});
  JsonTextCursor cursor(text);
  std::vector<std::string> found;
  for (const std::size_t index : starts(document.tape())) {
    const std::size_t start = cursor.seek(index);
    CHECK(cursor.seek(index) == start);
    found.push_back(text.substr(start, cursor.end_of_token() - start));
  }
  CHECK(found == expected);
}

TEST_CASE("a value can be read from a parsed document") {
  const std::string text = "[1, 2]";
  const JsonDocument document(text, {});
  const JsonDocument copy = document;
  CHECK(schemagen::from_json<std::vector<std::int64_t>>(document) == std::vector<std::int64_t>{1, 2});
  CHECK(schemagen::from_json<std::vector<double>>(copy) == std::vector<double>{1.0, 2.0});
  CHECK_THROWS_AS(schemagen::from_json<bool>(document), schemagen::DataError);
}

TEST_CASE("a place can be found from an earlier one") {
  const std::string text = "ab\ncd\n\nef";
  for (std::size_t from = 0; from <= text.size(); ++from) {
    const schemagen::Place earlier = schemagen::place_in_text(text, from);
    for (std::size_t to = from; to <= text.size() + 1; ++to) {
      const schemagen::Place direct = schemagen::place_in_text(text, to);
      const schemagen::Place onward = schemagen::place_in_text(text, to, earlier);
      CAPTURE(from, to);
      CHECK(place_text(onward) == place_text(direct));
      CHECK(onward.offset == direct.offset);
    }
  }
}

TEST_CASE("an error's message has path and place, which are also available separately") {
  try {
    JsonDocument("[1,\n x]", {});
    FAIL("read");
  } catch (const schemagen::DataError& error) {
    CHECK(std::string(error.what()) == "[1]: expected a value (line 2, column 2)");
    CHECK(error.reason() == "expected a value");
    CHECK(error.path() == "[1]");
    CHECK(error.place().line == 2);
    CHECK(error.place().column == 2);
    CHECK(error.place().offset == 5);
  }
  CHECK(std::string(schemagen::DataError("why").what()) == "why");
  CHECK(std::string(schemagen::DataError("why", "a.b").what()) == "a.b: why");
  schemagen::Place byte;
  byte.offset = 7;
  CHECK(std::string(schemagen::DataError("why", "a.b", byte).what()) == "a.b: why (byte 7)");
}
