#include <everything/json.h>
#include <pt2/json.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "runtime/schemagen/json/json_check.h"
#include "runtime/test_seed.h"
#include "schemagen/json/reader.h"
#include "schemagen/json/writer.h"

namespace {

using everything::Containers;
using everything::Tree;
using pt2::ExportedProgram;
using schemagen::Json;
using schemagen::JsonReadOptions;
using schemagen::UnknownFields;

std::string program(const std::string& name) {
  std::ifstream in(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  REQUIRE(!text.empty());
  return text;
}

JsonReadOptions with_bare_nonfinite() {
  JsonReadOptions options;
  options.bare_nonfinite = true;
  return options;
}

// Has every kind of value and type, so any change breaks a rule.
const char kTree[] =
    R"({"name": "r\u00e9\ud83d\ude00\\\n", "left": {"name": "é☃😀", "choice": {"kind": -12}}, "right": null,)"
    R"( "children": [{"name": "", "choice": {"flags": [true, false]}}, {"name": "c", "choice": {"color": 2}}],)"
    R"( "named": {"a": {"name": "x", "choice": {"blob": "AAECAw=="}}, "b c": {"name": "y", "choice": {"nothing":)"
    R"( []}}}, "choice": {"anything": [1.50, {"a": 1e-3}, "s", null]}})";
const char kContainers[] =
    R"({"flags": [true], "blobs": ["", "Zg=="], "matrix": [[1, -2.5e10], [], ["NaN", 9223372036854775808]],)"
    R"( "by_name": {"a": [{"x": 9223372036854775807, "y": -9223372036854775808}]}, "choices": [{"int": "1"}],)"
    R"( "colors": {"r": 0, "s": -2147483648}, "units": [[], []], "values": [{"deep": [[[[1]]]]}, 0.1]})";

void change(std::string& text, std::mt19937_64& random) {
  static const std::string kTokens[] = {"\"",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\\",
                                        "\\u",
                                        "\\ud800",
                                        "\\udc00",
                                        "null",
                                        "true",
                                        "1",
                                        "-",
                                        ".",
                                        "e",
                                        "0e400",
                                        "1e400",
                                        "NaN",
                                        "-Infinity",
                                        "Inf",
                                        "9223372036854775808",
                                        "\xff",
                                        "\xc3",
                                        "\xed\xa0\x80",
                                        "\x1f",
                                        "\n",
                                        "\"a\": 1,",
                                        std::string(1, '\0'),
                                        "[[[[[[[[",
                                        "{\"a\":"};
  const std::size_t at = text.empty() ? 0 : random() % text.size();
  const auto offset = static_cast<std::ptrdiff_t>(at);
  switch (random() % 6) {
    case 0:
      if (!text.empty()) text[at] = static_cast<char>(random() % 256);
      break;
    case 1:
      if (!text.empty())
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1u << (random() % 8)));
      break;
    case 2:
      text.erase(at, 1 + random() % 8);
      break;
    case 3:
      text.insert(at, kTokens[random() % std::size(kTokens)]);
      break;
    case 4:
      text.insert(at, text.substr(random() % (text.size() + 1), random() % 64));
      break;
    case 5:
      std::rotate(text.begin() + offset,
                  text.begin() + offset + static_cast<std::ptrdiff_t>(random() % (text.size() - at + 1)),
                  text.end());
      break;
  }
}

template <class T>
void check_changes(const std::string& text, int rounds, std::uint64_t seed,
                   const JsonReadOptions& options = {}) {
  std::mt19937_64 random(seed);
  T used{};
  for (int round = 0; round < rounds; ++round) {
    if (used == T()) static_cast<void>(json_fault_over(text, used, options));
    std::string changed = text;
    for (std::uint64_t n = 1 + random() % 4; n != 0; --n) change(changed, random);
    const std::string fault = json_fault<T>(changed, options);
    CAPTURE(seed, changed);
    REQUIRE(fault == "");
    REQUIRE(json_fault_over(changed, used, options) == "");
  }
}

template <class T>
void check_every_prefix(const std::string& text) {
  for (std::size_t length = 0; length < text.size(); ++length) {
    // A copy lets sanitizers notice reads past the end.
    const std::string prefix(text, 0, length);
    const std::string fault = json_fault<T>(prefix);
    if (fault.empty()) {
      bool is_error = false;
      try {
        schemagen::from_json<T>(prefix);
      } catch (const schemagen::DataError&) {
        is_error = true;
      }
      if (is_error) continue;
    }
    CAPTURE(length);
    FAIL("a prefix was taken, or " << fault);
  }
  CHECK(json_fault<T>(text).empty());
}

}  // namespace

TEST_CASE("a truncated program is an error") {
  check_every_prefix<ExportedProgram>(program("no_inputs.json"));
}

TEST_CASE("a truncated value of any type is an error") {
  check_every_prefix<Tree>(kTree);
  check_every_prefix<Containers>(kContainers);
  check_every_prefix<std::vector<Json>>(std::string("[") + kTree + "]");
}

TEST_CASE("all readers agree on the value or error of any mutated document") {
  const std::uint64_t seed = test_seed();
  JsonReadOptions skip;
  skip.unknown_fields = UnknownFields::skip;
  JsonReadOptions keep;
  keep.unknown_fields = UnknownFields::keep;
  check_changes<Tree>(kTree, 4000, seed);
  check_changes<Tree>(kTree, 3000, seed, keep);
  check_changes<Containers>(kContainers, 4000, seed);
  check_changes<Containers>(kContainers, 3000, seed, with_bare_nonfinite());
  check_changes<Json>(kTree, 3000, seed);
  check_changes<ExportedProgram>(program("no_inputs.json"), 50, seed);
  check_changes<ExportedProgram>(program("cond.json"), 50, seed);
  // Skipping union members leaves unions unset, which cannot be written.
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = kTree;
    change(changed, random);
    try {
      schemagen::from_json<Tree>(changed, skip);
    } catch (const schemagen::DataError&) {
    }
  }
}
