#include "pt2/scan/native_code.h"

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
