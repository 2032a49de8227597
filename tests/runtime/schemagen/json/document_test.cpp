#include "schemagen/json/document.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "runtime/schemagen/json/json_parsers.h"
#include "runtime/test_seed.h"
#include "schemagen/json/text_position.h"

namespace fs = std::filesystem;
using schemagen::JsonDocument;
using schemagen::JsonPathCursor;
using schemagen::JsonReadOptions;
using schemagen::JsonTape;
using schemagen::JsonTextCursor;

namespace {

std::size_t size(const JsonTape& tape) {
  return tape.words[0] & JsonTape::kPayload;
}

/// Equal except for string offsets.
bool same_tape(const JsonTape& a, const JsonTape& b) {
  if (size(a) != size(b) || a.first_bare != b.first_bare) return false;
  std::size_t at = 1;
  std::string of_a;
  std::string of_b;
  while (at + 1 < size(a)) {
    if (a.tag(at) != b.tag(at)) return false;
    const bool is_string = a.tag(at) == JsonTape::kString;
    const bool is_open = a.tag(at) == JsonTape::kObject || a.tag(at) == JsonTape::kArray;
    const std::size_t next = is_open ? at + 1 : a.next(at);
    if (is_string ? a.string(at, of_a) != b.string(at, of_b) : a.words[at] != b.words[at]) return false;
    if (next == at + 2 && a.words[at + 1] != b.words[at + 1]) return false;
    at = next;
  }
  return at + 1 == size(a) && a.tag(at) == JsonTape::kRoot;
}

bool same_tapes(const std::string& text) {
  return same_tape(document_by(JsonParser::plain, text).tape(),
                   document_by(JsonParser::rapidjson, text).tape());
}

std::vector<std::size_t> starts(const JsonTape& tape) {
  std::vector<std::size_t> result;
  for (std::size_t at = 1; at + 1 < size(tape);) {
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

TEST_CASE("both parsers make the same tape of every program in the tests") {
  std::size_t count = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(PT2_SOURCE_DIR) / "tests/data/programs")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    const std::string text = read_file(entry.path());
    CHECK(same_tapes(text));
    ++count;
  }
  CHECK(count > 50);
}

TEST_CASE("both parsers make the same tape of every kind of value") {
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
    CHECK(same_tapes(text));
  }
}

TEST_CASE("both parsers read strings with escapes at any distance") {
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
    CHECK(same_tapes(text));
  }
}

TEST_CASE("both parsers read strings that are too long for a word of the tape") {
  const std::string text = "[\"" + std::string(JsonTape::kLongestInText, 'x') + "\", \"" +
                           std::string(JsonTape::kLongestInText + 1, 'y') + "\"]";
  const JsonDocument document = document_by(JsonParser::plain, text);
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
      JsonReadOptions options;
      options.readable_after = 64;
      const auto outcome = [&](JsonParser parser, std::string_view json) {
        try {
          return std::to_string(size(document_by(parser, json, options).tape()));
        } catch (const schemagen::DataError& error) {
          return std::string(error.what());
        }
      };
      CHECK(outcome(JsonParser::plain, std::string_view(padded).substr(0, whole.size())) ==
            outcome(JsonParser::rapidjson, whole));
    }
  }
}

TEST_CASE("strings never exceed the room reserved for them") {
  // The tape takes more bytes than the text.
  for (const std::size_t length : {0u, 1u, 2u, 3u, 7u}) {
    for (const std::size_t count : {1u, 2u, 3u, 100u, 9999u}) {
      const std::string item = "\"" + std::string(length, 'x') + "\",";
      std::string text = "[";
      for (std::size_t i = 0; i < count; ++i) text += item;
      text.back() = ']';
      const JsonDocument document = document_by(JsonParser::rapidjson, text);
      CHECK(document.tape().count(JsonDocument::root()) == count);
      CHECK(document.tape().string(size(document.tape()) - 3).size() == length);
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
  for (const JsonParser parser : kParsers) {
    const JsonDocument document = document_by(parser, text);
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
  for (const JsonParser parser : kParsers) {
    const JsonDocument document = document_by(parser, text);
    const JsonDocument copy = document;
    CHECK(schemagen::from_json<std::vector<std::int64_t>>(document) == std::vector<std::int64_t>{1, 2});
    CHECK(schemagen::from_json<std::vector<double>>(copy) == std::vector<double>{1.0, 2.0});
    CHECK_THROWS_AS(schemagen::from_json<bool>(document), schemagen::DataError);
  }
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
