#include "pt2/scan/file_magic.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

TEST_CASE("all of a compiled model is an error, in any case of its folder") {
  for (const char* const record : {"data/aotinductor/model/a.json", "Data/AOTInductor/model/a.json"}) {
    CHECK(found_in(package({{record, "{}"}})) == Found{"SOURCE_CODE "s + record});
  }
  const std::string elf =
      "\x7f"
      "ELF\2\1\1"s +
      std::string(9, '\0') + "\3\0\x3e\0"s + std::string(44, '\0');
  CHECK(found_in(package({{"data/aotinductor/model/a.so", elf}})) ==
        Found{"NATIVE_CODE data/aotinductor/model/a.so"});
}

TEST_CASE("packages of AOTInductor of torch 2.5 to 2.7, which have no top folder, are code") {
  const std::string elf =
      "\x7f" + "ELF\2\1\1"s + std::string(9, '\0') + "\3\0\x3e\0"s + std::string(44, '\0');
  const auto package_of = [&](const std::string& folder, const std::vector<Entry>& more = {}) {
    std::vector<Entry> entries = {stored("version", "1"), stored("archive_format", "pt2"),
                                  stored(folder + "c.so", elf), stored(folder + "c.cpp", "int x;")};
    entries.insert(entries.end(), more.begin(), more.end());
    return build(entries);
  };
  for (const char* const folder : {"data/aotinductor/", "data/aotinductor/model/"}) {
    const Found code = {"NATIVE_CODE "s + folder + "c.so", "SOURCE_CODE "s + folder + "c.cpp"};
    CHECK(found_in(package_of(folder)) == code);
    Found more = code;
    more.insert({"PICKLE_GLOBAL data/constants/custom_obj_0", "NOT_UNDERSTOOD other"});
    CHECK(found_in(package_of(folder, {stored("data/constants/custom_obj_0", kCall), stored("other", "")})) ==
          more);
    // No other record marks such a package as an archive.
    CHECK(found_in(package_of(folder, {stored("serialized_exported_program.json", "{}")}))
              .count("NOT_UNDERSTOOD ") == 1);
    CHECK(found_in(package_of(folder, {stored("m/archive_format", "pt2")})).count("NOT_UNDERSTOOD ") == 1);
  }
  CHECK(found_in(build({stored("version", "1"), stored("archive_format", "pt2")})).count("NOT_UNDERSTOOD ") ==
        1);
}

TEST_CASE("tar archives of all dialects are errors") {
  const auto header = [](const std::string& magic, const std::string& checksum,
                         const std::string& name = "pickle") {
    std::string bytes(512, '\0');
    bytes.replace(0, name.size(), name);
    bytes.replace(124, 11, "00000000000").replace(257, magic.size(), magic);
    bytes.replace(148, 8, "        ");
    unsigned sum = 0;
    for (const char c : bytes) sum += static_cast<unsigned char>(c);
    std::string octal;
    for (; sum > 0; sum /= 8) octal.insert(octal.begin(), static_cast<char>('0' + sum % 8));
    std::string field = replaced(checksum, "#", octal);
    field.resize(8, '\0');
    return bytes.replace(148, 8, field) + std::string(1024, '\0');
  };
  for (const char* const checksum : {"#", " #", "+#", "0o#", "00#"}) {
    INFO(checksum);
    CHECK(found_in(header("", checksum)).count("NESTED_ARCHIVE ") == 1);
  }
  CHECK(found_in(header("ustar", "#")).count("NESTED_ARCHIVE ") == 1);
  // torch checks this name before the bytes.
  for (const std::string& name :
       {"{}"s, "[1]"s, " \n{\"a\": 1}"s, "\xef\xbb\xbf{}"s, "\x89PT2\r\n\x1a\n"s, "MZ"s}) {
    INFO(name);
    CHECK(found_in(header("", "#", name)).count("NESTED_ARCHIVE ") == 1);
  }
  CHECK_THROWS_AS(pt2::scan_file("text " + std::string(1024, 'x')), schemagen::DataError);
}
