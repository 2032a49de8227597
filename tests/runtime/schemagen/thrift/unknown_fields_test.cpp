#include <compact_vectors/binary.h>
#include <everything/binary.h>
#include <everything/json.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/hex.h"
#include "runtime/schemagen/thrift/compact_vectors.h"
#include "runtime/schemagen/unknown_fields.h"

using compact_vectors::All;
using compact_vectors::Device;
using compact_vectors::Rec;
using compact_vectors::SymInt;
using everything::Containers;
using everything::Empty;
using schemagen::BinaryReadOptions;
using schemagen::BinaryWriteOptions;
using schemagen::UnknownField;
using schemagen::UnknownFields;

namespace {

template <class T>
struct Kept : PreservedValue<T> {
  explicit Kept(std::string_view hex, BinaryReadOptions options = {}) {
    options.unknown_fields = UnknownFields::keep;
    options.preserved = &this->fields;
    this->value = schemagen::from_binary<T>(from_hex(hex), options);
  }

  std::string written(BinaryWriteOptions options = {}) const {
    options.preserved = &this->fields;
    return to_hex(schemagen::to_binary(this->value, options));
  }
  std::string error(const BinaryWriteOptions& options = {}) const {
    return error_or_text([&] { return written(options); });
  }
};

template <class T>
std::string reading_error(std::string_view hex, BinaryReadOptions options) {
  std::vector<UnknownField> kept;
  options.preserved = &kept;
  try {
    schemagen::from_binary<T>(from_hex(hex), options);
    return "no error";
  } catch (const schemagen::DataError& error) {
    CHECK(kept.empty());
    return error.what();
  }
}

const std::string kAdvice =
    "; hint: remove the field from the preserved fields to write the value without it";

}  // namespace

TEST_CASE("output of Apache Thrift round trips through a struct without its fields") {
  for (const CompactVector& vector : thrift_vectors()) {
    CAPTURE(vector.hex);
    CHECK(Kept<Empty>(vector.hex).written() == vector.hex);
  }
}

TEST_CASE("in binary, unknown fields are written back between the same fields") {
  for (const char* const hex : {
           "15 02 98 01 78 a6 00 00",  // i32 before both, which have ids 10 and 20
           "a8 01 78 57 00 00 00 00 00 00 f0 3f 56 00 00",
           "a8 01 78 a6 00 11 12 00",
           "a8 01 78 a6 00 08 d0 0f 02 61 62 0d fe ff 03 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00",
           "11 11 11 11 11 11 11 11 11 18 01 78 19 29 16 02 06 96 00 00",
       }) {
    CAPTURE(hex);
    CHECK(Kept<Device>(hex).written() == hex);
  }
}

TEST_CASE("unknown fields are preserved in lists and maps, and so are members of unions") {
  // kids.k has the field 15, a struct with a map.
  const Kept<Rec> rec("a8 01 72 ab 01 8c 01 6b a8 01 63 5c 1b 01 88 01 61 01 62 00 00 11 00");
  CHECK(rec.paths() == std::vector<std::string>{"kids.k.#15", "#21"});
  CHECK(rec.written() == "a8 01 72 ab 01 8c 01 6b a8 01 63 5c 1b 01 88 01 61 01 62 00 00 11 00");

  const Kept<All> all("09 ec 04 3c 06 28 02 00 18 01 78 00 a8 01 78 00 00");
  CHECK(all.paths() == std::vector<std::string>{"ls[1].#1"});
  CHECK(all.value.ls->at(1).kind() == SymInt::unset);
  CHECK(all.written() == "09 ec 04 3c 06 28 02 00 18 01 78 00 a8 01 78 00 00");

  const Kept<SymInt> root("01 2a 00");
  CHECK(root.value.kind() == SymInt::unset);
  CHECK(root.written() == "01 2a 00");

  // Of the empty structs in Containers.units, one has an unknown field.
  const std::string units = "19 01 19 08 19 09 1b 00 2b 00 19 2c 00 18 00 00 19 08 00";
  CHECK(Kept<Containers>(units).written() == units);
}

TEST_CASE("unknown fields after maps with any keys have the right path") {
  for (const char* const map : {"01 55 02 04", "01 11 01 02", "02 c9 00 28 00 00 15 02 00 05",
                                "01 bd 01 11 01 02 "
                                "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f"}) {
    const std::string hex = std::string("1b ") + map + " 11 88 01 78 a6 00 11 00";
    CAPTURE(hex);
    const Kept<Device> kept(hex);
    CHECK(kept.paths() == std::vector<std::string>{"#1", "#2", "#21"});
    CHECK(kept.written() == hex);
  }
  // A left-out field may have any valid content.
  BinaryReadOptions options;
  options.leave_out = {{"Device", "type"}};
  CHECK(Kept<Device>("ab 01 55 02 04 a6 00 11 00", options).paths() == std::vector<std::string>{"#21"});
}

TEST_CASE("unknown fields in any order are written in the order of their ids") {
  CHECK(Kept<Device>("11 08 32 01 79 08 14 01 78 08 1e 01 7a 00").written() ==
        "11 98 01 78 58 01 7a a8 01 79 00");
}

TEST_CASE("preserved big-endian doubles are byte-swapped") {
  BinaryReadOptions options;
  options.doubles = schemagen::DoubleOrder::big_endian;
  CHECK(Kept<Device>(
            "a8 01 78 b7 3f f0 00 00 00 00 00 00 19 27 40 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
            options)
            .written() ==
        "a8 01 78 b7 00 00 00 00 00 00 f0 3f 19 27 00 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00 00");
  options.unknown_fields = UnknownFields::keep;
  CHECK(reading_error<Device>("a8 01 78 1d 00 00 00 00 00", options) ==
        "#11: cannot preserve a 32-bit float from fbthrift (byte 4)");
}

TEST_CASE("in binary, preserved values are checked like skipped ones") {
  for (const char* const broken : {"a8 01 78 18 05 61 00", "a8 01 78 19 f8", "a8 01 78 1e 00",
                                   "a8 01 78 1c 10 00 00", "a8 01 78 11 08 16 00", "a8 01 78 1b 01 88 01",
                                   "a8 01 78 16 ff ff ff ff ff ff ff ff ff 7f 00", "a8 01 78 11 00 00"}) {
    CAPTURE(broken);
    BinaryReadOptions skip;
    skip.unknown_fields = UnknownFields::skip;
    BinaryReadOptions keep;
    keep.unknown_fields = UnknownFields::keep;
    const std::string error = reading_error<Device>(broken, skip);
    CHECK(error != "no error");
    CHECK(reading_error<Device>(broken, keep) == error);
  }
}

TEST_CASE("in binary, unknown fields without a place are errors with their path and a hint") {
  Kept<All> kept("51 09 ec 04 2c 06 28 02 00 18 01 78 00 00");
  REQUIRE(kept.paths() == std::vector<std::string>{"#5", "ls[1].#1"});
  const auto error = [&] {
    const std::string text = kept.error();
    const std::string prefix = "cannot write the unknown field back: ";
    const std::size_t at = text.find(prefix);
    if (at == std::string::npos) return text;
    CHECK(text.substr(text.size() - kAdvice.size()) == kAdvice);
    return text.substr(0, at) +
           text.substr(at + prefix.size(), text.size() - kAdvice.size() - at - prefix.size());
  };
  SECTION("in a list of another length") {
    kept.value.ls->pop_back();
    CHECK(error() == "ls[1].#1: its list had 2 items when it was read, but has 1 item now");
  }
  SECTION("in removed values") {
    kept.value.ls.reset();
    CHECK(error() == "ls[1].#1: its parent no longer exists");
  }
  SECTION("in a union that has a member") {
    kept.value.ls->at(1).emplace<SymInt::as_int>(1);
    CHECK(error() == "ls[1].#1: a member of the union is already set");
  }
  SECTION("with the id of another one, or of a field of the schema") {
    kept.fields.push_back(kept.fields[0]);
    CHECK(error() == "#5: another preserved field has the same id");
    kept.fields.pop_back();
    kept.fields[0].id = 310;
    CHECK(error() == "#310: the value already has a field with this id");
    kept.fields[0].id = -1;
    CHECK(error() == "#-1: expected an id in 1..32767");
  }
  SECTION("that are not of the protocol") {
    kept.fields[0].bytes = "a";
    CHECK(error() == "#5: invalid value (bool): 1 byte after the end of the value");
    kept.fields[0].type = 8;
    CHECK(error() ==
          "#5: invalid value (string): expected a string of 97 bytes, but only 0 bytes are "
          "left");
    kept.fields[0].type = 14;
    CHECK(error() == "#5: invalid value (unknown type): unknown wire type 14");
  }
  SECTION("of JSON") {
    kept.fields[0].id = 0;
    kept.fields[0].name = "x";
    CHECK(error() == "x: it is JSON, but the output is binary");
  }
  SECTION("and unions that stay without a member") {
    kept.fields.pop_back();
    CHECK(error() == "ls[1]: cannot write an unset union");
  }
}

TEST_CASE("in binary, limits hold for unknown fields that are written back") {
  const std::string hex = "19 1c 1c 1c 00 00 00 00";
  const Kept<Empty> kept(hex);
  BinaryWriteOptions options;
  options.limits.depth = 4;
  CHECK(kept.error(options) ==
        "#1: cannot write the unknown field back: invalid value (list): nested more than "
        "3 levels deep" +
            kAdvice);
  options.limits.depth = 5;
  options.limits.input_bytes = 8;
  CHECK(kept.written(options) == hex);
  options.limits.input_bytes = 7;
  CHECK(kept.error(options) == "a payload of 8 bytes, over the limit of 7");
}

TEST_CASE("in binary, preserving unknown fields requires a place for them") {
  BinaryReadOptions options;
  options.unknown_fields = UnknownFields::keep;
  CHECK_THROWS_WITH(schemagen::from_binary<Empty>(from_hex("00"), options),
                    "UnknownFields::keep requires `preserved`, which receives the unknown fields");
}

TEST_CASE("maps with keys of integers and enums are Thrift's, and their keys are in paths") {
  using everything::Keyed;
  const std::string hex = "15 14 19 05 1b 02 68 0e 01 61 01 01 62 1b 00 1b 00 00";
  const std::string sorted = "15 14 19 05 1b 02 68 01 01 62 0e 01 61 1b 00 1b 00 00";
  const auto value = schemagen::from_json<Keyed>(R"({"by_number": {"7": "a", "-1": "b"}})");
  CHECK(to_hex(schemagen::to_binary(value)) == hex);
  BinaryWriteOptions canonical;
  canonical.canonical = true;
  CHECK(to_hex(schemagen::to_binary(value, canonical)) == sorted);
  CHECK(schemagen::from_binary<Keyed>(from_hex(hex)) == value);
  CHECK(schemagen::from_binary<Keyed>(from_hex("15 14 19 05 1b 02 58 0e 01 61 01 01 62 1b 00 1b 00 00")) ==
        value);
  BinaryReadOptions check;
  check.canonical_check = true;
  CHECK(schemagen::from_binary<Keyed>(from_hex(sorted), check) == value);
  CHECK(reading_error<Keyed>(hex, check) ==
        "by_number: not canonical: the key '-1' is out of order (byte 10)");
  CHECK(reading_error<Keyed>("3b 02 68 0e 01 61 0e 01 62 00", {}) == "by_number: duplicate key '7' (byte 6)");
  CHECK(reading_error<Keyed>("3b 01 88 0e 01 61 00", {}) ==
        "by_number: expected map keys of type i64, found string (byte 1)");
  CHECK(reading_error<Keyed>("4b 01 59 04 1b 01 6c 01 00 00", {}) ==
        "by_color[\"2\"][0][\"-1\"]: the required field 'name' is missing (byte 8)");
  const std::string newer = "15 14 19 05 1b 00 1b 01 59 04 1b 01 6c 01 18 01 78 39 0c 1b 00 91 00 1b 00 00";
  CHECK(Kept<Keyed>(newer).written() == newer);
}
