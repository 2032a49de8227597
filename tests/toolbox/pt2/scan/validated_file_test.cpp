#include "pt2/scan/validated_file.h"

#include "pt2/operators/operators.h"
#include "scanned.h"

using pt2::RecordChecksums;
using pt2::ValidatedFile;

namespace {

ValidatedFile validated(std::string bytes, RecordChecksums checksums = RecordChecksums::compare) {
  return pt2::validate_file(pt2::FileBytes(std::move(bytes)), {}, schemagen::UnknownFields::skip_empty,
                            checksums);
}

}  // namespace

TEST_CASE("each program of an archive is validated") {
  const ValidatedFile file = validated(content_of("packages/multi.pt2"));
  REQUIRE(file.programs.size() == 2);
  CHECK(file.programs[0].model == "a");
  CHECK(file.programs[1].model == "b");
  CHECK(file.programs[1].record == "models/b.json");
  CHECK(file.programs[0].nodes == 2);
  for (const pt2::GoodProgram& program : file.programs) CHECK(program.findings.empty());
  CHECK(file.unreadable.empty());
}

TEST_CASE("a program without an archive has neither a model nor a record") {
  const ValidatedFile file = validated(content_of("programs/torch-2.13.0/mlp.json"));
  REQUIRE(file.programs.size() == 1);
  CHECK_FALSE(file.programs[0].model);
  CHECK(file.programs[0].record.empty());
  CHECK_FALSE(file.programs[0].upgraded_from);
}

TEST_CASE("a model that cannot be read does not hide the others") {
  std::vector<Entry> entries = records_of("packages/multi.pt2");
  for (Entry& entry : entries) {
    if (entry.name == "models/a.json") entry.content = "{";
    entry.name = "m/" + entry.name;
  }
  const ValidatedFile file = validated(build(entries));
  REQUIRE(file.programs.size() == 1);
  CHECK(file.programs[0].model == "b");
  REQUIRE(file.unreadable.size() == 1);
  CHECK(file.unreadable[0].model == "a");
  CHECK(file.unreadable[0].finding.rule == RuleId::unreadable);
  CHECK(file.unreadable[0].finding.record == "models/a.json");
}

TEST_CASE("a file that is no program is one unreadable file") {
  const ValidatedFile file = validated("not a program");
  CHECK(file.programs.empty());
  REQUIRE(file.unreadable.size() == 1);
  CHECK_FALSE(file.unreadable[0].model);
}

TEST_CASE("a compiled package is named, and nothing is checked") {
  const ValidatedFile file = validated(content_of("packages/aoti.pt2"));
  CHECK(file.programs.empty());
  CHECK(file.unreadable.empty());
  CHECK_THAT(file.compiled, Contains("AOTInductor"));
}

TEST_CASE("a flipped byte is found by its checksum, unless checksums are skipped") {
  std::string bytes = content_of("programs/torch-2.13.0/mlp.pt2");
  const pt2::FileBytes read(bytes);
  const pt2::ZipReader zip(read.view());
  for (const pt2::ZipMember& member : zip.members()) {
    if (member.name.substr(member.name.find('/')) != "/data/weights/weight_0") continue;
    bytes[bytes.find(zip.read(member).view())] ^= 1;
  }
  const auto count = [&](RecordChecksums checksums) {
    std::size_t found = 0;
    const ValidatedFile file = validated(bytes, checksums);
    for (const Finding& finding : file.programs.at(0).findings) {
      found += finding.rule == RuleId::record_checksum ? 1 : 0;
    }
    return found;
  };
  CHECK(count(RecordChecksums::compare) == 1);
  CHECK(count(RecordChecksums::skip) == 0);
}
