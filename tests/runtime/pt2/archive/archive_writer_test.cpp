#include "pt2/archive/archive_writer.h"

#include <catch2/catch.hpp>
#include <string>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "schemagen/base/error.h"

using pt2::Archive;
using pt2::ArchiveWriter;

namespace {

std::string written(const std::function<void(ArchiveWriter&)>& add,
                    const std::string& top_folder = "archive") {
  std::string bytes;
  ArchiveWriter writer([&](std::string_view part) { bytes += part; }, top_folder);
  add(writer);
  writer.finish();
  return bytes;
}

std::string record(const Archive& archive, const std::string& name) {
  return std::string(archive.zip.read(*pt2::find_record(archive, name)).view());
}

}  // namespace

TEST_CASE("an archive says what it is") {
  const std::string bytes = written([](ArchiveWriter& writer) { writer.add("models/m.json", "{}"); });
  const Archive archive = pt2::open_archive(bytes);
  CHECK(archive.top_folder == "archive");
  CHECK(archive.version == "0");
  CHECK(archive.byte_order == pt2::ByteOrder::little);
  CHECK(archive.models.size() == 1);
  CHECK(record(archive, ".data/version") == "6\n");
  CHECK(record(archive, ".data/serialization_id").size() == 40);
  for (const pt2::ZipMember& member : archive.zip.members()) {
    CHECK((archive.zip.read(member).view().data() - bytes.data()) % 64 == 0);
  }
}

TEST_CASE("the serialization id has torch's checksums") {
  const pt2::FileBytes theirs = pt2::read_file(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.pt2");
  const Archive archive = pt2::open_archive(theirs.view());
  const std::string bytes = written(
      [&](ArchiveWriter& writer) {
        for (const pt2::ZipMember& member : archive.zip.members()) {
          const std::string name(member.name.substr(archive.top_folder.size() + 1));
          if (name != ".data/serialization_id") writer.copy(archive.zip, member, name);
        }
      },
      "mlp");
  const Archive copy = pt2::open_archive(bytes);
  REQUIRE(copy.zip.members().size() == archive.zip.members().size());
  for (const pt2::ZipMember& member : copy.zip.members()) {
    const pt2::ZipMember* const original = archive.zip.find(member.name);
    REQUIRE(original != nullptr);
    const std::string content(copy.zip.read(member).view());
    const std::string expected(archive.zip.read(*original).view());
    const std::size_t from = member.name == "mlp/.data/serialization_id" ? 20 : 0;
    CHECK(content.substr(from) == expected.substr(from));
  }
}

TEST_CASE("the same records give the same bytes, others another id") {
  const auto add = [](ArchiveWriter& writer) { writer.add("extra/a", "1"); };
  CHECK(bool(written(add) == written(add)));
  const std::string one = written(add);
  const std::string other = written([](ArchiveWriter& writer) { writer.add("extra/b", "1"); });
  CHECK(record(pt2::open_archive(one), ".data/serialization_id") !=
        record(pt2::open_archive(other), ".data/serialization_id"));
}

TEST_CASE("records are counted by their start, and no name is given twice") {
  std::string bytes;
  ArchiveWriter writer([&](std::string_view part) { bytes += part; });
  writer.add("data/weights/weight_0", "a");
  writer.add("data/weights/weight_1", "b");
  writer.add("data/weights/x", "c");
  CHECK(writer.count("data/weights/weight_") == 2);
  CHECK(writer.count("data/constants/") == 0);
  CHECK_THROWS_WITH(writer.add("data/weights/x", "d"), "the archive already has a record 'data/weights/x'");
}
