#include "schemagen/base/utf8.h"
#include "schemagen/base/json_syntax.h"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>

#include "schemagen/json/document.h"

using schemagen::find_bad_utf8;
using schemagen::find_control_character;
using schemagen::find_lone_surrogate;
using schemagen::is_ascii;
using schemagen::next_code_point;
using schemagen::place_in_text;

TEST_CASE("code points are read at the edges of every length") {
  const std::pair<std::string, char32_t> vectors[] = {
      {std::string("\0", 1), 0},
      {"\x7f", 0x7f},
      {"\xc2\x80", 0x80},
      {"\xdf\xbf", 0x7ff},
      {"\xe0\xa0\x80", 0x800},
      {"\xed\x9f\xbf", 0xd7ff},
      {"\xee\x80\x80", 0xe000},
      {"\xef\xbf\xbf", 0xffff},
      {"\xf0\x90\x80\x80", 0x10000},
      {"\xf4\x8f\xbf\xbf", 0x10ffff},
  };
  for (const auto& [text, code] : vectors) {
    std::size_t at = 0;
    CHECK(next_code_point(text, at) == code);
    CHECK(at == text.size());
    CHECK_FALSE(find_bad_utf8(text).has_value());
  }
}

TEST_CASE("invalid UTF-8 is found at its first byte") {
  const std::string bad[] = {
      "\x80",  // a continuation
      "\xbf",
      "\xc0\x80",  // overlong
      "\xc1\xbf",
      "\xe0\x9f\xbf",
      "\xf0\x8f\xbf\xbf",
      "\xed\xa0\x80",  // surrogates
      "\xed\xbf\xbf",
      "\xf4\x90\x80\x80",  // beyond the last code point
      "\xf5\x80\x80\x80",
      "\xff",
      "\xc2",  // cut off
      "\xe2\x98",
      "\xf0\x9f\x98",
      "\xc2\x41",  // a continuation is missing
      "\xe2\x41\x80",
      "\xf0\x9f\x41\x80",
  };
  for (const std::string& bytes : bad) {
    for (const std::size_t before : {0u, 1u, 7u, 8u, 31u, 32u, 33u}) {
      const std::string text = std::string(before, 'a') + bytes + "b";
      CHECK(find_bad_utf8(text) == before);
      CHECK_FALSE(is_ascii(text));
    }
  }
}

TEST_CASE("invalid UTF-8 is found at every position, before and after other letters") {
  for (std::size_t length = 0; length < 40; ++length) {
    for (std::size_t letter = 0; letter + 2 <= length; ++letter) {
      std::string text(length, 'x');
      text.replace(letter, 2, "\u00e9");
      CHECK_FALSE(find_bad_utf8(text).has_value());
      for (std::size_t bad = 0; bad < length; ++bad) {
        const char before = text[bad];
        text[bad] = '\xff';
        CHECK(find_bad_utf8(text) == (bad == letter + 1 ? letter : bad));
        text[bad] = before;
      }
    }
  }
}

TEST_CASE("ASCII is recognized at every length and position") {
  for (std::size_t length = 0; length < 100; ++length) {
    std::string text(length, 'x');
    CHECK(is_ascii(text));
    for (std::size_t at = 0; at < length; ++at) {
      text[at] = '\x80';
      CHECK_FALSE(is_ascii(text));
      text[at] = 'x';
    }
  }
}

TEST_CASE("the first escape of a surrogate that is not one of a pair is found") {
  const std::pair<const char*, std::optional<std::size_t>> vectors[] = {
      {R"("\ud83d\ude00")", std::nullopt},
      {R"("\uD83D\uDE00\ud800\udc00\udbff\udfff")", std::nullopt},
      {R"("\\ud800 \ud7ff \ue000")", std::nullopt},
      {R"("\n\ud800")", 3},
      {R"("\ud83d\ude00\ud83d")", 13},
      {R"("\udc00")", 1},
      {R"("\ud800\ud800\udc00")", 1},
      {R"("\ud800\u0041")", 1},
      {R"("\ud800\\udc00")", 1},
      {R"(\ud800\udc0)", 0},
      {R"(\ud80)", std::nullopt},  // no escape at all
      {R"(\)", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [json, at] : vectors) {
    CAPTURE(json);
    CHECK(find_lone_surrogate(json) == at);
  }
}

TEST_CASE("control characters other than white space are found") {
  for (const std::size_t length : {0u, 1u, 15u, 16u, 17u, 63u, 64u, 100u}) {
    for (char c = 0; c < 0x20; ++c) {
      const bool is_space = c == '\t' || c == '\n' || c == '\r';
      const std::string text = std::string(length, 'x') + c + "\xff";
      CHECK(find_control_character(text) == (is_space ? std::nullopt : std::optional(length)));
    }
  }
  CHECK_FALSE(find_control_character(" \t\r\n\x7f\x80\xff").has_value());
}

TEST_CASE("lines and columns count from one, in bytes") {
  const std::string text = "ab\n\xe2\x98\x83x\n";
  const auto at = [&](std::size_t offset) {
    const schemagen::Place place = place_in_text(text, offset);
    return std::make_pair(place.line, place.column);
  };
  CHECK(at(0) == std::make_pair(std::size_t{1}, std::size_t{1}));
  CHECK(at(2) == std::make_pair(std::size_t{1}, std::size_t{3}));
  CHECK(at(3) == std::make_pair(std::size_t{2}, std::size_t{1}));
  CHECK(at(6) == std::make_pair(std::size_t{2}, std::size_t{4}));
  CHECK(at(8) == std::make_pair(std::size_t{3}, std::size_t{1}));
  CHECK(at(1000) == std::make_pair(std::size_t{3}, std::size_t{1}));
}
