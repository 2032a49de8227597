#include "schemagen/binary_file/binary_file.h"

#include <compact_vectors/binary.h>
#include <letters_2_4/binary.h>
#include <letters_2_4/schema_info.h>
#include <letters_2_5/binary.h>
#include <letters_2_5/schema_info.h>
#include <letters_3_0/binary.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/hex.h"
#include "schemagen/base/error.h"

using schemagen::BinaryFile;
using schemagen::Compression;
using schemagen::kAnySchema;

namespace {

/// The version field is special in JSON, but not in binary.
letters_2_4::Letter letter(std::int64_t minor = 4) {
  letters_2_4::Letter value;
  value.version.minor = minor;
  value.text = "hello";
  value.to.emplace<letters_2_4::Address::box>(7);
  return value;
}

letters_2_5::Letter next_letter() {
  letters_2_5::Letter value;
  value.text = "hello";
  value.to.emplace<letters_2_5::Address::box>(7);
  return value;
}

template <class T>
std::string read_error(const std::string& file, const schemagen::BinaryReadOptions& options = {}) {
  try {
    static_cast<void>(schemagen::from_binary_file<T>(file, options));
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a file of any schema names the schema, its version, its id and the type") {
  const std::string file = schemagen::to_binary_file(letter());
  const BinaryFile opened(kAnySchema, file, {});
  CHECK(to_hex(file.substr(0, 18)) == "89 53 47 42 0d 0a 1a 0a 01 00 02 00 00 00 04 00 00 00");
  CHECK(opened.header().root == "letters.Letter");
  CHECK(opened.header().schema_id == letters_2_4::kSchema.id);
  CHECK(letters_2_4::kSchemaHash.substr(7, 16) == schema_id_text(opened.header()));
  CHECK(opened.payload() == schemagen::to_binary(letter()));
}

TEST_CASE("structs and unions round trip through files, compressed or not") {
  for (const Compression compression : {Compression::none, Compression::zstd}) {
    if (compression == Compression::zstd && !schemagen::has_zstd()) continue;
    schemagen::BinaryFileWriteOptions options;
    options.compression = compression;
    CHECK(schemagen::from_binary_file<letters_2_4::Letter>(schemagen::to_binary_file(letter(), options)) ==
          letter());
    const letters_2_4::Address to = letter().to;
    const std::string file = schemagen::to_binary_file(to, options);
    CHECK(schemagen::from_binary_file<letters_2_4::Address>(file) == to);
    CHECK(BinaryFile(kAnySchema, file, {}).compression() == compression);
  }
}

TEST_CASE("a custom format has its own magic and may omit the schema's name") {
  constexpr schemagen::BinaryFileFormat kLetters = {"\x89LTR\r\n\x1a\n", ".letter", false, nullptr};
  const std::string file = schemagen::to_binary_file(letter(), {}, kLetters);
  CHECK(BinaryFile(kLetters, file, {}).header().root == "Letter");
  CHECK(schemagen::from_binary_file<letters_2_4::Letter>(file, {}, kLetters) == letter());
  CHECK(read_error<letters_2_4::Letter>(file) ==
        "not a schemagen file: expected magic 89 53 47 42 0d 0a 1a 0a (byte 0)");
}

TEST_CASE("a file of another type, schema or major version is rejected by name") {
  CHECK(read_error<letters_2_4::Address>(schemagen::to_binary_file(letter())) ==
        "expected a value of type 'letters.Address', got 'letters.Letter' (byte 26)");
  CHECK(read_error<letters_2_4::Letter>(schemagen::to_binary_file(compact_vectors::Device())) ==
        "expected a value of type 'letters.Letter', got 'compact_vectors.Device' (byte 26)");
  CHECK(read_error<letters_2_4::Letter>(schemagen::to_binary_file(letters_3_0::Letter())) ==
        "cannot read 'letters.Letter' of schema 3.0 with code for schema 2.4; hint: use code for major "
        "version 3 "
        "(byte 10)");
  CHECK(read_error<letters_3_0::Letter>(schemagen::to_binary_file(letter())) ==
        "cannot read 'letters.Letter' of schema 2.4 with code for schema 3.0; hint: use code for major "
        "version 2 "
        "(byte 10)");
}

TEST_CASE("a file of an earlier minor version is read") {
  const auto read = schemagen::from_binary_file<letters_2_5::Letter>(schemagen::to_binary_file(letter()));
  letters_2_5::Letter expected = next_letter();
  expected.version.minor = 4;
  CHECK(read == expected);
}

TEST_CASE("empty additions in a file of a later minor version are skipped and reported") {
  std::vector<schemagen::SkippedField> skipped;
  schemagen::BinaryReadOptions options;
  options.skipped = &skipped;
  const std::string file = schemagen::to_binary_file(next_letter());
  CHECK(schemagen::from_binary_file<letters_2_4::Letter>(file, options) == letter(5));
  REQUIRE(skipped.size() == 1);
  CHECK(skipped[0].path == "#30");
}

TEST_CASE(
    "a file of a later minor version that uses what was added is refused by name, unless it is skipped") {
  letters_2_5::Letter next = next_letter();
  next.weight = 0.5;
  const std::string file = schemagen::to_binary_file(next);
  const std::string id(letters_2_5::kSchemaHash.substr(7, 16));
  CHECK(read_error<letters_2_4::Letter>(file) ==
        "#40: unknown field id 40; written with schema id " + id +
            " (2.5), read with 2.4, where a field id may have a different meaning (byte 21)");
  schemagen::BinaryReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(schemagen::from_binary_file<letters_2_4::Letter>(file, options) == letter(5));
}

TEST_CASE("a file of a later minor version round trips byte for byte with preserved fields") {
  letters_2_5::Letter next = next_letter();
  next.weight = 0.5;
  next.copies.push_back(next.to);
  const std::string file = schemagen::to_binary_file(next);
  const BinaryFile opened(kAnySchema, file, {});
  std::vector<schemagen::UnknownField> kept;
  schemagen::BinaryReadOptions reading;
  reading.unknown_fields = schemagen::UnknownFields::keep;
  reading.preserved = &kept;
  const auto value = schemagen::from_binary_file<letters_2_4::Letter>(opened, reading);
  schemagen::BinaryFileWriteOptions writing;
  writing.payload.preserved = &kept;
  writing.written_by = &opened.header();
  CHECK(to_hex(schemagen::to_binary_file(value, writing)) == to_hex(file));
}

TEST_CASE("every truncated file, and every file with one changed byte, is an error") {
  const std::string file = schemagen::to_binary_file(letter());
  for (std::size_t size = 0; size < file.size(); ++size) {
    CAPTURE(size);
    CHECK(read_error<letters_2_4::Letter>(file.substr(0, size)) != "no error");
  }
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      CAPTURE(at, bit);
      std::string changed = file;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
      CHECK(read_error<letters_2_4::Letter>(changed) != "no error");
    }
  }
}

TEST_CASE("files can be read without exceptions") {
  const auto file = schemagen::try_to_binary_file(letter());
  REQUIRE(file);
  const auto back = schemagen::try_from_binary_file<letters_2_4::Letter>(*file);
  REQUIRE(back);
  CHECK(*back == letter());
  CHECK(schemagen::try_from_binary_file<letters_2_4::Address>(*file).failure().what() ==
        read_error<letters_2_4::Address>(*file));
  CHECK(schemagen::try_to_binary_file(letters_2_4::Letter()).failure().what() ==
        std::string("to: cannot write an unset union"));
}
