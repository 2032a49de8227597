#include <letters_2_4/json.h>
#include <letters_2_5/json.h>
#include <letters_3_0/json.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "schemagen/base/error.h"

namespace {

template <class T>
std::string read_error(const std::string& json, const schemagen::JsonReadOptions& options = {}) {
  try {
    static_cast<void>(schemagen::from_json<T>(json, options));
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

std::string letter(const std::string& version, const std::string& more = {}) {
  return R"({"version": )" + version + R"(, "text": "hello", "to": {"box": 7})" + more + "}";
}

}  // namespace

TEST_CASE("a new value has the schema's version, and a writer writes it") {
  letters_2_5::Letter value;
  value.to.emplace<letters_2_5::Address::box>(7);
  CHECK(value.version.major == 2);
  CHECK(value.version.minor == 5);
  value.version = {1, 0};
  const std::string json = schemagen::to_json(value);
  CHECK(json.substr(0, 38) == R"({"version": {"major": 2, "minor": 5}, )");
}

TEST_CASE("a document of the reader's version or an earlier minor is read") {
  CHECK(schemagen::from_json<letters_2_5::Letter>(letter(R"({"major": 2, "minor": 5})")).text == "hello");
  const auto read = schemagen::from_json<letters_2_5::Letter>(letter(R"({"minor": 4, "major": 2})"));
  CHECK(read.text == "hello");
  CHECK(read.version.minor == 4);
}

TEST_CASE("a document of another major version is rejected by name, wherever its version is") {
  const std::string reason =
      "version: cannot read 'letters.Letter' of schema 3.0 with code for schema 2.4; hint: use code for "
      "major "
      "version 3 ";
  CHECK(read_error<letters_2_4::Letter>(letter(R"({"major": 3, "minor": 0})")) ==
        reason + "(line 1, column 13)");
  CHECK(read_error<letters_2_4::Letter>(R"({"pages": [], "version": {"major": 3, "minor": 0}})") ==
        reason + "(line 1, column 26)");
  CHECK(read_error<letters_2_4::Letter>(R"({"version": 3})") == reason + "(line 1, column 13)");
  CHECK(read_error<letters_3_0::Letter>(letter(R"({"major": 2, "minor": 4})")) ==
        "version: cannot read 'letters.Letter' of schema 2.4 with code for schema 3.0; hint: use code for "
        "major "
        "version 2 (line 1, column 13)");
}

TEST_CASE("empty additions of a later minor version are skipped and reported") {
  letters_2_5::Letter value;
  value.to.emplace<letters_2_5::Address::box>(7);
  std::vector<schemagen::SkippedField> skipped;
  schemagen::JsonReadOptions options;
  options.skipped = &skipped;
  const auto read = schemagen::from_json<letters_2_4::Letter>(schemagen::to_json(value), options);
  CHECK(read.to.get<letters_2_4::Address::box>() == 7);
  CHECK(read.version.minor == 5);
  REQUIRE(skipped.size() == 2);
  CHECK(skipped[0].path == "copies");
  CHECK(skipped[1].path == "weight");
}

TEST_CASE(
    "a document of a later minor version that uses what was added is refused by name, unless it is skipped") {
  const std::string json = letter(R"({"major": 2, "minor": 5})", R"(, "weight": 0.5)");
  CHECK(read_error<letters_2_4::Letter>(json) ==
        "weight: unknown field 'weight'; written with schema 2.5, read with schema 2.4 (line 1, column 74)");
  schemagen::JsonReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(schemagen::from_json<letters_2_4::Letter>(json, options).text == "hello");
}

TEST_CASE("unknown fields of the same version are errors that mention no version") {
  CHECK(read_error<letters_2_4::Letter>(letter(R"({"major": 2, "minor": 4})", R"(, "weight": null)")) ==
        "weight: unknown field 'weight' (line 1, column 74)");
}

TEST_CASE("an invalid version is an error of its field") {
  CHECK(read_error<letters_2_4::Letter>(R"({"text": "hello", "to": {"box": 7}})") ==
        "the required field 'version' is missing (line 1, column 1)");
  CHECK(read_error<letters_2_4::Letter>(letter("null")) ==
        "version: expected an object, found null (line 1, column 13)");
  CHECK(read_error<letters_2_4::Letter>(letter(R"({"major": -3, "minor": 4})")) ==
        "version: cannot read 'letters.Letter' of schema -3.4 with code for schema 2.4; hint: use code for "
        "major "
        "version -3 (line 1, column 13)");
  CHECK(read_error<letters_2_4::Letter>("[]") == "expected an object, found a list (line 1, column 1)");
}

TEST_CASE("additions of a later minor version are written back with that version") {
  const std::string json = letter(R"({"major": 2, "minor": 5})", R"(, "weight": 0.5)");
  std::vector<schemagen::UnknownField> kept;
  schemagen::JsonReadOptions reading;
  reading.unknown_fields = schemagen::UnknownFields::keep;
  reading.preserved = &kept;
  const auto value = schemagen::from_json<letters_2_4::Letter>(json, reading);
  schemagen::JsonWriteOptions writing;
  writing.preserved = &kept;
  CHECK(schemagen::to_json(value, writing) == json);
  CHECK(schemagen::to_json(value).substr(0, 38) == R"({"version": {"major": 2, "minor": 4}, )");
}
