#include "schemagen/thrift/reader.h"

#include <compact_vectors/binary.h>

#include <catch2/catch.hpp>

#include "runtime/hex.h"

using At = schemagen::PathTo;

namespace {

std::string path_in_all(const std::string& hex, std::size_t offset, At at) {
  const std::string bytes = from_hex(hex);
  const auto& type = compact_type(static_cast<const compact_vectors::All*>(nullptr));
  return schemagen::CompactPath(bytes, type, schemagen::DoubleOrder::little_endian).seek(offset, at);
}

}  // namespace

TEST_CASE("a path leads to the value at an offset") {
  // {"b": true, "m": {"a": 1, "b c": 2}, "ls": [{"as_int": 1}, {"as_expr": "x"}], "ll": [[1], [2, 3]]}
  const std::string hex =
      "a1 0b 50 02 86 01 61 02 03 62 20 63 04 09 ec 04 2c 06 28 02 00 a8 01 78 00 a9 29 16 02 26 04 06 00";
  const std::vector<std::pair<std::size_t, std::string>> values = {{0, ""},
                                                                   {1, "b"},
                                                                   {3, "m"},
                                                                   {7, "m.a"},
                                                                   {12, "m[\"b c\"]"},
                                                                   {16, "ls"},
                                                                   {17, "ls[0]"},
                                                                   {19, "ls[0].as_int"},
                                                                   {21, "ls[1]"},
                                                                   {22, "ls[1].as_expr"},
                                                                   {26, "ll"},
                                                                   {27, "ll[0]"},
                                                                   {28, "ll[0][0]"},
                                                                   {29, "ll[1]"},
                                                                   {30, "ll[1][0]"},
                                                                   {31, "ll[1][1]"}};
  for (const auto& [offset, path] : values) {
    CAPTURE(offset);
    CHECK(path_in_all(hex, offset, At::value) == path);
  }
}

TEST_CASE("a path leads to the container around an offset") {
  const std::string hex = "a1 0b 50 02 86 01 61 02 01 62 04 09 ec 04 1c 06 28 02 00 00";
  const std::vector<std::pair<std::size_t, std::string>> places = {
      {0, ""}, {1, ""}, {5, "m"}, {8, "m"}, {11, ""}, {15, "ls[0]"}, {18, "ls[0]"}, {19, ""}, {20, ""}};
  for (const auto& [offset, path] : places) {
    CAPTURE(offset);
    CHECK(path_in_all(hex, offset, At::container) == path);
  }
}

TEST_CASE("an offset within a value has the path of the value") {
  CHECK(path_in_all("08 90 03 05 61 62 63 64 65 00", 6, At::value) == "late");
  CHECK(path_in_all("07 28 00 00 00 00 00 00 f8 7f 00", 5, At::value) == "d");
}

TEST_CASE("unknown fields are named by their ids") {
  CHECK(path_in_all("1c 1c 18 00 00 00 00", 3, At::value) == "#1.#1.#1");
  CHECK(path_in_all("19 1c 18 00 00 00", 3, At::value) == "#1[0].#1");
}

TEST_CASE("a path ends where the bytes make no sense") {
  CHECK(path_in_all("09 64", 9, At::value) == "li");
  CHECK(path_in_all("09 64 f6", 9, At::value) == "li");
  CHECK(path_in_all("08 90 03 7f", 9, At::value) == "late");
  CHECK(path_in_all("06 fc ff ff ff ff ff ff ff ff ff 02", 12, At::value) == "");
  CHECK(path_in_all("", 1, At::value) == "");
  CHECK(path_in_all("a1 00 00", 3, At::value) == "");
}

TEST_CASE("several offsets can be located in a row") {
  const std::string bytes = from_hex("a1 0b 50 02 86 01 61 02 01 62 04 09 64 26 02 04 00");
  const auto& type = compact_type(static_cast<const compact_vectors::All*>(nullptr));
  schemagen::CompactPath path(bytes, type, schemagen::DoubleOrder::little_endian);
  CHECK(path.seek(7, At::value) == "m.a");
  CHECK(path.seek(7, At::value) == "m.a");
  CHECK(path.seek(10, At::value) == "m.b");
  CHECK(path.seek(15, At::value) == "li[1]");
}
