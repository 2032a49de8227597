#include "evolution/upgrade_steps.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "generator/torch_exports.h"

using generator::Version;

namespace {

std::string edited(const std::string& text, Version version) {
  const std::string result = with_version(text, model_of(text), version);
  const generator::Model model = model_of(result);
  CHECK(model.version.major_ == version.major_);
  CHECK(model.version.minor_ == version.minor_);
  return result;
}

}  // namespace

TEST_CASE("only the two numbers change, in any layout") {
  const std::pair<const char*, const char*> cases[] = {
      {"name: s\nversion: {major: 1, minor: 9}\ntypes: {}\n",
       "name: s\nversion: {major: 2, minor: 10}\ntypes: {}\n"},
      {"version: { minor : 9 ,major: 1 }  # v 1.9\nname: s\ntypes: {}\n",
       "version: { minor : 10 ,major: 2 }  # v 1.9\nname: s\ntypes: {}\n"},
      {"# é 1.9\r\nname: s\r\nversion:  # é\r\n    minor:   9   # major: 1\r\n\r\n    # x\r\n    major: "
       "1\r\ntypes: {}",
       "# é 1.9\r\nname: s\r\nversion:  # é\r\n    minor:   10   # major: 1\r\n\r\n    # x\r\n    major: "
       "2\r\ntypes: {}"},
      {"{\"version\": {\"major\": 1, \"minor\": 9}, \"name\": \"s\", \"types\": {}}",
       "{\"version\": {\"major\": 2, \"minor\": 10}, \"name\": \"s\", \"types\": {}}"},
      {"name: s\nversion:\n  major:\n    1\n  minor:\n    9\ntypes: {}\n",
       "name: s\nversion:\n  major:\n    2\n  minor:\n    10\ntypes: {}\n"},
      {"version: {'major': 1, \"minor\": 9}\nname: s\nconstants: {major: 1, minor: 9}\ntypes: {}\n",
       "version: {'major': 2, \"minor\": 10}\nname: s\nconstants: {major: 1, minor: 9}\ntypes: {}\n"},
  };
  for (const auto& [before, after] : cases) CHECK(edited(before, {2, 10}) == after);
}

TEST_CASE("numbers may become shorter") {
  CHECK(edited("name: s\nversion: {major: 10, minor: 100}\ntypes: {}\n", {9, 0}) ==
        "name: s\nversion: {major: 9, minor: 0}\ntypes: {}\n");
}

TEST_CASE("a number that is not written as usual is found") {
  CHECK(edited("name: s\nversion: {major: 1, minor: -0}\ntypes: {}\n", {1, 1}) ==
        "name: s\nversion: {major: 1, minor: 1}\ntypes: {}\n");
}

TEST_CASE("the head keeps every byte except its version") {
  std::string text = file_text("schema/pt2.yaml");
  const std::string result = edited(text, {9, 1});
  const std::size_t begin = text.find("version: {");
  REQUIRE(begin != std::string::npos);
  text.replace(begin, text.find('\n', begin) - begin, "version: {major: 9, minor: 1}");
  CHECK(result == text);
}

TEST_CASE("the text of another schema is our own fault") {
  const generator::Model model = model_of("name: s\nversion: {major: 1, minor: 2}\ntypes: {}\n");
  CHECK_THROWS_AS(with_version("name: s\nversion: {major: 1, minor: 3}\ntypes: {}\n", model, {2, 0}),
                  std::logic_error);
  CHECK_THROWS_AS(with_version("name: s\n", model, {2, 0}), std::logic_error);
}
