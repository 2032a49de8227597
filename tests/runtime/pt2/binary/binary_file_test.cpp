#include "pt2/binary/binary_file.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "pt2/schema_info.h"
#include "runtime/hex.h"
#include "runtime/pt2/head_version.h"
#include "schemagen/base/error.h"

using pt2::BinaryFile;
using pt2::BinaryFileHeader;
using pt2::Compression;
using pt2::kPt2b;

namespace {

// SymInt.as_int = 3 of pt2 8.20, fixed by the format's contract.
const std::string kExample = from_hex(
    "89 50 54 32 0d 0a 1a 0a 01 00 08 00 00 00 14 00 00 00 4e e9 62 d5 de 33 f9 83 06 53 79 6d 49 6e 74"
    "04 00 00 00 00 00 00 00 06 28 06 00 fe 25 aa e1 cd 0f 96 7a");

pt2::SymInt three() {
  pt2::SymInt value;
  value.emplace<pt2::SymInt::as_int>(3);
  return value;
}

BinaryFileHeader own_header() {
  const std::string file = pt2::to_pt2b(three());
  return BinaryFile(kPt2b, file, {}).header();
}

template <class T>
std::string read_error(const std::string& file, const schemagen::BinaryReadOptions& options = {}) {
  try {
    static_cast<void>(pt2::from_pt2b<T>(file, options));
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("the example is read, and written with the version and id of the head schema") {
  CHECK(pt2::from_pt2b<pt2::SymInt>(kExample) == three());
  const BinaryFile opened(kPt2b, kExample, {});
  CHECK(opened.header().schema_major == 8);
  CHECK(opened.header().schema_minor == 20);
  CHECK(opened.header().root == "SymInt");
  CHECK(opened.header().doubles == schemagen::DoubleOrder::little_endian);
  CHECK(opened.compression() == Compression::none);
  CHECK(to_hex(opened.payload()) == "06 28 06 00");
  CHECK(schemagen::schema_id_text(opened.header()) == "4ee962d5de33f983");
  BinaryFileHeader header = opened.header();
  header.schema_minor = pt2::kSchemaMinor;
  std::copy_n(pt2::kSchemaHashBytes.begin(), header.schema_id.size(), header.schema_id.begin());
  CHECK(pt2::is_own_schema(header));
  CHECK(to_hex(pt2::to_pt2b(three())) ==
        to_hex(seal(kPt2b, header, from_hex("06 28 06 00"), Compression::none)));
}

TEST_CASE("a file of another type or major version is an error") {
  CHECK(read_error<pt2::Device>(kExample) == "expected a value of type 'Device', got 'SymInt' (byte 26)");
  BinaryFileHeader header = own_header();
  header.schema_major = 7;
  header.schema_minor = 3;
  CHECK(read_error<pt2::SymInt>(seal(kPt2b, header, from_hex("06 28 06 00"), Compression::none)) ==
        "cannot read binary schema version 7.3: expected 8.x (up to " + kHeadText +
            " in full); convert the file to JSON with the library that wrote it, and upgrade the JSON (byte "
            "10)");
  header.schema_major = 9;
  CHECK(read_error<pt2::SymInt>(seal(kPt2b, header, from_hex("06 28 06 00"), Compression::none)) ==
        "cannot read binary schema version 9.3: expected 8.x (up to " + kHeadText +
            " in full); use a newer release of this library (byte 10)");
}

TEST_CASE("other minor versions are read if their ids mean the same") {
  BinaryFileHeader header = own_header();
  header.schema_id = {1, 2, 3, 4, 5, 6, 7, 0xff};
  header.schema_minor = pt2::kSchemaMinor + 1;
  header.root = "Device";
  const auto file = [&](const std::string& hex) {
    return seal(kPt2b, header, from_hex(hex), Compression::none);
  };
  CHECK(pt2::from_pt2b<pt2::Device>(file("a8 01 78 00")).type == "x");
  CHECK(pt2::from_pt2b<pt2::Device>(file("a8 01 78 08 3c 00 00")).type == "x");
  const std::string note = "; written with schema id 01020304050607ff (" + kNextMinorText + "), read with " +
                           kHeadText + ", where a field id may have a different meaning";
  CHECK(read_error<pt2::Device>(file("a8 01 78 08 3c 01 61 00")) ==
        "#30: unknown field id 30" + note + " (byte 5)");
  schemagen::BinaryReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(read_error<pt2::Device>(file("a8 01 78 08 3c 01 61 00"), options) == "no error");
  CHECK(read_error<pt2::Device>(file("a6 02 00")) == "type: expected string, found i64" + note + " (byte 1)");
  header.schema_minor = 17;
  CHECK(read_error<pt2::Device>(file("a8 01 78 08 3c 00 00")) ==
        "#30: unknown field id 30; written with schema id 01020304050607ff (8.17), read with " + kHeadText +
            ", where a field id may have a different meaning (byte 5)");
  header = own_header();
  header.root = "Device";
  CHECK(read_error<pt2::Device>(file("a6 02 00")) == "type: expected string, found i64 (byte 1)");
}

TEST_CASE("the flag selects the byte order of doubles") {
  BinaryFileHeader header = own_header();
  header.root = "ComplexValue";
  header.doubles = schemagen::DoubleOrder::big_endian;
  const std::string file = seal(
      kPt2b, header, from_hex("a7 3f f0 00 00 00 00 00 00 a7 c0 00 00 00 00 00 00 00 00"), Compression::none);
  const auto value = pt2::from_pt2b<pt2::ComplexValue>(file);
  CHECK(value.real == 1.0);
  CHECK(value.imag == -2.0);
}
