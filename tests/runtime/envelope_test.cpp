#include "pt2/envelope.h"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "hex.h"
#include "pt2/binary_file.h"
#include "pt2/schema_info.h"
#include "schemagen/error.h"

using pt2::Compression;
using pt2::Envelope;
using pt2::EnvelopeHeader;
using schemagen::Limits;

namespace {

// SymInt.as_int = 3 of pt2 8.20, as contracts have it.
const std::string kExample = from_hex(
    "89 50 54 32 0d 0a 1a 0a 01 00 08 00 00 00 14 00 00 00 4e e9 62 d5 de 33 f9 83 06 53 79 6d 49 6e 74"
    "04 00 00 00 00 00 00 00 06 28 06 00 fe 25 aa e1 cd 0f 96 7a");

pt2::SymInt three() {
  pt2::SymInt value;
  value.emplace<pt2::SymInt::as_int>(3);
  return value;
}

EnvelopeHeader own_header() {
  return Envelope(kExample, {}).header();
}

std::string error_of(const std::string& file, const Limits& limits = {}) {
  try {
    const Envelope envelope(file, limits);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
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

TEST_CASE("the example is written and read") {
  CHECK(to_hex(pt2::to_pt2b(three())) == to_hex(kExample));
  CHECK(pt2::from_pt2b<pt2::SymInt>(kExample) == three());
  const Envelope envelope(kExample, {});
  CHECK(envelope.header().schema_major == 8);
  CHECK(envelope.header().schema_minor == 20);
  CHECK(envelope.header().root == "SymInt");
  CHECK(envelope.header().doubles == schemagen::DoubleOrder::little_endian);
  CHECK(envelope.compression() == Compression::none);
  CHECK(to_hex(envelope.payload()) == "06 28 06 00");
  CHECK(pt2::is_envelope(kExample));
  CHECK_FALSE(pt2::is_envelope("{\"graph_module\""));
}

TEST_CASE("a damaged envelope is refused") {
  const auto changed = [](std::size_t at, char value) {
    std::string file = kExample;
    file[at] = value;
    return file;
  };
  CHECK(error_of("PK") ==
        "this is no .pt2b file: it begins with other bytes than 89 50 54 32 0d 0a 1a 0a (byte 0)");
  CHECK(error_of("") ==
        "this is no .pt2b file: it begins with other bytes than 89 50 54 32 0d 0a 1a 0a (byte 0)");
  CHECK(error_of(from_hex("89 50 54 32 0a 1a 0a 01 00")) ==
        "the file was changed as if it were text: its line ends are not what they were (byte 4)");
  CHECK(error_of(changed(8, 2)) == "envelope version 2, but only 1 is known (byte 8)");
  CHECK(error_of(changed(9, 4)) == "unknown flags 4: a newer library wrote this file (byte 9)");
  CHECK(error_of(changed(33, 5)) ==
        "the payload has 5 bytes, but 12 follow, its checksum of 8 included (byte 33)");
  CHECK(error_of(changed(41, 7)) == "the checksum is another: the file is damaged (byte 45)");
  CHECK(error_of(changed(20, 7)) == "the checksum is another: the file is damaged (byte 45)");
  CHECK(error_of(changed(52, 0)) == "the checksum is another: the file is damaged (byte 45)");
  CHECK(error_of(kExample + '\0') ==
        "the payload has 4 bytes, but 13 follow, its checksum of 8 included (byte 33)");
  for (std::size_t size = 8; size < kExample.size(); ++size) {
    CAPTURE(size);
    CHECK(error_of(kExample.substr(0, size)) != "no error");
  }
  CHECK(error_of(kExample.substr(0, 20)) == "the file ends within the header (byte 18)");
}

TEST_CASE("payloads of any bytes come back") {
  EnvelopeHeader header;
  header.schema_major = 4000000000;
  header.schema_minor = 7;
  header.root = std::string(255, 'x');
  header.doubles = schemagen::DoubleOrder::big_endian;
  for (const std::string& payload : {std::string(), std::string(100000, '\0'), from_hex("00 ff")}) {
    for (const Compression compression : {Compression::none, Compression::zstd}) {
      const std::string file = pt2::seal(header, payload, compression);
      const Envelope envelope(file, {});
      CHECK(envelope.payload() == payload);
      CHECK(envelope.compression() == compression);
      CHECK(envelope.header().root == header.root);
      CHECK(envelope.header().schema_major == header.schema_major);
      CHECK(envelope.header().doubles == header.doubles);
    }
  }
  header.root += 'x';
  CHECK_THROWS_AS(pt2::seal(header, "", Compression::none), std::invalid_argument);
}

TEST_CASE("an envelope that is moved keeps its payload") {
  const std::string file = pt2::seal({}, "abc", Compression::zstd);
  Envelope first(file, {});
  const Envelope second(std::move(first));
  CHECK(second.payload() == "abc");
}

TEST_CASE("a compressed payload is one frame that says its size") {
  const auto with_payload = [](const std::string& payload) {
    // Sealed as it is, then declared to be compressed.
    std::string file = pt2::seal({}, payload, Compression::zstd);
    return file;
  };
  CHECK(error_of(with_payload("abc")) == "no error");
  Limits limits;
  limits.input_bytes = 99;
  const std::string large = pt2::seal({}, std::string(100, 'x'), Compression::zstd);
  CHECK(error_of(large, limits) == "a payload of 100 bytes, over the limit of 99 (byte 35)");
  limits.input_bytes = 100;
  CHECK(error_of(large, limits) == "no error");
  const std::string plain = pt2::seal({}, std::string(100, 'x'), Compression::none);
  limits.input_bytes = 99;
  CHECK(error_of(plain, limits) == "a payload of 100 bytes, over the limit of 99 (byte 35)");
}

TEST_CASE("a file of another type or major version is refused") {
  CHECK(read_error<pt2::Device>(kExample) == "the file holds a value of type 'SymInt', not 'Device'");
  EnvelopeHeader header = own_header();
  header.schema_major = 7;
  header.schema_minor = 3;
  CHECK(read_error<pt2::SymInt>(pt2::seal(header, from_hex("06 28 06 00"), Compression::none)) ==
        "the file is of schema 7.3, and binary files are read by their own major version only, here 8.20: "
        "have the "
        "library that wrote it convert it to JSON, and upgrade that");
  header.schema_major = 9;
  CHECK(read_error<pt2::SymInt>(pt2::seal(header, from_hex("06 28 06 00"), Compression::none)) ==
        "the file is of schema 9.3, and binary files are read by their own major version only, here 8.20: a "
        "newer "
        "library reads it");
}

TEST_CASE("other minor versions are read as far as they mean the same") {
  EnvelopeHeader header = own_header();
  header.schema_id = {1, 2, 3, 4, 5, 6, 7, 0xff};
  header.schema_minor = 21;
  header.root = "Device";
  const auto file = [&](const std::string& hex) {
    return pt2::seal(header, from_hex(hex), Compression::none);
  };
  CHECK(pt2::from_pt2b<pt2::Device>(file("a8 01 78 00")).type == "x");
  // An addition that is not used.
  CHECK(pt2::from_pt2b<pt2::Device>(file("a8 01 78 08 3c 00 00")).type == "x");
  const std::string note =
      "; written by schema id 01020304050607ff (8.21), this is 8.20, where an id may mean something else";
  CHECK(read_error<pt2::Device>(file("a8 01 78 08 3c 01 61 00")) ==
        "#30: unknown field id 30" + note + " (byte 5)");
  schemagen::BinaryReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(read_error<pt2::Device>(file("a8 01 78 08 3c 01 61 00"), options) == "no error");
  CHECK(read_error<pt2::Device>(file("a6 02 00")) == "type: expected string, found i64" + note + " (byte 1)");
  header.schema_minor = 17;
  CHECK(read_error<pt2::Device>(file("a8 01 78 08 3c 00 00")) ==
        "#30: unknown field id 30; written by schema id 01020304050607ff (8.17), this is 8.20, where an id "
        "may mean "
        "something else (byte 5)");
  header = own_header();
  header.root = "Device";
  CHECK(read_error<pt2::Device>(file("a6 02 00")) == "type: expected string, found i64 (byte 1)");
}

TEST_CASE("doubles of either order are read as the flag says") {
  EnvelopeHeader header = own_header();
  header.root = "ComplexValue";
  header.doubles = schemagen::DoubleOrder::big_endian;
  const std::string file = pt2::seal(
      header, from_hex("a7 3f f0 00 00 00 00 00 00 a7 c0 00 00 00 00 00 00 00 00"), Compression::none);
  const auto value = pt2::from_pt2b<pt2::ComplexValue>(file);
  CHECK(value.real == 1.0);
  CHECK(value.imag == -2.0);
}
