#include "schemagen/binary_file/binary_file.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/hex.h"
#include "schemagen/base/error.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

using schemagen::BinaryFile;
using schemagen::BinaryFileHeader;
using schemagen::Compression;
using schemagen::Limits;

namespace {

constexpr schemagen::BinaryFileFormat kFormat = {"\x89PT2\r\n\x1a\n", ".pt2b", false, nullptr};

// SymInt.as_int = 3 of pt2 8.20, from the format's specification.
const std::string kExample = from_hex(
    "89 50 54 32 0d 0a 1a 0a 01 00 08 00 00 00 14 00 00 00 4e e9 62 d5 de 33 f9 83 06 53 79 6d 49 6e 74"
    "04 00 00 00 00 00 00 00 06 28 06 00 fe 25 aa e1 cd 0f 96 7a");

std::vector<Compression> compressions() {
  if (schemagen::has_zstd()) return {Compression::none, Compression::zstd};
  return {Compression::none};
}

std::string error_of(const std::string& file, const Limits& limits = {}) {
  try {
    const BinaryFile opened(kFormat, file, limits);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

std::string resealed(const std::string& file) {
  const std::string_view body = std::string_view(file).substr(0, file.size() - 8);
  const std::uint64_t checksum = XXH3_64bits(body.data(), body.size());
  std::string result(body);
  for (int i = 0; i < 8; ++i) result += static_cast<char>(static_cast<unsigned char>(checksum >> (8 * i)));
  return result;
}

}  // namespace

TEST_CASE("a binary file is recognized even if its line endings were changed") {
  CHECK(looks_like(kFormat, kExample));
  CHECK(looks_like(kFormat, from_hex("89 50 54 32 0a 1a 0a")));
  CHECK_FALSE(looks_like(kFormat, from_hex("89 50 54")));
  CHECK_FALSE(looks_like(kFormat, "{\"graph_module\""));
  CHECK_FALSE(looks_like(kFormat, ""));
}

TEST_CASE("a damaged binary file is rejected") {
  const auto changed = [](std::size_t at, char value) {
    std::string file = kExample;
    file[at] = value;
    return file;
  };
  CHECK(error_of("PK") == "not a .pt2b file: expected magic 89 50 54 32 0d 0a 1a 0a (byte 0)");
  CHECK(error_of("") == "not a .pt2b file: expected magic 89 50 54 32 0d 0a 1a 0a (byte 0)");
  CHECK(error_of(kExample.substr(0, 5)) == "the file ends within the magic (byte 5)");
  CHECK(error_of(from_hex("89 50 54 32 0a 1a 0a 01 00")) ==
        "the file was transferred in text mode, which changed its line endings; hint: transfer it in binary "
        "mode (byte 4)");
  CHECK(error_of(changed(8, 2)) == "unknown binary file version 2, expected 1 (byte 8)");
  CHECK(error_of(changed(9, 4)) == "unknown flags 4: a newer library wrote this file (byte 9)");
  CHECK(error_of(changed(33, 5)) ==
        "expected a payload of 5 bytes and a checksum of 8, found 12 bytes (byte 33)");
  CHECK(error_of(changed(41, 7)) == "checksum mismatch: the file is damaged (byte 45)");
  CHECK(error_of(changed(20, 7)) == "checksum mismatch: the file is damaged (byte 45)");
  CHECK(error_of(changed(52, 0)) == "checksum mismatch: the file is damaged (byte 45)");
  CHECK(error_of(kExample + '\0') ==
        "expected a payload of 4 bytes and a checksum of 8, found 13 bytes (byte 33)");
  for (std::size_t size = 0; size < kExample.size(); ++size) {
    CAPTURE(size);
    CHECK(error_of(kExample.substr(0, size)) != "no error");
  }
  CHECK(error_of(kExample.substr(0, 20)) == "the file ends within the header (byte 20)");
}

TEST_CASE("payloads of any bytes round trip") {
  BinaryFileHeader header;
  header.schema_major = 4000000000;
  header.schema_minor = 7;
  header.root = std::string(255, 'x');
  header.doubles = schemagen::DoubleOrder::big_endian;
  for (const std::string& payload : {std::string(), std::string(100000, '\0'), from_hex("00 ff")}) {
    for (const Compression compression : compressions()) {
      const std::string file = seal(kFormat, header, payload, compression);
      const BinaryFile opened(kFormat, file, {});
      CHECK(opened.payload() == payload);
      CHECK(opened.compression() == compression);
      CHECK(opened.header().root == header.root);
      CHECK(opened.header().schema_major == header.schema_major);
      CHECK(opened.header().doubles == header.doubles);
    }
  }
  header.root += 'x';
  CHECK_THROWS_AS(seal(kFormat, header, "", Compression::none), schemagen::UsageError);
}

TEST_CASE("a moved BinaryFile keeps its payload") {
  for (const Compression compression : compressions()) {
    const std::string file = seal(kFormat, {}, "abc", compression);
    BinaryFile first(kFormat, file, {});
    const BinaryFile second(std::move(first));
    CHECK(second.payload() == "abc");
  }
}

TEST_CASE("payloads are limited, compressed or not") {
  Limits limits;
  for (const Compression compression : compressions()) {
    const std::string file = seal(kFormat, {}, std::string(100, 'x'), compression);
    limits.input_bytes = 99;
    CHECK(error_of(file, limits) ==
          "the payload has 100 bytes, over the limit of 99 (input_bytes) (byte 35)");
    limits.input_bytes = 100;
    CHECK(error_of(file, limits) == "no error");
    limits.memory_bytes = 99;
    CHECK(error_of(file, limits) ==
          (compression == Compression::none
               ? "no error"
               : "the payload has 100 bytes, over the limit of 99 (memory_bytes) (byte 35)"));
    limits.memory_bytes = 100;
  }
}

TEST_CASE("a compressed payload is one whole frame that states its size") {
  const auto with_frame = [](const std::string& hex) {
    std::string file = seal(kFormat, {}, from_hex(hex), Compression::none);
    file[9] = 2;  // flags: zstd
    return resealed(file);
  };
  if (!schemagen::has_zstd()) {
    CHECK(error_of(with_frame("00")) ==
          "the payload is compressed with zstd, but this library was built without libzstd: have the file "
          "written without compression (byte 35)");
    CHECK_THROWS_AS(seal(kFormat, {}, "abc", Compression::zstd), schemagen::UsageError);
    return;
  }
  const std::string abc = "28 b5 2f fd 20 03 19 00 00 61 62 63";  // one raw block
  CHECK(error_of(with_frame(abc)) == "no error");
  CHECK(error_of(with_frame("00 01 02")) == "the payload is not a zstd frame (byte 35)");
  CHECK(error_of(with_frame("28 b5 2f fd 00 48 19 00 00 61 62 63")) ==
        "the zstd frame does not record its content size (byte 35)");
  CHECK(error_of(with_frame(abc + " 00")) == "the payload is not exactly one zstd frame (byte 35)");
  CHECK(error_of(with_frame(abc + " " + abc)) == "the payload is not exactly one zstd frame (byte 35)");
  CHECK(error_of(with_frame("28 b5 2f fd 20 03 19 00 00 61 62")) ==
        "the payload is not exactly one zstd frame (byte 35)");
  CHECK(error_of(with_frame("28 b5 2f fd 20 04 19 00 00 61 62 63")) != "no error");
  CHECK(error_of(with_frame("28 b5 2f fd 20 02 19 00 00 61 62 63")) != "no error");
  // Twelve bytes that claim a gigabyte must not allocate it.
  CHECK(error_of(with_frame("28 b5 2f fd a0 00 00 00 40 19 00 00 61 62 63")) ==
        "the payload is not exactly one zstd frame (byte 35)");
}
