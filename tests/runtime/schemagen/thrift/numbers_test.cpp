#include <everything/binary.h>
#include <everything/json.h>
#include <everything/visit.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "runtime/hex.h"
#include "runtime/random_value.h"
#include "runtime/show_value.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

using everything::Number;
using everything::Numbers;
using schemagen::from_binary;
using schemagen::to_binary;

namespace {

std::string error_of_reading(std::string_view hex, const schemagen::BinaryReadOptions& options = {}) {
  try {
    from_binary<Number>(from_hex(hex), options);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "none";
}

Numbers numbers_at(bool largest) {
  const auto bound = [&](auto& number) {
    using Bounds = std::numeric_limits<std::remove_reference_t<decltype(number)>>;
    number = largest ? Bounds::max() : Bounds::lowest();
  };
  Numbers numbers;
  bound(numbers.tiny);
  bound(numbers.short_);
  bound(numbers.medium);
  bound(numbers.long_);
  bound(numbers.byte);
  bound(numbers.word);
  bound(numbers.half);
  bound(numbers.whole);
  bound(numbers.single);
  numbers.tinies = {numbers.tiny, 0, -1};
  numbers.bytes = {numbers.byte, 1};
  *numbers.wholes.try_emplace("k").first = numbers.whole;
  numbers.pixels.try_emplace("p").first->push_back({numbers.byte});
  numbers.singles = {numbers.single, 0.1F};
  numbers.maybe = schemagen::ByteList{9};
  *numbers.by_tiny.try_emplace(numbers.tiny).first = "t";
  numbers.by_whole.try_emplace(numbers.whole).first->push_back(numbers.byte);
  return numbers;
}

}  // namespace

TEST_CASE("a number has the smallest signed type in binary data that holds it") {
  // The header of a union's first field: id and type.
  CHECK(to_hex(to_binary(Number::of<Number::tiny>(std::int8_t{-1}))) == "13 ff 00");       // i8
  CHECK(to_hex(to_binary(Number::of<Number::byte>(std::uint8_t{255}))) == "24 fe 03 00");  // i16, zigzag
  CHECK(to_hex(to_binary(Number::of<Number::single>(0.5F))) == "47 00 00 00 00 00 00 e0 3f 00");  // double
  CHECK(to_hex(to_binary(Number::of<Number::bytes>(schemagen::ByteList{1, 255}))) ==
        "59 24 02 fe 03 00");  // a list of i16
  // uint64 is an i64 with the same bits.
  CHECK(to_hex(to_binary(Number::of<Number::whole>(std::numeric_limits<std::uint64_t>::max()))) ==
        "36 01 00");
}

TEST_CASE("the smallest and largest numbers round trip in binary") {
  for (const bool largest : {false, true}) {
    const Numbers numbers = numbers_at(largest);
    schemagen::BinaryReadOptions canonical;
    canonical.canonical_check = true;
    CHECK(from_binary<Numbers>(to_binary(numbers), canonical) == numbers);
  }
}

TEST_CASE(
    "random numbers come back from JSON and from binary data, and are hashed and ordered as they are equal") {
  RandomValue random(test_seed());
  for (int i = 0; i < 500; ++i) {
    const auto a = random.make<Numbers>();
    const auto b = random.make<Numbers>();
    CAPTURE(a, b);
    if (a.number && a.number->kind() == Number::unset) continue;
    REQUIRE(schemagen::from_json<Numbers>(schemagen::to_json(a)) == a);
    REQUIRE(from_binary<Numbers>(to_binary(a)) == a);
    REQUIRE((schemagen::hash(a) == schemagen::hash(b)) == (a == b));
#ifdef SCHEMAGEN_HAS_ORDER
    REQUIRE(std::is_eq(a <=> b) == (a == b));
#endif
  }
}

TEST_CASE("a number in binary data that its type does not hold is an error") {
  CHECK(error_of_reading("24 80 04 00") == "byte: the integer does not fit in uint8 (0 to 255) (byte 1)");
  CHECK(error_of_reading("24 01 00") == "byte: the integer does not fit in uint8 (0 to 255) (byte 1)");
  CHECK(error_of_reading("59 24 02 01 00") ==
        "bytes[1]: the integer does not fit in uint8 (0 to 255) (byte 3)");
  CHECK(error_of_reading("47 9a 99 99 99 99 99 b9 3f 00") ==
        "single: the double cannot be represented exactly as a 32-bit float (byte 1)");
  CHECK(error_of_reading("47 ff ff ff ff ff ff ef 7f 00") ==
        "single: the double cannot be represented exactly as a 32-bit float (byte 1)");
  CHECK(error_of_reading("16 02 00") == "tiny: expected i8, found i64 (byte 1)");
}

TEST_CASE("narrower types of binary data are read where a wider one is expected, but are not canonical") {
  CHECK(from_binary<Number>(from_hex("23 7f 00")) == Number::of<Number::byte>(std::uint8_t{127}));
  CHECK(from_binary<Number>(from_hex("33 07 00")) == Number::of<Number::whole>(std::uint64_t{7}));
  schemagen::BinaryReadOptions canonical;
  canonical.canonical_check = true;
  CHECK(error_of_reading("23 7f 00", canonical) == "byte: expected i16, found i8 (byte 1)");
}
