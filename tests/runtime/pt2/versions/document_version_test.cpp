#include "pt2/versions/document_version.h"

#include <catch2/catch.hpp>

#include "pt2/versions/version.h"
#include "runtime/pt2/head_version.h"
#include "schemagen/base/error.h"

using pt2::SchemaVersion;
using schemagen::JsonDocument;
using schemagen::UnknownFields;

namespace {

std::string document_of(const std::string& version) {
  return R"({"graph_module": {}, "schema_version": )" + version + "}";
}

std::string document_of(const SchemaVersion& version) {
  return document_of(R"({"major": )" + std::to_string(version.major) + R"(, "minor": )" +
                     std::to_string(version.minor) + "}");
}

SchemaVersion version_in(const std::string& text) {
  return pt2::document_version(JsonDocument(text, {}));
}

schemagen::JsonReadOptions options_for(const std::string& text, schemagen::JsonReadOptions options = {}) {
  const JsonDocument document(text, {});
  return pt2::read_options_for(document, pt2::document_version(document), options);
}

std::string error_of(const std::string& text) {
  try {
    options_for(text);
    return "no error";
  } catch (const schemagen::DataError& error) {
    return error.reason();
  }
}

}  // namespace

TEST_CASE("finds the version of a document") {
  CHECK(version_in(document_of(kHeadVersion)) == kHeadVersion);
  CHECK(version_in(document_of("1")) == SchemaVersion{1, 0});
  CHECK(version_in(
            R"({"schema_version": {"minor": 3, "major": 5, "x": []}, "graph_module": {"a": [1, 2.5]}})") ==
        SchemaVersion{5, 3});
}

TEST_CASE("finds the version only at the top level") {
  CHECK(version_in(R"({"graph_module": {"schema_version": 3}, "schema_version": 2})") == SchemaVersion{2, 0});
}

TEST_CASE("reads known minors strictly") {
  CHECK(options_for(document_of(kHeadVersion)).unknown_fields == UnknownFields::error);
  CHECK(options_for(document_of(SchemaVersion{8, 2})).unknown_fields == UnknownFields::error);
}

TEST_CASE("skips empty fields of newer minors") {
  CHECK(options_for(document_of(kNextMinor)).unknown_fields == UnknownFields::skip_empty);
}

TEST_CASE("skips all unknown fields on request") {
  schemagen::JsonReadOptions wanted;
  wanted.unknown_fields = UnknownFields::skip;
  CHECK(options_for(document_of(kNextMinor), wanted).unknown_fields == UnknownFields::skip);
  CHECK(options_for(document_of(kHeadVersion), wanted).unknown_fields == UnknownFields::skip);
}

TEST_CASE("accepts bare NaN only from releases that wrote it, or on request") {
  CHECK(options_for(document_of(SchemaVersion{8, 2})).bare_nonfinite);
  CHECK_FALSE(options_for(document_of(SchemaVersion{8, 3})).bare_nonfinite);
  CHECK_FALSE(options_for(document_of(kHeadVersion)).bare_nonfinite);
  schemagen::JsonReadOptions wanted;
  wanted.bare_nonfinite = true;
  CHECK(options_for(document_of(kHeadVersion), wanted).bare_nonfinite);
}

TEST_CASE("accepts documents of older releases with bare NaN") {
  for (const std::string& version : {std::string("1"), std::string("2")}) {
    CHECK(options_for(document_of(version)).bare_nonfinite);
  }
  CHECK(options_for(document_of(SchemaVersion{5, 3})).bare_nonfinite);
  CHECK(options_for(document_of(SchemaVersion{7, 3})).bare_nonfinite);
  CHECK(options_for(document_of(SchemaVersion{7, 3})).unknown_fields == UnknownFields::error);
}

TEST_CASE("rejects unreadable versions with a hint") {
  CHECK(error_of(document_of(SchemaVersion{9, 1})) == pt2::why_unreadable({9, 1}, pt2::Encoding::json));
  CHECK(error_of(document_of(SchemaVersion{4, 2})) == pt2::why_unreadable({4, 2}, pt2::Encoding::json));
  CHECK(error_of(document_of(SchemaVersion{0, 0})) == pt2::why_unreadable({0, 0}, pt2::Encoding::json));
}

TEST_CASE("errors about unreadable versions have a place") {
  try {
    options_for(document_of(SchemaVersion{9, 0}));
    FAIL("no error");
  } catch (const schemagen::DataError& error) {
    CHECK(error.path() == "schema_version");
    CHECK(error.place().line == 1);
    CHECK(error.place().column == 40);
  }
}

TEST_CASE("rejects malformed versions") {
  const std::string expected = R"(expected a version, such as {"major": 8, "minor": 20})";
  for (const char* version : {"\"8.20\"", "8.2", "-1", "null", "true", "[8, 20]", "{}", R"({"major": 8})",
                              R"({"major": 8, "minor": "20"})", R"({"major": -8, "minor": 20})",
                              R"({"major": 8, "minor": 18446744073709551615})"}) {
    CAPTURE(version);
    CHECK(error_of(document_of(version)) == expected);
  }
}

TEST_CASE("the message for another document names what it looks like") {
  const std::string no_program = "expected an exported program";
  CHECK(error_of("[]") == no_program + ", got a list");
  CHECK(error_of("null") == no_program + ", got null");
  CHECK(error_of("\"x\"") == no_program + ", got a string");
  CHECK(error_of("true") == no_program + ", got a bool");
  CHECK(error_of("12") == no_program + ", got a number");
  CHECK(error_of("{}") == no_program + ", got an empty object");
  CHECK(error_of(R"({"config": {}})") ==
        no_program + ", got a PayloadConfig, which lists an archive's weights or constants");
  CHECK(error_of(R"({"library_basename": "a.so"})") ==
        no_program + ", got AOTInductorModelPickleData, which describes a compiled model");
  CHECK(error_of(R"({"nodes": []})") ==
        no_program + ", got ExternKernelNodes, the operators that a compiled model calls");
  CHECK(error_of(R"({"graph_module": {}})") ==
        no_program + " with the key 'schema_version', found the keys 'graph_module'");
  CHECK(error_of(R"({"schema_version": 3})") ==
        no_program + " with the key 'graph_module', found the keys 'schema_version'");
  CHECK(error_of(R"({"a": 1, "b\n": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7})") ==
        no_program + R"( with the key 'graph_module', found the keys 'a', 'b\n', 'c', 'd', 'e' and 2 more)");
}
