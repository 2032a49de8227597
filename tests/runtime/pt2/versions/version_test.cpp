#include "pt2/versions/version.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "pt2/operators/operators.h"
#include "pt2/reflection.h"
#include "pt2/schema_info.h"
#include "pt2/versions/released_schemas.h"
#include "pt2/versions/releases.h"
#include "runtime/pt2/head_version.h"
#include "schemagen/base/error.h"

using pt2::Encoding;
using pt2::SchemaVersion;
using pt2::VersionSupport;

namespace {

std::string opset_error(const pt2::ExportedProgram& program, const schemagen::Map<std::int64_t>& supported) {
  try {
    pt2::check_opset(program, supported);
    return "no error";
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

std::set<std::string> fields_of(const schemagen::Reflection& schema) {
  std::set<std::string> fields;
  for (std::uint32_t i = 0; i < schema.type_count; ++i) {
    const schemagen::ReflectedType& type = schema.types[i];
    for (std::uint32_t k = 0; k < type.field_count; ++k) {
      const schemagen::ReflectedField& field = type.fields[k];
      fields.insert(std::string(type.name) + " " + std::to_string(field.id) + " " + std::string(field.name) +
                    " " + std::string(schema.types[field.type].name));
    }
  }
  return fields;
}

}  // namespace

TEST_CASE("each released schema was written by a release, the head by the last") {
  for (const pt2::Release& release : pt2::kReleases) {
    INFO(pt2::version_text(release.schema));
    const schemagen::Reflection* const schema = pt2::released_schema_for(release.schema);
    REQUIRE(schema != nullptr);
    CHECK(schema->minor == release.schema.minor);
    CHECK(pt2::why_unreadable(release.schema, Encoding::json) == std::nullopt);
  }
  CHECK(std::end(pt2::kReleases)[-1].schema == SchemaVersion{pt2::kSchemaMajor, pt2::kSchemaMinor});
  CHECK(pt2::operator_releases().last == pt2::latest_torch());
}

TEST_CASE("version_text() follows the spelling of releases") {
  CHECK(pt2::version_text({8, 20}) == "8.20");
  CHECK(pt2::version_text({1, 0}) == "1");
  CHECK(pt2::version_text({2, 0}) == "2");
  CHECK(pt2::version_text({5, 3}) == "5.3");
  CHECK(pt2::version_text({0, 0}) == "0.0");
}

TEST_CASE("support_for() classifies versions") {
  struct Case {
    SchemaVersion version;
    VersionSupport support;
  };
  const Case cases[] = {
      {{8, 0}, VersionSupport::readable},        {kHeadVersion, VersionSupport::readable},
      {kNextMinor, VersionSupport::newer_minor}, {{9, 0}, VersionSupport::newer_major},
      {{1, 0}, VersionSupport::older_release},   {{2, 0}, VersionSupport::older_release},
      {{5, 1}, VersionSupport::older_release},   {{7, 3}, VersionSupport::older_release},
      {{0, 0}, VersionSupport::never_released},  {{3, 1}, VersionSupport::never_released},
      {{4, 2}, VersionSupport::never_released},  {{6, 0}, VersionSupport::never_released},
      {{5, 4}, VersionSupport::never_released},  {{1, 1}, VersionSupport::never_released},
  };
  for (const Case& c : cases) {
    CAPTURE(pt2::version_text(c.version));
    CHECK(pt2::support_for(c.version) == c.support);
  }
}

TEST_CASE("the message for an unreadable version names the readable ones and a remedy") {
  const std::string cannot = "cannot read schema version ";
  const std::string expected = ": expected 1, 2, 5.x, 7.x or 8.x (up to " + kHeadText + " in full); ";
  const std::string newer =
      "use a newer release of this library, or save the program with torch 2.15 or earlier";
  const std::string unreleased =
      "no release of torch wrote it: export the model again with torch 2.6 or later";
  CHECK(pt2::why_unreadable({9, 1}, Encoding::json) == cannot + "9.1" + expected + newer);
  CHECK(pt2::why_unreadable({0, 0}, Encoding::json) == cannot + "0.0" + expected + unreleased);
  CHECK(pt2::why_unreadable({4, 2}, Encoding::json) == cannot + "4.2" + expected + unreleased);
}

TEST_CASE("reads JSON of older majors and newer minors, but only binary files of the same major") {
  for (const Encoding encoding : {Encoding::json, Encoding::binary}) {
    CHECK_FALSE(pt2::why_unreadable({8, 2}, encoding));
    CHECK_FALSE(pt2::why_unreadable(kNextMinor, encoding));
    CHECK_NOTHROW(pt2::require_readable(kHeadVersion, encoding));
    CHECK_THROWS_AS(pt2::require_readable({9, 0}, encoding), schemagen::DataError);
  }
  CHECK_FALSE(pt2::why_unreadable({7, 3}, Encoding::json));
  CHECK(pt2::why_unreadable({7, 3}, Encoding::binary) ==
        "cannot read binary schema version 7.3: expected 8.x (up to " + kHeadText +
            " in full); convert the file to JSON with the library that wrote it, and upgrade the JSON");
}

TEST_CASE("reads PT2 archives of version 0 only") {
  CHECK_NOTHROW(pt2::require_readable_archive("0"));
  CHECK_THROWS_AS(pt2::require_readable_archive(""), schemagen::DataError);
  CHECK_THROWS_WITH(pt2::require_readable_archive("1"),
                    "archive_version: expected '0', got '1'; save the program again with torch 2.8 to 2.15");
}

TEST_CASE("compares only the operator sets that the caller names") {
  pt2::ExportedProgram program;
  program.opset_version["aten"] = 10;
  program.opset_version["my ops"] = 3;
  schemagen::Map<std::int64_t> supported;
  CHECK(opset_error(program, supported) == "no error");
  supported["aten"] = 10;
  supported["other"] = 1;
  CHECK(opset_error(program, supported) == "no error");
  supported["my ops"] = 2;
  CHECK(opset_error(program, supported) ==
        "opset_version[\"my ops\"]: operator set 'my ops': expected version 2 or earlier, got 3; use a newer "
        "runtime, or export the model with an older torch");
}

TEST_CASE("documents are walked with the first schema that covers their version") {
  CHECK(pt2::released_schema_for({5, 2})->minor == 3);
  CHECK(pt2::released_schema_for({5, 1})->minor == 1);
  CHECK(pt2::released_schema_for({8, 20})->minor == 20);
  CHECK(pt2::released_schema_for({8, 3})->minor == 6);
  CHECK(pt2::released_schema_for(kNextMinor) == nullptr);
  CHECK(pt2::released_schema_for({3, 0}) == nullptr);
}

TEST_CASE("documents of an older major can be upgraded if a released schema covers their version") {
  for (std::int64_t major = -1; major < kHeadVersion.major; ++major) {
    for (std::int64_t minor = -1; minor < 25; ++minor) {
      CAPTURE(major, minor);
      const bool is_released = pt2::released_schema_for({major, minor}) != nullptr;
      CHECK((pt2::support_for({major, minor}) == pt2::VersionSupport::older_release) == is_released);
    }
  }
}

TEST_CASE("no id of a released minor changed its meaning in the head schema") {
  // The head's tables read binary files of released minors.
  const std::set<std::string> head = fields_of(pt2::kReflection);
  for (std::int64_t minor = 0; minor < kHeadVersion.minor; ++minor) {
    CAPTURE(minor);
    for (const std::string& field : fields_of(*pt2::released_schema_for({kHeadVersion.major, minor}))) {
      // Only these minors had such types, which cannot occur in programs.
      if (field.substr(0, 6) == "Model " || field.substr(0, 8) == "Program ") continue;
      CAPTURE(field);
      CHECK(head.count(field) == 1);
    }
  }
}
