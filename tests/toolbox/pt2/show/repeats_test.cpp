#include "pt2/show/repeats.h"

#include <catch2/catch.hpp>
#include <string>

using pt2::find_repeats;

namespace {

std::string repeats_of(const std::string& text, std::size_t least = 1) {
  std::string found;
  for (const pt2::Repeat& repeat : find_repeats({text.begin(), text.end()}, least)) {
    found += (found.empty() ? "" : " ") + std::to_string(repeat.begin) + "+" + std::to_string(repeat.period) +
             "*" + std::to_string(repeat.count);
  }
  return found;
}

}  // namespace

TEST_CASE("repeats are found with their shortest period") {
  CHECK(repeats_of("").empty());
  CHECK(repeats_of("abcd").empty());
  CHECK(repeats_of("xabcabcabcy") == "1+3*3");
  CHECK(repeats_of("abababab") == "0+2*4");
  CHECK(repeats_of("abcabxabcab", 3).empty());
}

TEST_CASE("repeats that cover most are preferred and do not overlap") {
  CHECK(repeats_of("aabaab") == "0+3*2");
  CHECK(repeats_of("xyxyxy-abcdabcd") == "0+2*3 7+4*2");
}

TEST_CASE("short repeats are omitted, and are not found as longer ones") {
  CHECK(repeats_of("aaaaaaaa", 3).empty());
  CHECK(repeats_of("aaaaaaaaxyzxyz", 3) == "8+3*2");
}
