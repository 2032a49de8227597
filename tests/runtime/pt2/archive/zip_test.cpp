#include "pt2/archive/zip.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <utility>

#include "pt2/archive/file.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

using pt2::Checksums;
using pt2::ZipMember;
using pt2::ZipReader;
using schemagen::DataError;
using schemagen::Limits;
using zip_builder::build;
using zip_builder::deflated;
using zip_builder::Entry;
using zip_builder::Options;
using zip_builder::patched;
using zip_builder::stored;

namespace {

// In a directory entry, a local header and the end records.
constexpr std::size_t kEntryFlags = 8, kEntryMethod = 10, kEntryCrc = 16, kEntryPackedSize = 20,
                      kEntrySize = 24, kEntryExtraSize = 30, kEntryPart = 34, kEntryOffset = 42,
                      kEntryName = 46;
constexpr std::size_t kHeaderFlags = 6, kHeaderMethod = 8, kHeaderName = 30;
constexpr std::size_t kEndPart = 4, kEndMembers = 10, kEndSize = 12, kEndOffset = 16;

std::string read(const std::string& archive, const std::string& name, const Limits& limits = {},
                 Checksums checksums = Checksums::verify) {
  const ZipReader zip(archive, limits, checksums);
  const ZipMember* const member = zip.find(name);
  REQUIRE(member != nullptr);
  return std::string(zip.read(*member).view());
}

std::string error_of(const std::string& archive, const Limits& limits = {},
                     Checksums checksums = Checksums::verify) {
  const std::vector<char> bytes(archive.begin(), archive.end());
  try {
    const ZipReader zip(std::string_view(bytes.data(), bytes.size()), limits, checksums);
    for (const ZipMember& member : zip.members()) zip.read(member);
    return {};
  } catch (const DataError& error) {
    return error.what();
  }
}

std::size_t entry_of(const std::string& archive, int index = 0) {
  std::size_t at = archive.find(zip_builder::kDirectoryEntry);
  for (; index > 0; --index) at = archive.find(zip_builder::kDirectoryEntry, at + 1);
  return at;
}

std::size_t end_of(const std::string& archive) {
  return archive.rfind(zip_builder::kEndRecord);
}

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

const std::string kOne = build({stored("a.json", "{}")});

}  // namespace

TEST_CASE("offers stored members as views of the archive") {
  const std::string archive =
      build({stored("a", "first"), stored("folder/b", "second"), stored("empty", "")});
  const ZipReader zip(archive);
  REQUIRE(zip.members().size() == 3);
  CHECK(zip.members()[0].name == "a");
  CHECK(zip.members()[1].name == "folder/b");
  CHECK(zip.read(zip.members()[0]).view().data() == archive.data() + archive.find("first"));
  CHECK(zip.read(zip.members()[1]).view() == "second");
  CHECK(zip.read(zip.members()[2]).view().empty());
  CHECK(zip.find("folder") == nullptr);
}

TEST_CASE("inflates deflated members") {
  for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 1000000u}) {
    const std::string text = lines(200000).substr(0, size);
    CHECK(read(build({deflated("a", text)}), "a") == text);
  }
  std::mt19937 random(1);
  std::string noise(300000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  CHECK(read(build({deflated("a", noise)}), "a") == noise);
}

TEST_CASE("the bytes of a member stay when it is moved") {
  const std::string archive = build({deflated("a", "tiny")});
  const ZipReader zip(archive);
  pt2::MemberBytes bytes = zip.read(*zip.find("a"));
  const std::string_view view = bytes.view();
  const pt2::MemberBytes moved = std::move(bytes);
  CHECK(moved.view().data() == view.data());
  CHECK(view == "tiny");
}

TEST_CASE("reads comments, data descriptors, paddings and ZIP64 fields") {
  Entry entry = GENERATE(stored("a", "content"), deflated("a", "content"));
  entry.streamed = GENERATE(false, true);
  entry.zip64 = GENERATE(false, true);
  entry.local_extra = GENERATE("", "FB\5\0ZZZZZ");
  entry.comment = GENERATE("", "about a");
  Options options;
  options.zip64 = GENERATE(false, true);
  const std::size_t comment = GENERATE(0u, 1u, 65535u);
  options.comment = std::string(comment, 'c');
  CHECK(read(build({stored("first", "1"), entry, stored("last", "2")}, options), "a") == "content");
}

TEST_CASE("reads an archive without members") {
  const std::string archive = build({});
  CHECK(ZipReader(archive).members().empty());
  CHECK(pt2::looks_like_zip(build({})));
}

TEST_CASE("finds the end record behind a comment that looks like one") {
  Options options;
  options.comment = zip_builder::kEndRecord + std::string(40, '\0');
  CHECK(read(build({stored("a", "content")}, options), "a") == "content");
}

TEST_CASE("keeps names that would be dangerous as paths, as names") {
  for (const char* name : {"../../etc/passwd", "/etc/passwd", "C:\\Windows\\x", "a//b", "", "\xff\xfe"}) {
    CHECK(read(build({stored(name, "content")}), name) == "content");
  }
}

TEST_CASE("tells zip archives by their first bytes") {
  CHECK(pt2::looks_like_zip(kOne));
  CHECK(pt2::looks_like_zip("PK\3\4"));
  CHECK_FALSE(pt2::looks_like_zip("PK\3"));
  CHECK_FALSE(pt2::looks_like_zip("{}"));
  CHECK_FALSE(pt2::looks_like_zip(""));
}

TEST_CASE("refuses files that are not zip archives") {
  CHECK(error_of("") == "not a zip archive");
  CHECK(error_of("{\"schema_version\": {}}") == "not a zip archive");
  CHECK(error_of(std::string(100000, 'x')) == "not a zip archive");
  CHECK(error_of(kOne.substr(0, kOne.size() - 1)) ==
        "the zip archive is truncated or has trailing bytes: no end-of-central-directory record "
        "(byte 111)");
  CHECK(error_of(kOne + "x") ==
        "the zip archive is truncated or has trailing bytes: no end-of-central-directory record "
        "(byte 113)");
}

TEST_CASE("refuses archives in several parts") {
  const std::string message = "multi-part zip archives are not supported (byte ";
  CHECK(error_of(patched(kOne, end_of(kOne) + kEndPart, 2, 1)) == message + "90)");
  CHECK(error_of(patched(kOne, end_of(kOne) + kEndMembers, 2, 2)) == message + "90)");
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntryPart, 2, 1)) == message + "38)");
  Options options;
  options.zip64 = true;
  const std::string zip64 = build({stored("a.json", "{}")}, options);
  CHECK(error_of(patched(zip64, zip64.find(zip_builder::kEndLocator64) + 16, 4, 2)) == message + "146)");
  CHECK(error_of(patched(zip64, zip64.find(zip_builder::kEndRecord64) + 16, 4, 1)) == message + "90)");
}

TEST_CASE("refuses a central directory that does not fit") {
  const std::size_t end = end_of(kOne);
  CHECK(error_of(patched(kOne, end + kEndOffset, 4, 39)) ==
        "the central directory (52 bytes at byte 39) extends past the end record (byte 90)");
  CHECK(error_of(patched(kOne, end + kEndOffset, 4, 0xFFFFFFFF)) ==
        "the central directory (52 bytes at byte 4294967295) extends past the end record (byte 90)");
  CHECK(error_of(patched(kOne, end + kEndOffset, 4, 37)) == "expected a central directory entry (byte 37)");
  CHECK(error_of(patched(kOne, end + kEndSize, 4, 51)) ==
        "the central directory ends inside an entry (byte 38)");
  CHECK(error_of(patched(kOne, end + 8, 4, 0x00020002)) ==
        "a central directory of 52 bytes cannot hold 2 members (byte 90)");
  CHECK(error_of(patched(kOne, end + 8, 4, 0)) ==
        "the central directory continues after its last entry (byte 38)");
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntryExtraSize, 2, 1)) ==
        "the central directory ends inside an entry (byte 38)");
}

TEST_CASE("refuses ZIP64 end records that are wrong or contradict the short one") {
  Options options;
  options.zip64 = true;
  const std::string archive = build({stored("a.json", "{}")}, options);
  const std::size_t record = archive.find(zip_builder::kEndRecord64);
  const std::size_t locator = archive.find(zip_builder::kEndLocator64);
  REQUIRE(error_of(archive).empty());
  CHECK(error_of(patched(archive, locator + 8, 8, 0)) ==
        "no ZIP64 end record at byte 0, where its locator points (byte 146)");
  CHECK(error_of(patched(archive, locator + 8, 8, ~std::uint64_t{0})) ==
        "no ZIP64 end record at byte 18446744073709551615, where its locator points (byte 146)");
  CHECK(error_of(patched(archive, record + 4, 8, 43)) ==
        "the ZIP64 end record has an invalid size of 43 bytes (byte 90)");
  CHECK(error_of(patched(archive, record + 4, 8, ~std::uint64_t{0})) ==
        "the ZIP64 end record has an invalid size of 18446744073709551615 bytes (byte 90)");
  CHECK(error_of(patched(archive, end_of(archive) + kEndMembers, 2, 2)) ==
        "the two end records of the zip archive disagree about the number of members: 2 and 1 (byte 166)");
  CHECK(error_of(patched(archive, end_of(archive) + kEndSize, 4, 51)) ==
        "the two end records of the zip archive disagree about the directory's size: 51 and 52 (byte 166)");
  CHECK(error_of(patched(archive, end_of(archive) + kEndOffset, 4, 0)) ==
        "the two end records of the zip archive disagree about the directory's offset: 0 and 38 (byte 166)");
  CHECK(error_of(patched(archive, record + 40, 8, ~std::uint64_t{0})) ==
        "the central directory (18446744073709551615 bytes at byte 38) extends past the end record "
        "(byte 90)");
}

TEST_CASE("refuses two members of one name") {
  CHECK(error_of(build({stored("a", "1"), stored("b", "2"), stored("a", "3")})) ==
        "the zip archive has two members named 'a' (byte 96)");
}

TEST_CASE("refuses a ZIP64 field that is too short") {
  Entry entry = stored("a", "1");
  entry.zip64 = true;
  const std::string archive = build({entry});
  const std::size_t field_size = entry_of(archive) + kEntryName + 1 + 7 + 2;
  CHECK(error_of(patched(archive, field_size, 2, 23)) ==
        "zip member 'a': its ZIP64 field is too short (byte 32)");
}

TEST_CASE("without a ZIP64 field, sizes of all ones are literal") {
  Entry entry = stored("a", "1");
  entry.zip64 = true;
  const std::string archive = build({entry});
  const std::size_t field_id = entry_of(archive) + kEntryName + 1 + 7;
  CHECK(error_of(patched(archive, field_id, 2, 2)) ==
        "zip member 'a': its local header, at byte 4294967295, is not before the central directory (byte "
        "32)");
  // Ignored: extends past all fields.
  CHECK(error_of(patched(archive, field_id + 2, 2, 25)) ==
        "zip member 'a': its local header, at byte 4294967295, is not before the central directory (byte "
        "32)");
}

TEST_CASE("refuses encrypted members") {
  const std::string message = "zip member 'a.json': encrypted members are not supported (byte 38)";
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntryFlags, 2, 1)) == message);
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntryFlags, 2, 1 << 6)) == message);
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntryFlags, 2, 1 << 13)) == message);
  CHECK(error_of(patched(kOne, kHeaderFlags, 2, 1)) ==
        "zip member 'a.json': encrypted members are not supported (byte 0)");
}

TEST_CASE("reads the other members of an archive that has one it cannot read") {
  const std::string archive = build({stored("a", "1"), stored("b", "2")});
  CHECK(read(patched(archive, entry_of(archive) + kEntryMethod, 2, 12), "b") == "2");
}

TEST_CASE("refuses unknown compression methods") {
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntryMethod, 2, 12)) ==
        "zip member 'a.json': compression method 12 is not supported, only 0 (stored) and 8 (deflated) (byte "
        "38)");
}

TEST_CASE("refuses a local header that disagrees with the central directory") {
  CHECK(error_of(patched(kOne, kHeaderMethod, 2, 8)) ==
        "zip member 'a.json': its local header has compression method 8, but its entry has 0 (byte 0)");
  CHECK(error_of(patched(kOne, kHeaderName, 1, 'b')) ==
        "zip member 'a.json': its local header has a different name (byte 0)");
  CHECK(error_of(patched(kOne, 26, 2, 0xFFFF)) ==
        "zip member 'a.json': its local header has a different name (byte 0)");
  CHECK(error_of(patched(kOne, 0, 1, 'X')) == "zip member 'a.json': no local header at its offset (byte 0)");
}

TEST_CASE("refuses members outside of the archive's part for members") {
  const std::size_t entry = entry_of(kOne);
  CHECK(error_of(patched(kOne, entry + kEntryOffset, 4, 9)) ==
        "zip member 'a.json': its local header, at byte 9, is not before the central directory (byte "
        "38)");
  const std::string larger = patched(kOne, entry + kEntryPackedSize, 4, 3);
  CHECK(error_of(patched(larger, entry + kEntrySize, 4, 3)) ==
        "zip member 'a.json': its 3 bytes from byte 36 do not end before the central directory (byte "
        "38)");
  CHECK(error_of(patched(kOne, 28, 2, 1)) ==
        "zip member 'a.json': its 2 bytes from byte 37 do not end before the central directory (byte "
        "38)");
}

TEST_CASE("refuses stored members whose two sizes differ") {
  CHECK(error_of(patched(kOne, entry_of(kOne) + kEntrySize, 4, 1)) ==
        "zip member 'a.json': it is stored, but its sizes differ: 2 bytes in the archive, 1 when read (byte "
        "38)");
}

TEST_CASE("refuses damaged content by its CRC-32 unless told to ignore it") {
  const std::string wrong = patched(kOne, kOne.find("{}"), 1, '[');
  CHECK(error_of(wrong) ==
        "zip member 'a.json': CRC-32 mismatch: its data has 36229be1, its entry says a3a6bf43; the data is "
        "damaged, or was written without checksums (byte 0)");
  CHECK(read(wrong, "a.json", {}, Checksums::ignore) == "[}");
  const std::string packed = build({deflated("a", lines(10))});
  CHECK_THAT(error_of(patched(packed, entry_of(packed) + kEntryCrc, 4, 0)),
             Catch::Contains("its entry says 00000000"));
  CHECK(read(patched(packed, entry_of(packed) + kEntryCrc, 4, 0), "a", {}, Checksums::ignore) == lines(10));
}

TEST_CASE("refuses compressed data that are damaged or not of the size they claim") {
  const std::string archive = build({deflated("a", lines(100))});
  const std::size_t entry = entry_of(archive);
  const std::size_t packed = entry - (kHeaderName + 1);
  CHECK(error_of(patched(archive, kHeaderName + 1, 1, 0xFF)) ==
        "zip member 'a': its compressed data is damaged (byte 0)");
  CHECK(error_of(patched(archive, entry + kEntryPackedSize, 4, packed - 1)) ==
        "zip member 'a': its compressed data is damaged (byte 0)");
  CHECK(error_of(patched(archive, entry + kEntrySize, 4, 789)) ==
        "zip member 'a': it inflates to more than 789 bytes, the size in its entry (byte 0)");
  CHECK(error_of(patched(archive, entry + kEntrySize, 4, 791)) ==
        "zip member 'a': it inflates to 790 bytes, but its entry says 791 (byte 0)");
}

TEST_CASE("refuses bytes after the end of the compressed data") {
  Entry entry = deflated("a", "content");
  entry.streamed = true;
  const std::string archive = build({entry});
  const std::size_t packed = zip_builder::deflate_raw("content").size();
  CHECK(error_of(patched(archive, entry_of(archive) + kEntryPackedSize, 4, packed + 16)) ==
        "zip member 'a': its compressed data ends 16 bytes early (byte 0)");
}

TEST_CASE("holds what it reads against the limits") {
  Limits limits;
  limits.container_items = 2;
  CHECK(error_of(build({stored("a", ""), stored("b", "")}), limits).empty());
  CHECK(error_of(build({stored("a", ""), stored("b", ""), stored("c", "")}), limits) ==
        "the zip archive has 3 members, over the limit of 2 (container_items) (byte 234)");
  limits.memory_bytes = 790;
  CHECK(error_of(build({deflated("a", lines(100)), stored("b", lines(101))}), limits).empty());
  limits.memory_bytes = 789;
  const std::string archive = build({deflated("a", lines(100))});
  CHECK(error_of(archive, limits) ==
        "zip member 'a': it inflates to 790 bytes, over the limit of 789 (memory_bytes) (byte " +
            std::to_string(entry_of(archive)) + ")");
}

TEST_CASE("takes no memory for a claim alone") {
  // A hundred bytes claim billions of members or bytes.
  Options options;
  options.zip64 = true;
  const std::string archive = build({stored("a", "1")}, options);
  const std::size_t record = archive.find(zip_builder::kEndRecord64);
  const std::uint64_t billions = std::uint64_t{1} << 40;
  Limits limits;
  limits.container_items = ~std::size_t{0};
  const std::string many = patched(patched(archive, record + 24, 8, billions), record + 32, 8, billions);
  CHECK(error_of(many, limits) ==
        "a central directory of 47 bytes cannot hold 1099511627776 members (byte 155)");

  limits.memory_bytes = ~std::size_t{0};
  Entry entry = deflated("a", "1");
  entry.zip64 = true;
  const std::string large = build({entry});
  const std::size_t size = entry_of(large) + kEntryName + 1 + 7 + 4;
  CHECK(error_of(patched(large, size, 8, billions), limits) ==
        "zip member 'a': its 3 compressed bytes cannot inflate to 1099511627776 bytes, the size in its entry "
        "(byte " +
            std::to_string(entry_of(large)) + ")");
}

TEST_CASE("inflates the most that deflate can pack") {
  const std::string zeros(1000000, '0');
  CHECK(error_of(build({deflated("a", zeros)})).empty());
}

TEST_CASE("errors name no byte beyond the archive") {
  const std::string far = patched(kOne, entry_of(kOne) + kEntryOffset, 4, 0xFFFFFF);
  CHECK(error_of(far) ==
        "zip member 'a.json': its local header, at byte 16777215, is not before the central directory "
        "(byte 38)");
  CHECK(error_of(patched(far, entry_of(kOne) + kEntryMethod, 2, 12)) ==
        "zip member 'a.json': compression method 12 is not supported, only 0 (stored) and 8 (deflated) (byte "
        "38)");
}

TEST_CASE("refuses every truncation") {
  Entry streamed = deflated("b", lines(100));
  streamed.streamed = streamed.zip64 = true;
  Options options;
  options.zip64 = GENERATE(false, true);
  options.comment = GENERATE("", "a comment");
  const std::string archive = build({stored("a", "content"), streamed}, options);
  REQUIRE(error_of(archive).empty());
  for (std::size_t size = 0; size < archive.size(); ++size) {
    INFO(size);
    CHECK_FALSE(error_of(archive.substr(0, size)).empty());
  }
}

TEST_CASE("a changed byte gives an error or the same content") {
  Entry streamed = deflated("b", lines(100));
  streamed.streamed = streamed.zip64 = true;
  Options options;
  options.zip64 = GENERATE(false, true);
  const std::string archive = build({stored("a", "content"), streamed}, options);
  const std::uint64_t seed = test_seed() + GENERATE(0u, 1u, 2u);
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (std::size_t at = 0; at < archive.size(); ++at) {
    std::string changed = archive;
    changed[at] = static_cast<char>(changed[at] ^ (1 + static_cast<int>(random() % 255)));
    if (!error_of(changed).empty()) continue;
    const ZipReader zip(changed);
    for (const ZipMember& member : zip.members()) {
      INFO(at);
      CHECK(zip.read(member).view() == (member.name == "a" ? "content" : lines(100)));
    }
  }
}

TEST_CASE("several changed bytes never crash the reader, checksums ignored") {
  const std::string archive = build({stored("a", "content"), deflated("b", lines(100))});
  const std::uint64_t seed = test_seed() + GENERATE(3u, 4u);
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 5000; ++round) {
    std::string changed = archive;
    for (unsigned i = 0; i < 1 + random() % 8; ++i)
      changed[random() % changed.size()] = static_cast<char>(random());
    error_of(changed, {}, Checksums::ignore);
  }
  SUCCEED();
}

TEST_CASE("reads what Python's zipfile writes") {
  if (std::system("python3 -c pass") != 0) {
    WARN("python3 is missing: nothing tested");
    return;
  }
  const auto folder =
      std::filesystem::temp_directory_path() / ("zip_test-" + std::to_string(std::random_device{}()));
  std::filesystem::create_directory(folder);
  const std::string script = PT2_SOURCE_DIR "/tests/data/make_zips.py";
  REQUIRE(std::system(("python3 '" + script + "' '" + folder.string() + "'").c_str()) == 0);

  std::string text;
  for (int i = 0; i < 2000; ++i) text += "0123456789";
  for (const std::string method : {"stored", "deflated"}) {
    for (const std::string kind : {"", "_zip64", "_comment", "_streamed"}) {
      INFO(method << kind);
      const std::string archive(pt2::read_file((folder / (method + kind + ".zip")).string()).view());
      CHECK(read(archive, "text.json") == text);
      CHECK(read(archive, "empty").empty());
    }
  }
  const pt2::FileBytes many = pt2::read_file((folder / "many.zip").string());
  const ZipReader zip(many.view());
  CHECK(zip.members().size() == 70000);
  CHECK(zip.find("member69999") != nullptr);
  CHECK_THAT(error_of(std::string(pt2::read_file((folder / "bzip2.zip").string()).view())),
             Catch::Contains("compression method 12 is not supported"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("refuses members that overlap, wherever their entries stand") {
  std::string bytes = build({stored("a", "first"), stored("b", "second")});
  // Claims the second member's bytes, too.
  const std::size_t longer = bytes.find("second") + 6 - bytes.find("first");
  bytes = patched(bytes, entry_of(bytes) + kEntryPackedSize, 4, longer);
  bytes = patched(bytes, entry_of(bytes) + kEntrySize, 4, longer);
  CHECK(error_of(bytes) == "zip member 'a': it overlaps with the member after it (byte 0)");
  CHECK(read(bytes, "b") == "second");
}

TEST_CASE("copies in parts what it reads at once") {
  const std::string content(std::size_t{9} << 20, 'x');
  std::string bytes = build({stored("stored", content), deflated("deflated", content)});
  const ZipReader zip(bytes);
  for (const ZipMember& member : zip.members()) {
    std::string copied;
    std::size_t most = 0;
    zip.copy(member, [&](std::string_view part) {
      copied += part;
      most = std::max(most, part.size());
    });
    CHECK(bool(copied == content));
    CHECK(most <= std::size_t{4} << 20);
  }
  bytes[100] = 'y';
  const ZipMember* const damaged = zip.find("stored");
  CHECK_THROWS_WITH(zip.copy(*damaged, [](std::string_view) {}), Catch::Contains("CRC-32 mismatch"));
}
