// All other tests of JSON also compare the fast reader with the tape.
#include "schemagen/json/reader.h"

#include <everything/json.h>
#include <letters_2_4/json.h>
#include <pt2/json.h>
#include <pt2/visit.h>
#include <schemagen/base/visit.h>
#include <schemagen/json/padded_text.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "program_files.h"
#include "runtime/schemagen/json/json_check.h"
#include "runtime/test_seed.h"

namespace {

namespace fs = std::filesystem;
using everything::Tree;
using pt2::ExportedProgram;
using schemagen::from_plain_json;
using schemagen::JsonReadOptions;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const char kTree[] =
    R"({"name": "a name", "left": {"name": "l"}, "right": null, "children": [{"name": "c"}, {"name": "d"}], )"
    R"("named": {"k": {"name": "n"}}, "choice": {"blob": "AAECAw=="}})";

std::string with_blanks(const std::string& text, const std::string& blanks) {
  std::string changed = blanks;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) in_string = !in_string;
    if (!in_string && text[i] == ' ') continue;
    changed += text[i];
    if (!in_string && std::string("{}[],:\"").find(text[i]) != std::string::npos) changed += blanks;
  }
  return changed;
}

}  // namespace

TEST_CASE("the fast reader reads programs of the latest torch") {
  std::size_t count = 0;
  for (const fs::path& path : program_files("programs/torch-2.13.0")) {
    CAPTURE(path.filename().string());
    const std::string text = text_of(path);
    const auto plain = from_plain_json<ExportedProgram>(text);
    REQUIRE(plain);
    const schemagen::JsonDocument document(text, {});
    CHECK(schemagen::to_json(*plain) == schemagen::to_json(schemagen::from_json<ExportedProgram>(document)));
    ++count;
  }
  CHECK(count > 10);
}

TEST_CASE("the fast reader accepts every kind of white space") {
  const auto tree = from_plain_json<Tree>(kTree);
  REQUIRE(tree);
  for (const char* blanks : {"", " ", "  ", "\n", "\r\n\t", " \n  "}) {
    CAPTURE(blanks);
    const auto again = from_plain_json<Tree>(with_blanks(kTree, blanks));
    REQUIRE(again);
    CHECK(*again == *tree);
  }
}

TEST_CASE("the fast reader gives up on errors, unknown fields and rare syntax") {
  CHECK(from_plain_json<Tree>(R"({"name": "a"})"));
  for (const char* text : {
           "",
           " ",
           "{",
           R"({"name": "a")",
           R"({"name": "a"}})",
           R"({"name": "a"} x)",
           R"({"name": "a",})",
           R"({"name": "a" "left": null})",
           R"({"name" "a"})",
           R"({"name": 1})",
           R"({"name": "a", "new": 1})",
           R"({})",
           R"({"left": null, "name": "a"})",
           R"({"name": "a", "name": "b"})",
           "{\"name\": \"a\nb\"}",
           "{\"name\": \"\xff\"}",
           R"({"name": "\x"})",
           R"({"name": "\ud800"})",
           R"({"name": "a)",
           R"({"name": "a\)",
           R"({"na\u006de": "a"})",
           R"({"name": "a", "choice": {}})",
           R"({"name": "a", "choice": {"kind": 1, "flags": []}})",
           R"({"name": "a", "choice": {"kind": 01}})",
           R"({"name": "a", "choice": {"kind": 1.0}})",
           R"({"name": "a", "choice": {"kind": 9999999999999999999}})",
           R"({"name": "a", "choice": {"new": 1}})",
           R"({"name": "a", "choice": {"blob": "A"}})",
           R"({"name": "a", "choice": {"nothing": [1]}})",
           R"({"name": "a", "choice": {"anything": [1, }})",
           R"({"name": "a", "choice": {"anything": NaN}})",
           R"({"name": "a", "named": {"k": {"name": "n"}, "k": {"name": "n"}}})",
           R"({"name": "a", "children": [}]})",
           R"({"name": "a", "left": nul})",
           R"({"name": "a", "choice": {"flags": [tru]}})",
       }) {
    CAPTURE(text);
    CHECK_FALSE(from_plain_json<Tree>(text));
    CHECK(json_fault<Tree>(text).empty());
  }
}

TEST_CASE("the fast reader gives up beyond a limit") {
  const auto is_plain = [](auto set) {
    JsonReadOptions options;
    set(options.limits);
    return from_plain_json<Tree>(kTree, options).has_value();
  };
  CHECK(is_plain([](auto&) {}));
  CHECK(is_plain([](auto& limits) { limits.depth = 4; }));  // the absent lists count
  CHECK_FALSE(is_plain([](auto& limits) { limits.depth = 3; }));
  CHECK(is_plain([](auto& limits) { limits.container_items = 2; }));
  CHECK_FALSE(is_plain([](auto& limits) { limits.container_items = 1; }));
  CHECK(is_plain([](auto& limits) { limits.string_bytes = 8; }));
  CHECK_FALSE(is_plain([](auto& limits) { limits.string_bytes = 5; }));
  CHECK_FALSE(is_plain([](auto& limits) { limits.input_bytes = sizeof kTree - 2; }));
  CHECK_FALSE(is_plain([](auto& limits) { limits.memory_bytes = 2000; }));
}

TEST_CASE("bytes after the text are ignored") {
  const std::string whole = std::string(kTree) + std::string(100, '}') + std::string(100, ']');
  JsonReadOptions options;
  options.readable_after = schemagen::PaddedText::kBehind;
  const std::string_view view = whole;
  for (std::size_t size = 0; size < sizeof kTree - 1; ++size) {
    CAPTURE(size);
    CHECK_FALSE(from_plain_json<Tree>(view.substr(0, size), options));
  }
  CHECK(from_plain_json<Tree>(view.substr(0, sizeof kTree - 1), options));
  CHECK_FALSE(from_plain_json<Tree>(view.substr(0, sizeof kTree), options));
}

TEST_CASE("reads stay within the readable bytes after the text") {
  const std::string whole =
      R"({"name": "\u00e9\n\ud83d\ude00\\", "named": {"\u00e9": {"name": "n"}}, "choice": {"kind": -123}})";
  JsonReadOptions options;
  options.readable_after = schemagen::PaddedText::kBehind;
  for (const char* behind : {"\\u00e9", "\\ud83d\\ude00", "\\", "\"", "}", ", \"named\": {", "1", " "}) {
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      CAPTURE(behind, size);
      std::string text = whole.substr(0, size);
      while (text.size() < size + options.readable_after) text += behind;
      text.resize(size + options.readable_after);
      // In a separate block, sanitizers see reads beyond it.
      const std::vector<char> block(text.begin(), text.end());
      const auto tree = from_plain_json<Tree>({block.data(), size}, options);
      CHECK(tree.has_value() == (size == whole.size()));
    }
  }
}

TEST_CASE("strings of any length and content read the same as from the tape") {
  std::mt19937_64 random(test_seed());
  const std::string pieces[] = {
      "a",    "bcdefghijklmnop",    "\\n",     "\\\\", "\\\"", "\\u00e9", "\\ud83d\\ude00", "é",
      "😀",    std::string(70, 'x'), "\\ud800", "\\",   "\"",   "\x1f",    "\x80",           "\\x",
      "\\u12"};
  constexpr std::size_t kGood = 10;
  const auto check = [&](const std::string& string, bool is_good) {
    const std::string text = "{\"name\": \"" + string + "\"}";
    CAPTURE(text);
    if (is_good) CHECK(from_plain_json<Tree>(text));
    const std::string fault = json_fault<Tree>(text);
    CHECK(fault.empty());
  };
  // Each piece at each position within a block, then at random positions.
  for (std::size_t i = 0; i < std::size(pieces); ++i) {
    for (std::size_t before = 0; before < 70; ++before)
      check(std::string(before, 'x') + pieces[i], i < kGood);
  }
  for (int round = 0; round < 3000; ++round) {
    const bool is_good = random() % 4 != 0;
    std::string string;
    for (std::size_t count = random() % 40; count != 0; --count)
      string += pieces[random() % (is_good ? kGood : std::size(pieces))];
    check(string, is_good);
  }
}

TEST_CASE("the fast reader skips left-out fields") {
  const std::string text = text_of(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/gpt2.json");
  std::vector<schemagen::FieldName> met;
  JsonReadOptions options;
  options.leave_out = {schemagen::field_name<&pt2::Node::metadata>,
                       schemagen::field_name<&pt2::Graph::tensor_values>};
  options.left_out = &met;
  const auto plain = from_plain_json<ExportedProgram>(text, options);
  REQUIRE(plain);
  CHECK(met == options.leave_out);
  CHECK(*plain == schemagen::from_json<ExportedProgram>(schemagen::JsonDocument(text, {}), options));
  CHECK(plain->graph_module.graph.tensor_values.empty());
}

TEST_CASE("the fast reader gives up on another schema version") {
  const auto letter = [](const std::string& version) {
    return R"({"version": )" + version + R"(, "text": "t", "to": {"box": 1}})";
  };
  using letters_2_4::Letter;
  CHECK(from_plain_json<Letter>(letter(R"({"major": 2, "minor": 4})")));
  CHECK_FALSE(from_plain_json<Letter>(letter(R"({"major": 2, "minor": 5})")));
  CHECK_FALSE(from_plain_json<Letter>(letter(R"({"major": 3, "minor": 4})")));
  CHECK_FALSE(from_plain_json<Letter>(letter("2")));
}
