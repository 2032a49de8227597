#include "pt2/scan/zip_layout.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

TEST_CASE("a zip archive has one layout") {
  const std::string plain = package({});
  REQUIRE(found_in(plain) == Found{});
  const auto tricks = [](const std::string& bytes) { return found_in(bytes).count("ZIP_TRICK ") == 1; };
  CHECK(tricks("{}" + plain));
  CHECK(tricks(plain + "{}"));
  const std::size_t end = plain.rfind("PK\5\6");
  CHECK(tricks(zip_builder::patched(plain, end + 20, 2, 4) + "text"));
  CHECK(tricks(zip_builder::patched(plain, end + 20, 2, 22) + plain.substr(end)));
  CHECK(tricks(plain.substr(0, end) + "between" + plain.substr(end)));
  const std::size_t entry = plain.find("PK\1\2", plain.rfind("PK\3\4"));  // the first of the outer archive
  CHECK(tricks(zip_builder::patched(plain, entry + 24, 4, 5)));           // a stored member of two sizes
  CHECK(tricks(zip_builder::patched(plain, entry + 8, 2, 1)));            // encrypted
  CHECK(tricks(zip_builder::patched(plain, entry + 10, 2, 12)));          // another method
  CHECK(tricks(zip_builder::patched(plain, 14, 4, 1)));        // another checksum in the local header
  CHECK(tricks(zip_builder::patched(plain, 6, 2, 2048)));      // other flags there
  CHECK(tricks(zip_builder::patched(plain, end + 16, 4, 0)));  // no directory
}

TEST_CASE("names of records lead down and differ in more than case") {
  for (const std::string& name : {"extra/../x"s, "extra//x"s, "extra/./x"s, "extra/a\\b"s, "extra/a\nb"s,
                                  "extra/\x7f"s, "extra/a\0b"s}) {
    INFO(name);
    CHECK(found_in(package({{name, ""}})) == Found{"RECORD_NAME " + name});
  }
  CHECK(found_in(package({{"extra/a", ""}, {"extra/A", ""}})).size() == 1);
  CHECK(found_in(package({{"extra/\xc3\xa4", ""}})) ==
        Found{"RECORD_NAME extra/\xc3\xa4"});  // not said to be UTF-8
  CHECK(found_in(build({stored("C:/archive_format", "pt2")})).count("RECORD_NAME archive_format") == 1);
}

TEST_CASE("what is inflated is bounded for the whole file, and over it is an error") {
  const auto bomb = [](std::size_t size) {
    return deflated("m/data/weights/" + std::to_string(size) + ".pt", std::string(size, 'N'));
  };
  const std::string format = "pt2";
  schemagen::Limits limits;
  limits.memory_bytes = 1 << 20;
  const std::string one = build({stored("m/archive_format", "pt2"), bomb(2 << 20)});
  CHECK(found_in(one, limits) == Found{"NOT_UNDERSTOOD ", "NOT_UNDERSTOOD data/weights/2097152.pt"});
  const std::string several =
      build({stored("m/archive_format", "pt2"), bomb(700000), bomb(700001), bomb(700002)});
  CHECK(found_in(several, limits).count("NOT_UNDERSTOOD data/weights/700002.pt") == 1);
}

TEST_CASE("members that overlap are not looked into again and again") {
  std::string archive = build(
      {stored("m/archive_format", "pt2"), stored("m/data/weights/0.pt", std::string(1 << 20, 'N') + '.')});
  const std::size_t end = archive.rfind("PK\5\6");
  const std::size_t entry = archive.rfind("PK\1\2");
  const std::string copy = archive.substr(entry, end - entry);
  constexpr std::size_t kCopies = 500;
  std::string copies;
  for (std::size_t i = 0; i < kCopies; ++i) copies += copy;
  const std::size_t size = end - archive.rfind("PK\1\2", entry - 1) + copies.size();
  archive.insert(end, copies);
  const std::size_t record = archive.rfind("PK\5\6");
  for (const std::size_t at : {8U, 10U}) archive = zip_builder::patched(archive, record + at, 2, kCopies + 2);
  archive = zip_builder::patched(archive, record + 12, 4, size);
  CHECK_THAT(message_in(archive), Contains("the members together are larger than the file"));
}
