#include "schemagen/thrift/reader.h"

#include <compact_vectors/binary.h>
#include <compact_vectors/json.h>
#include <everything/binary.h>
#include <everything/json.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "runtime/hex.h"
#include "runtime/schemagen/thrift/compact_vectors.h"

using compact_vectors::All;
using compact_vectors::Device;
using compact_vectors::Rec;
using compact_vectors::SymInt;
using everything::Awkward;
using everything::Choice;
using everything::Containers;
using everything::Empty;
using everything::Keyed;
using everything::Scalars;
using everything::Tree;
using schemagen::BinaryReadOptions;
using schemagen::from_binary;
using schemagen::UnknownFields;

namespace {

template <class T>
std::string read(std::string_view hex, const BinaryReadOptions& options = {}) {
  schemagen::JsonWriteOptions json;
  json.omit_null_defaults = true;
  static T used;  // holds values of earlier reads
  BinaryReadOptions options_over = options;
  options_over.skipped = nullptr;
  std::string over;
  try {
    from_binary(from_hex(hex), used, options_over);
    over = schemagen::to_json(used, json);
  } catch (const schemagen::DataError& error) {
    CHECK(used == T());
    over = error.what();
  }
  std::string fresh;
  try {
    fresh = schemagen::to_json(from_binary<T>(from_hex(hex), options), json);
  } catch (const schemagen::DataError& error) {
    CHECK(error.place().offset.has_value());
    fresh = error.what();
  }
  CHECK(over == fresh);
  return fresh;
}

std::string read_vector(const CompactVector& vector, const std::string& hex,
                        const BinaryReadOptions& options) {
  if (vector.type == "Device") return read<Device>(hex, options);
  if (vector.type == "SymInt") return read<SymInt>(hex, options);
  if (vector.type == "Rec") return read<Rec>(hex, options);
  return read<All>(hex, options);
}

BinaryReadOptions canonical() {
  BinaryReadOptions options;
  options.canonical_check = true;
  return options;
}

BinaryReadOptions with(UnknownFields unknown_fields) {
  BinaryReadOptions options;
  options.unknown_fields = unknown_fields;
  return options;
}

struct Case {
  std::string hex;
  std::string result;
};

template <class T>
void check(const std::vector<Case>& cases, const BinaryReadOptions& options = {}) {
  for (const Case& c : cases) {
    CAPTURE(c.hex);
    CHECK(read<T>(c.hex, options) == c.result);
  }
}

std::string repeat(std::string_view text, std::size_t n) {
  std::string result;
  for (std::size_t i = 0; i < n; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("an absent struct has its default, a present one only its own values") {
  const auto preset = from_binary<everything::Preset>(from_hex("00"));
  CHECK(preset == everything::Preset());
  CHECK(preset.style.color == everything::Color::BLUE);
  const auto given = from_binary<everything::Preset>(from_hex("19 01 7c 00 5c 00 00"));
  CHECK(given.flags.empty());
  CHECK(given.style == everything::Style());
  CHECK(*given.on_heap == everything::Style());
  CHECK(given.labels == preset.labels);
  CHECK(from_binary<everything::Preset>(schemagen::to_binary(given)) == given);
}

TEST_CASE("what Apache Thrift wrote is read") {
  for (const CompactVector& vector : thrift_vectors()) {
    CAPTURE(vector.json);
    CHECK(read_vector(vector, std::string(vector.hex), {}) == vector.json);
    CHECK(read_vector(vector, std::string(vector.hex), canonical()) == vector.json);
  }
}

TEST_CASE("every truncated payload is an error") {
  for (const CompactVector& vector : thrift_vectors()) {
    const std::string bytes = from_hex(vector.hex);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string hex = to_hex(std::string_view(bytes).substr(0, size));
      CAPTURE(hex);
      const std::string result = read_vector(vector, hex, {});
      const bool says_so = result.find("the payload is truncated (byte ") != std::string::npos ||
                           result.find(" left (byte ") != std::string::npos;
      CHECK(says_so);
    }
  }
}

TEST_CASE("big-endian doubles are read if the options say so") {
  BinaryReadOptions options;
  options.doubles = schemagen::DoubleOrder::big_endian;
  CHECK(read<All>("a1 a7 3f f0 00 00 00 00 00 00 00", options) == R"({"b": true, "d": 1.0})");
  CHECK(read<All>("a1 a7 3f f0 00 00 00 00 00 00 00") == R"({"b": true, "d": 3.03865e-319})");
}

TEST_CASE("equivalent encodings are read as the same value") {
  check<Device>({
      {"08 14 04 63 75 64 61 00", R"({"type": "cuda"})"},            // long headers
      {"06 28 1c 08 14 01 78 00", R"({"type": "x", "index": 14})"},  // ids that go down
      {"a8 84 00 63 75 64 61 00", R"({"type": "cuda"})"},            // overlong numbers
      {"a8 01 78 a6 80 80 80 80 80 80 80 80 80 00 00", R"({"type": "x", "index": 0})"},
      {"a8 01 78 a3 fe 00", R"({"type": "x", "index": -2})"},  // narrower integers
      {"a8 01 78 a4 03 00", R"({"type": "x", "index": -2})"},
      {"a8 01 78 a5 03 00", R"({"type": "x", "index": -2})"},
  });
  check<All>({
      {"09 3c 32 01 02 00 00", R"({"lb": [true, false, false]})"},  // the other code for bools, 0 for false
      {"09 64 f6 01 02 00", R"({"li": [1]})"},                      // a long header for a short list
      {"09 64 23 01 ff 00", R"({"li": [1, -1]})"},                  // items of narrower integers
      {"05 78 84 00 00", R"({"k": 2})"},
      {"05 78 84 80 80 80 80 00 00", R"({"k": 2})"},  // Apache Thrift takes ten bytes for 32 bits, too
      {"05 78 84 80 80 80 80 80 80 80 80 00 00", R"({"k": 2})"},
      {"03 78 02 00", R"({"k": 2})"},
      {"04 78 04 00", R"({"k": 2})"},
      {"05 78 ff ff ff ff 0f 00", R"({"k": -2147483648})"},
      {"0b 50 80 00 00", R"({"m": {}})"},
      {"0b 50 02 86 01 62 02 01 61 04 00", R"({"m": {"b": 1, "a": 2}})"},  // keys in any order
      {"0b d8 04 02 82 01 61 00 01 62 01 00", R"({"mb": {"a": false, "b": true}})"},
      {"07 28 01 00 00 00 00 00 f8 ff 00", R"({"d": "NaN"})"},
  });
}

TEST_CASE("the canonical check accepts one encoding") {
  check<Device>(
      {
          {"08 14 04 63 75 64 61 00", "not canonical: a long field header where a short one fits (byte 0)"},
          {"06 28 1c 08 14 01 78 00", "not canonical: the field id 10 comes after 20 (byte 3)"},
          {"a8 84 00 63 75 64 61 00", "type: not canonical: a number with leading zeros (byte 1)"},
          {"a8 01 78 a3 fe 00", "index: expected i64, found i8 (byte 4)"},
          {"a8 01 78 a5 03 00", "index: expected i64, found i32 (byte 4)"},
      },
      canonical());
  check<All>(
      {
          {"09 3c 22 01 02 00", "lb: not canonical: type 2 for items of type bool (byte 2)"},
          {"09 3c 21 01 00 00", "lb[1]: not canonical: false encoded as 0 (byte 4)"},
          {"09 64 f6 01 02 00", "li: not canonical: a long header for a short list (byte 2)"},
          {"09 64 23 01 ff 00", "li: not canonical: type 3 for items of type i64 (byte 2)"},
          {"04 78 04 00", "k: expected i32, found i16 (byte 2)"},
          {"0b 50 80 00 00", "m: not canonical: a number with leading zeros (byte 2)"},
          {"0b 50 02 86 01 62 02 01 61 04 00", "m: not canonical: the key 'a' is out of order (byte 7)"},
          {"0b d8 04 01 82 01 61 01 00", "mb: not canonical: type 2 for items of type bool (byte 3)"},
          {"07 28 01 00 00 00 00 00 f8 7f 00",
           "d: not canonical: a NaN other than 0x7ff8000000000000 (byte 2)"},
          {"06 fc 82 00 02 00", "back: not canonical: a number with leading zeros (byte 1)"},
      },
      canonical());
  // Tree requires only `name`; the canonical form includes defaults.
  check<Tree>({{"18 01 78 00", R"({"name": "x", "children": [], "named": {}})"}});
  check<Tree>({{"18 01 78 39 0c 1b 00 00", R"({"name": "x", "children": [], "named": {}})"},
               {"18 01 78 00", "not canonical: the fields 'children', 'named' are missing (byte 3)"},
               {"18 01 78 39 0c 00", "not canonical: the field 'named' is missing (byte 5)"},
               {"49 0c 1b 00 00", "the required field 'name' is missing (byte 4)"}},
              canonical());
}

TEST_CASE("a type that the schema does not expect is an error") {
  check<Device>({
      {"a6 02 00", "type: expected string, found i64 (byte 1)"},
      {"a1 00", "type: expected string, found bool (byte 1)"},
      {"aa 08 00", "type: expected string, found set (byte 1)"},
      {"ad 00", "type: expected string, found uuid (byte 1)"},
      {"ae 00", "type: expected string, found unknown type (byte 1)"},
      {"a8 01 78 a8 00 00", "index: expected i64, found string (byte 4)"},
      {"a8 01 78 a7 00 00 00 00 00 00 00 00 00", "index: expected i64, found double (byte 4)"},
      {"a8 01 78 a1 00", "index: expected i64, found bool (byte 4)"},
  });
  check<All>({
      {"a8 00 00", "b: expected bool, found string (byte 1)"},
      {"08 28 00 00", "d: expected double, found string (byte 2)"},
      {"0b 3c 00 00", "lb: expected list, found map (byte 2)"},
      {"0a 3c 11 01 00", "lb: expected list, found set (byte 2)"},
      {"09 3c 16 02 00", "lb: expected items of type bool, found i64 (byte 2)"},
      {"09 3c 06 00", "lb: expected items of type bool, found i64 (byte 2)"},
      {"09 3c 11 03 00", "lb[0]: expected a bool (1 or 2), found the byte 3 (byte 3)"},
      {"09 50 06 00", "m: expected map, found list (byte 2)"},
      {"0b 50 01 66 02 02 00", "m: expected map keys of type string, found i64 (byte 2)"},
      {"0b 50 01 88 01 61 01 61 00", "m: expected items of type i64, found string (byte 2)"},
      {"09 64 15 02 00", R"({"li": [1]})"},
      {"06 78 02 00", "k: expected i32, found i64 (byte 2)"},
      {"09 8c 01 1c 00 00", "s: expected struct, found list (byte 3)"},
      {"09 ec 04 1c 08 14 03 78 00 00", "ls[0]: the payload is truncated (byte 10)"},
      {"09 80 05 29 16 02 18 01 61 00", "ll[1]: expected items of type i64, found string (byte 6)"},
  });
}

TEST_CASE("numbers that do not fit are errors") {
  check<Device>({
      {"a8 01 78 a6 80 80 80 80 80 80 80 80 80 02 00", "index: the number does not fit in 64 bits (byte 4)"},
      {"a8 01 78 a6 80 80 80 80 80 80 80 80 80 80 00 00",
       "index: the number does not fit in 64 bits (byte 4)"},
      {"a8 01 78 a5 80 80 80 80 10 00", "index: the number does not fit in 32 bits (byte 4)"},
      {"a8 01 78 a5 80 80 80 80 80 80 01 00", "index: the number does not fit in 32 bits (byte 4)"},
      {"a8 01 78 a4 80 80 04 00", "index: the number does not fit in 16 bits (byte 4)"},
      {"a8 80 80 80 80 10 00", "type: the number does not fit in 32 bits (byte 1)"},
  });
  check<All>({{"05 78 80 80 80 80 10 00", "k: the number does not fit in 32 bits (byte 2)"}});
}

TEST_CASE("ids are within 1 and 32767, and come once") {
  check<Device>({
      {"08 00 00 00", "the field id 0 is not in 1..32767 (byte 0)"},
      {"08 01 00 00", "the field id -1 is not in 1..32767 (byte 0)"},
      {"08 80 80 04 00 00", "the field id 32768 is not in 1..32767 (byte 0)"},
      {"08 fe ff 03 00 18 00 00", "#32767: unknown field id 32767 (byte 4)"},
      {"a8 01 78 08 14 01 78 00", "duplicate field 'type' (byte 3)"},
      {"06 28 00 08 14 01 78 06 28 00 00", "duplicate field 'index' (byte 7)"},
      {"06 28 00 08 14 01 78 a6 00 00", "duplicate field 'index' (byte 7)"},
      {"10 00", "field type 0 is invalid; a struct ends with the byte 0 (byte 0)"},
      {"a8 01 78 f0 00", "field type 0 is invalid; a struct ends with the byte 0 (byte 3)"},
  });
  const auto skipping = with(UnknownFields::skip);
  check<Device>(
      {
          {"08 fe ff 03 00 18 00 00", "the field id 32768 is not in 1..32767 (byte 5)"},
          {"18 00 98 01 78 08 02 00 00", "duplicate field id 1 (byte 5)"},
          {"18 00 08 06 00 08 04 00 08 06 00 00", "duplicate field id 3 (byte 8)"},
      },
      skipping);
}

TEST_CASE("a union has exactly one member") {
  check<SymInt>({
      {"00", "expected exactly one field in a union, found none (byte 0)"},
      {"a8 01 78 a6 02 00", "expected exactly one field in a union, found several (byte 3)"},
      {"a8 01 78 08 14 01 78 00", "expected exactly one field in a union, found several (byte 3)"},
      {"a8 01 78 10", "field type 0 is invalid; a struct ends with the byte 0 (byte 3)"},
      {"18 01 78 00", "#1: unknown union member id 1 (byte 1)"},
  });
  check<All>({{"0c 8c 01 00 00", "s: expected exactly one field in a union, found none (byte 3)"},
              {"09 ec 04 2c 06 28 02 00 00 00",
               "ls[1]: expected exactly one field in a union, found none (byte 8)"}});
  CHECK(from_binary<SymInt>(from_hex("18 01 78 00"), with(UnknownFields::skip)).kind() == SymInt::unset);
}

TEST_CASE("required fields must be present") {
  check<Device>({{"00", "the required field 'type' is missing (byte 0)"},
                 {"06 28 00 00", "the required field 'type' is missing (byte 3)"}});
  check<Rec>({{"a8 01 72 ab 01 8c 01 6b 00 00", "kids.k: the required field 'name' is missing (byte 8)"}});
  check<Containers>({{"00", "the required fields 'flags', 'matrix', 'by_name' are missing (byte 0)"},
                     {"39 09 1b 00 00", "the required field 'flags' is missing (byte 4)"}});
  // `maybe` has no default, so JSON requires it, at least as null.
  const std::string scalars = "11 16 00 17 00 00 00 00 00 00 00 00 18 00 18 00 1c 00 18 01 30 15 00 00";
  CHECK(from_binary<Scalars>(from_hex(scalars)).maybe == std::nullopt);
  CHECK(from_binary<Scalars>(from_hex(scalars)).count_default == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("bytes after the value are an error") {
  check<Device>({{"a8 01 78 00 00", "1 byte after the end of the value (byte 4)"},
                 {"a8 01 78 00 a8 01 78 00", "4 bytes after the end of the value (byte 4)"}});
}

TEST_CASE("lengths are compared with the rest of the payload") {
  check<Device>({
      {"a8 05 78 00", "type: expected a string of 5 bytes, but only 2 bytes are left (byte 1)"},
      {"a8 ff ff ff ff 0f 00",
       "type: expected a string of 4294967295 bytes, but only 1 byte is left (byte 1)"},
  });
  check<All>({
      {"09 64 f6 ff ff ff ff 0f 00", "li: expected 4294967295 items, but only 1 byte is left (byte 2)"},
      {"09 64 36 02 00", "li: expected 3 items, but only 2 bytes are left (byte 2)"},
      {"0b 50 ff ff ff 07 86 00", "m: expected 16777215 items, but only 1 byte is left (byte 2)"},
      {"09 ec 04 fc ff ff ff 07 00", "ls: expected 16777215 items, but only 1 byte is left (byte 3)"},
  });
  check<Containers>({{"11 01 29 18 01", "flags: expected list, found bool (byte 1)"},
                     {"19 01 29 17 00 00", "matrix: expected items of type list, found double (byte 3)"},
                     {"19 01 29 19 27 00 00 00 00 00 00 00 00 00",
                      "matrix[0]: expected 2 items, but only 9 bytes are left (byte 4)"}});
}

TEST_CASE("strings are UTF-8") {
  check<Device>({
      {"a8 02 c3 a9 00", R"({"type": "\u00e9"})"},
      {"a8 03 61 c3 28 00", "type: the string is not valid UTF-8 (byte 3)"},
      {"a8 03 ed a0 80 00", "type: the string is not valid UTF-8 (byte 2)"},
      {"a8 0c 61 61 61 61 61 61 61 61 61 61 ff 61 00", "type: the string is not valid UTF-8 (byte 12)"},
  });
  check<All>({{"0b 50 01 86 01 ff 02 00", "m: the key is not valid UTF-8 (byte 4)"}});
  // is_ascii() handles these lengths differently.
  for (std::size_t size = 1; size < 100; ++size) {
    for (std::size_t bad = 0; bad < size; ++bad) {
      std::string bytes = "\xa8";
      bytes += static_cast<char>(size);
      bytes += std::string(size, 'x') + '\0';
      bytes[2 + bad] = '\x80';
      CHECK_THROWS_AS(from_binary<Device>(bytes), schemagen::DataError);
    }
  }
}

TEST_CASE("the keys of a map come once") {
  check<All>({{"0b 50 02 86 01 61 02 01 61 04 00", "m: duplicate key 'a' (byte 7)"}});
}

TEST_CASE("numbers of every size are read at the end of a payload and far from it") {
  const auto varint = [](std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(static_cast<unsigned char>(value | 0x80));
    return bytes + static_cast<char>(static_cast<unsigned char>(value));
  };
  // Enums in `levels` have 32 bits.
  const auto levels = [](const std::string& first, std::size_t others) {
    return std::string("\x29\xf5") + static_cast<char>(others + 1) + first + std::string(others, '\2') +
           std::string(1, '\0');
  };
  // A long text follows `index`.
  const auto index = [](const std::string& number) {
    return std::string("\x06\x28") + number + std::string("\x08\x14\x0axxxxxxxxxx\0", 14);
  };
  for (unsigned bits = 1; bits <= 64; ++bits) {
    for (const std::uint64_t more : {std::uint64_t{0}, std::uint64_t{1}}) {
      const std::uint64_t number = (std::uint64_t{1} << (bits - 1)) - 1 + more;
      CAPTURE(bits, number);
      const auto value = static_cast<std::int64_t>((number >> 1) ^ (0 - (number & 1)));
      CHECK(from_binary<Device>(index(varint(number))).index == value);
      const std::string near_end = std::string("\xa8\0\xa6", 3) + varint(number) + std::string(1, '\0');
      CHECK(from_binary<Device>(near_end).index == value);
      for (const std::size_t others : {std::size_t{14}, std::size_t{100}}) {
        const std::string payload = levels(varint(number), others);
        if (number >> 32 == 0) {
          CHECK(static_cast<std::int64_t>(from_binary<Keyed>(payload).levels.front()) == value);
        } else {
          CHECK_THROWS_WITH(from_binary<Keyed>(payload),
                            "levels[0]: the number does not fit in 32 bits (byte 3)");
        }
      }
    }
  }
  BinaryReadOptions canonical;
  canonical.canonical_check = true;
  const std::string zeros = std::string("\xa8\x8a\0xxxxxxxxxx\0", 14);
  CHECK(from_binary<Device>(zeros).type == "xxxxxxxxxx");
  CHECK_THROWS_WITH(from_binary<Device>(zeros, canonical),
                    "type: not canonical: a number with leading zeros (byte 1)");
  CHECK_THROWS_WITH(from_binary<Device>(index(varint(~std::uint64_t{0}).replace(9, 1, "\2"))),
                    "index: the number does not fit in 64 bits (byte 2)");
}

TEST_CASE("limits are kept") {
  BinaryReadOptions options;
  options.limits.string_bytes = 3;
  options.limits.container_items = 2;
  check<Device>({{"a8 03 61 62 63 00", R"({"type": "abc"})"},
                 {"a8 04 61 62 63 64 00", "type: a string of 4 bytes, over the limit of 3 (byte 1)"}},
                options);
  check<All>({{"09 64 26 02 02 00", R"({"li": [1, 1]})"},
              {"09 64 36 02 02 02 00", "li: 3 items, over the limit of 2 (byte 2)"},
              {"0b 50 03 86 01 61 02 01 62 02 01 63 02 00", "m: 3 items, over the limit of 2 (byte 2)"},
              {"0b 50 01 86 04 61 62 63 64 02 00", "m: a string of 4 bytes, over the limit of 3 (byte 4)"}},
             options);
  options = {};
  options.limits.input_bytes = 4;
  CHECK(from_binary<Device>(from_hex("a8 01 78 00"), options).type == "x");
  CHECK_THROWS_WITH(from_binary<Device>(from_hex("a8 01 78 a6 02 00"), options),
                    "a payload of 6 bytes, over the limit of 4");
}

TEST_CASE("structs, unions, lists and maps count as levels") {
  BinaryReadOptions options;
  options.limits.depth = 3;
  check<All>({{"09 80 05 19 16 02 00", R"({"ll": [[1]]})"},
              {"09 ec 04 1c 06 28 02 00 00", R"({"ls": [{"as_int": 1}]})"}},
             options);
  options.limits.depth = 2;
  check<All>({{"09 80 05 19 16 02 00", "ll[0]: nested more than 2 levels deep (byte 4)"},
              {"09 ec 04 1c 06 28 02 00 00", "ls[0]: nested more than 2 levels deep (byte 4)"},
              {"0b 50 01 86 01 61 02 00", R"({"m": {"a": 1}})"}},
             options);
  options.limits.depth = 1;
  check<All>({{"0b 50 01 86 01 61 02 00", "m: nested more than 1 levels deep (byte 2)"}}, options);
  options.limits.depth = 0;
  check<All>({{"00", "nested more than 0 levels deep (byte 0)"}}, options);
}

TEST_CASE("depth is limited where values are skipped, too") {
  BinaryReadOptions options = with(UnknownFields::skip);
  options.limits.depth = 8;
  const auto nested = [](std::size_t levels) {
    return repeat("1c ", levels) + repeat("00 ", levels) + "98 01 78 00";
  };
  CHECK(read<Device>(nested(7), options) == R"({"type": "x"})");
  CHECK(read<Device>(nested(8), options) ==
        "#1.#1.#1.#1.#1.#1.#1.#1: nested more than 8 levels deep (byte 8)");
  const auto in_lists = [](std::size_t levels) { return "19 " + repeat("19 ", levels) + "06 98 01 78 00"; };
  CHECK(read<Device>(in_lists(6), options) == R"({"type": "x"})");
  CHECK(read<Device>(in_lists(7), options) ==
        "#1[0][0][0][0][0][0][0]: nested more than 8 levels deep (byte 8)");
  const auto in_maps = [](std::size_t levels) {
    return "1b " + repeat("01 8b 00 ", levels) + "00 98 01 78 00";
  };
  CHECK(read<Device>(in_maps(6), options) == R"({"type": "x"})");
  CHECK_THROWS_AS(from_binary<Device>(from_hex(in_maps(7)), options), schemagen::DataError);
  // Would overflow the stack without a limit.
  options.limits.depth = 256;
  CHECK_THROWS_AS(from_binary<Device>(std::string(10000000, '\x1c'), options), schemagen::DataError);
}

TEST_CASE("unknown fields are errors, or skipped and reported") {
  const std::string plain = "a8 01 78 ";
  const std::vector<std::string> full = {"a1",          "a2",
                                         "a3 05",       "a4 02",
                                         "a6 02",       "a7 01 02 03 04 05 06 07 08",
                                         "a8 01 61",    "a9 16 02",
                                         "aa 16 02",    "ab 01 86 01 61 02",
                                         "ac 16 02 00", "ad 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10"};
  const std::vector<std::string> empty = {"a8 00", "a9 06", "aa 06", "ab 00", "ac 00"};
  // Id 30 after 20.
  const auto hex = [&](const std::string& field) { return plain + "a6 02 " + field + " 00"; };
  const std::string value = R"({"type": "x", "index": 1})";
  const std::string error = "#30: unknown field id 30 (byte 6)";
  for (const std::string& field : full) {
    CAPTURE(field);
    CHECK(read<Device>(hex(field)) == error);
    CHECK(read<Device>(hex(field), with(UnknownFields::skip_empty)) == error);
    std::vector<schemagen::SkippedField> skipped;
    BinaryReadOptions options = with(UnknownFields::skip);
    options.skipped = &skipped;
    CHECK(read<Device>(hex(field), options) == value);
    REQUIRE(skipped.size() == 1);
    CHECK(skipped[0].path == "#30");
    CHECK(skipped[0].place.offset == 6);
  }
  for (const std::string& field : empty) {
    CAPTURE(field);
    CHECK(read<Device>(hex(field)) == error);
    std::vector<schemagen::SkippedField> skipped;
    BinaryReadOptions options = with(UnknownFields::skip_empty);
    options.skipped = &skipped;
    CHECK(read<Device>(hex(field), options) == value);
    CHECK(skipped.size() == 1);
  }
}

TEST_CASE("skipped fields are reported with their paths") {
  std::vector<schemagen::SkippedField> skipped;
  BinaryReadOptions options = with(UnknownFields::skip);
  options.skipped = &skipped;
  // kids.k and kids["l m"] have a field 1 before their name; the whole value has one after its kids.
  const std::string rec =
      "a8 01 72 ab 02 8c 01 6b 16 02 98 01 63 00 03 6c 20 6d 1c 18 01 61 00 98 01 64 00 11 00";
  CHECK(read<Rec>(rec, options) == R"({"name": "r", "kids": {"k": {"name": "c"}, "l m": {"name": "d"}}})");
  REQUIRE(skipped.size() == 3);
  CHECK(skipped[0].path == "kids.k.#1");
  CHECK(skipped[1].path == "kids[\"l m\"].#1");
  CHECK(skipped[2].path == "#21");
  CHECK(skipped[0].place.offset == 9);
  CHECK(skipped[1].place.offset == 19);
  CHECK(skipped[2].place.offset == 28);
}

TEST_CASE("skipped values must be valid") {
  check<Device>(
      {
          {"18 05 61 00", "#1: expected a string of 5 bytes, but only 2 bytes are left (byte 1)"},
          {"1e 00", "#1: unknown wire type 14 (byte 1)"},
          {"19 2e 00 00 00", "#1[0]: unknown wire type 14 (byte 2)"},
          {"19 f7 80 80 80 01 00", "#1: expected 2097152 items, but only 1 byte is left (byte 1)"},
          {"1b 03 11 01 01 01 00", "#1: expected 3 items, but only 4 bytes are left (byte 1)"},
          {"1b 01 66 02 ff", "#1[\"1\"]: the payload is truncated (byte 4)"},
          {"1c 18 05 61", "#1.#1: expected a string of 5 bytes, but only 1 byte is left (byte 2)"},
          {"1d 01 02 00", "#1: the payload is truncated (byte 1)"},
          {"1c 1c 1c", "#1.#1.#1: the payload is truncated (byte 3)"},
          {"16 ff ff ff ff ff ff ff ff ff 02", "#1: the number does not fit in 64 bits (byte 1)"},
      },
      with(UnknownFields::skip));
}

TEST_CASE("nothing, anything and bytes are read") {
  const std::string start = "11 16 02 17 00 00 00 00 00 00 f8 3f 18 01 61 18 02 00 ff ";
  const std::string end = "15 0d 00";
  const auto value = from_binary<Scalars>(from_hex(start + "1c 00 18 07 7b 22 61 22 3a 31 7d " + end));
  CHECK(value.blob == schemagen::Bytes{0, 255});
  CHECK(value.anything.text == "{\"a\":1}");
  CHECK(value.color == everything::Color::BLUE);
  check<Scalars>({
      {start + "1c 18 00 00 18 01 31 " + end, "nothing.#1: unknown field id 1 (byte 21)"},
      {start + "19 06 18 01 31 " + end, "nothing: expected struct, found list (byte 20)"},
      {start + "1c 00 18 00 " + end, "anything: the string is not JSON or is nested too deeply (byte 22)"},
      {start + "1c 00 18 05 31 65 34 30 30 " + end,
       "anything: the string contains a number that is too large for a 64-bit float (byte 22)"},
      {start + "1c 00 18 03 31 2c 31 " + end,
       "anything: the string is not JSON or is nested too deeply (byte 22)"},
  });
}

TEST_CASE("an error in one value leaves nothing behind") {
  // State for fields out of order belongs to one reader.
  CHECK(read<Device>("06 28 00 08 14 01 78 06 28 00 00") == "duplicate field 'index' (byte 7)");
  CHECK(read<Device>("06 28 00 08 14 01 78 00") == R"({"type": "x", "index": 0})");
}

TEST_CASE("structs out of order may hold structs out of order") {
  // The inner one ends before the outer one continues.
  CHECK(read<Rec>("0b 28 01 8c 01 6b 0b 28 00 08 14 01 63 00 08 14 01 72 00") ==
        R"({"name": "r", "kids": {"k": {"name": "c", "kids": {}}}})");
}

namespace {

/// Nested Choices and Trees, with a million bools in the innermost. `children` has a lower id than the
/// Choice, but may follow it.
std::string deep_nest(bool in_order) {
  const std::string name = from_hex("18 00");
  std::string nest = from_hex("09 12 f2 c0 84 3d") + std::string(1000000, '\1') + from_hex("00");
  for (int level = 0; level < 100; ++level) {
    const std::string fields =
        in_order ? from_hex("39 0c 2c") + nest : from_hex("5c") + nest + from_hex("09 08 0c");
    nest = from_hex("8c") + name + fields + from_hex("00 00");
  }
  return nest;
}

std::clock_t time_to_read(const std::string& bytes) {
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    from_binary<Choice>(bytes);
    least = std::min(least, std::clock() - start);
  }
  return least;
}

}  // namespace

TEST_CASE("nested structs out of order take a small multiple of the time in order") {
  const std::string in_order = deep_nest(true);
  const std::string out_of_order = deep_nest(false);
  CHECK(from_binary<Choice>(out_of_order) == from_binary<Choice>(in_order));
  CHECK(time_to_read(out_of_order) < 10 * time_to_read(in_order));
}

TEST_CASE("a duplicate field is found after a struct that was skipped") {
  // name, choice with a long Tree out of order, children, choice again.
  const std::string tree = "18 20" + repeat(" 78", 32) + " 2c 18 00 00 0c 04 18 00 00 00";
  const std::string start = "18 00 5c 8c " + tree + " 00 09 08 0c ";
  CHECK(read<Tree>(start + "00").substr(0, 10) == R"({"name": ")");
  CHECK(read<Tree>(start + "2c 8c " + tree + " 00 00") == "duplicate field 'choice' (byte 52)");
}

TEST_CASE("the memory limit covers strings, items and boxes together") {
  BinaryReadOptions options;
  const std::string one_child = from_hex("18 00 39 1c 18 00 39 0c 00 00");
  options.limits.memory_bytes = one_child.size() + sizeof(Tree) + schemagen::MemoryBudget::kPerBlock;
  CHECK_NOTHROW(from_binary<Tree>(one_child, options));
  --options.limits.memory_bytes;
  const std::string limit = std::to_string(options.limits.memory_bytes);
  CHECK_THROWS_WITH(from_binary<Tree>(one_child, options),
                    "children[0]: needs more memory than the limit of " + limit + " bytes (byte 4)");
  options.limits.memory_bytes = one_child.size() - 1;
  CHECK_THROWS_AS(from_binary<Tree>(one_child, options), schemagen::DataError);
}

TEST_CASE("lists that claim many items take little memory") {
  // Each list claims all following bytes as items. At some hundred bytes per Tree, 120 such lists would take
  // ten gigabytes.
  std::string bytes;
  for (int i = 0; i < 120; ++i) bytes += from_hex("18 00 39 fc 80 80 40");
  bytes += std::string(1100000, '\0');
  CHECK_THROWS_AS(from_binary<Tree>(bytes), schemagen::DataError);
}
