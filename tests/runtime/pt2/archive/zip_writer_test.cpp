#include "pt2/archive/zip.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

using pt2::ZipReader;
using pt2::ZipWriter;

namespace {

struct Member {
  std::string name;
  std::string content;
};

std::string archive_of(const std::vector<Member>& members) {
  std::string bytes;
  ZipWriter writer([&](std::string_view part) { bytes += part; });
  for (const Member& member : members) writer.add(member.name, member.content);
  writer.finish();
  return bytes;
}

}  // namespace

TEST_CASE("an archive that was written is read again") {
  const std::vector<Member> members = {{"a", "one"},
                                       {"folder/b", std::string("\0\1\xff", 3)},
                                       {"empty", ""},
                                       {"\xc3\xa9", std::string(100000, 'x')}};
  const std::string bytes = archive_of(members);
  const ZipReader reader(bytes);
  REQUIRE(reader.members().size() == members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    CHECK(reader.members()[i].name == members[i].name);
    CHECK((reader.read(reader.members()[i]).view() == members[i].content));
  }
}

TEST_CASE("the data of stored members begin at multiples of 64 bytes") {
  std::vector<Member> members;
  for (std::size_t i = 0; i < 200; ++i) members.push_back({std::string(i + 1, 'n'), std::string(i % 7, 'c')});
  const std::string bytes = archive_of(members);
  const ZipReader reader(bytes);
  for (const pt2::ZipMember& member : reader.members()) {
    CAPTURE(member.name);
    const auto content = reader.read(member);
    CHECK((content.view().data() - bytes.data()) % 64 == 0);
  }
}

TEST_CASE("an archive of more than 65534 members has ZIP64 end records") {
  std::vector<Member> members;
  for (int i = 0; i < 65600; ++i) members.push_back({std::to_string(i), ""});
  const std::string bytes = archive_of(members);
  const ZipReader reader(bytes);
  CHECK(reader.members().size() == members.size());
  CHECK(reader.find("65599") != nullptr);
}

TEST_CASE("an archive without members is one") {
  const std::string bytes = archive_of({});
  CHECK(bytes.size() == 22);
  CHECK(ZipReader(bytes).members().empty());
}

TEST_CASE("the same members give the same bytes") {
  CHECK((archive_of({{"a", "b"}, {"c", "d"}}) == archive_of({{"a", "b"}, {"c", "d"}})));
}

TEST_CASE("a name that has no place in a zip archive is refused") {
  CHECK_THROWS_AS(archive_of({{std::string(65536, 'n'), ""}}), schemagen::UsageError);
}

TEST_CASE("members that come in parts are written as those that come at once") {
  const std::string content(5000, 'x');
  const pt2::ByteSource source = [&](const pt2::ByteSink& sink) {
    sink(std::string_view(content).substr(0, 1000));
    sink(std::string_view(content).substr(1000));
  };
  std::string bytes;
  ZipWriter writer([&](std::string_view part) { bytes += part; });
  writer.add("a", content.size(), source);
  const std::uint32_t crc32 = writer.last_crc32();
  writer.add("b", content.size(), source, crc32);
  CHECK_THROWS_WITH(writer.add("c", content.size() + 1, source),
                    "zip member 'c': expected 5001 bytes of content, got 5000");
  bytes.clear();
  ZipWriter good([&](std::string_view part) { bytes += part; });
  good.add("a", content.size(), source);
  good.add("b", content.size(), source, crc32);
  good.finish();
  CHECK(bool(bytes == archive_of({{"a", content}, {"b", content}})));
}
