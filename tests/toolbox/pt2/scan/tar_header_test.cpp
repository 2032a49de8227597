#include "pt2/scan/tar_header.h"

#include <catch2/catch.hpp>

#include "toolbox/pt2/scan/scanned.h"

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
