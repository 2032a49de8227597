#include "pt2/text/python_name.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <string>

using pt2::is_nfkc;

TEST_CASE("letters of all scripts are normalized in ordinary spelling") {
  for (const char* const text : {
           "",   "layer_1", "größe",  "слой",  "层",  "レイヤー", "계층", "שכבה", "طبقة",  "परत",
           "ชั้น", "ที่รู้",      "அடுக்கு", "শ্রেণী", "lớp", "Ψ",        "x̂",    "ß",    "a🙂", "½ ² ™",
       }) {
    INFO(text);
    // Identifiers contain no compatibility characters, so such names are quoted.
    CHECK(is_nfkc(text));
  }
}

TEST_CASE("identifiers that Python reads differently are not normalized") {
  for (const char* const text : {
           "\xef\xbc\xbf",              // U+FF3F, a low line
           "\xef\xbd\x94o_folder",      // U+FF54, a t
           "\xf0\x9d\x92\x99",          // U+1D499, an x
           "\xc2\xaa",                  // U+00AA, an a
           "\xef\xac\x81",              // U+FB01, fi
           "e\xcc\x81",                 // e and U+0301, composed
           "a\xcc\x81\xcc\xa3",         // marks in another order
           "\xc3\xa9\xcc\xa3",          // the same on a composed letter
           "\xe1\x84\x80\xe1\x85\xa1",  // single letters of Hangul
           "\xe1\xae\x9a\xcd\xb8",      // U+0378, not assigned
           "\xe0\xaf\x86\xe0\xae\xbe",  // U+0BC6 and U+0BBE, composed
           "\xff",
       }) {
    INFO(text);
    CHECK_FALSE(is_nfkc(text));
  }
}

TEST_CASE("long texts take linear time") {
  std::string marks = "a";
  std::string letters;
  for (int i = 0; i < 100'000; ++i) {
    marks += i % 2 == 0 ? "\xcc\x80" : "\xcc\xa3";
    letters += "\xc3\xa9";
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(is_nfkc(marks));
  CHECK(is_nfkc(letters));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}
