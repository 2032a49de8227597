#include "schemagen/thrift/writer.h"

#include <compact_vectors/binary.h>
#include <compact_vectors/json.h>
#include <everything/binary.h>
#include <everything/json.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "runtime/hex.h"
#include "runtime/schemagen/thrift/compact_vectors.h"

using compact_vectors::All;
using compact_vectors::Device;
using compact_vectors::Rec;
using compact_vectors::SymInt;
using everything::Choice;
using everything::Scalars;
using everything::Tree;
using schemagen::BinaryWriteOptions;
using schemagen::to_binary;

namespace {

template <class T>
std::string written(std::string_view json, const BinaryWriteOptions& options = {}) {
  return to_hex(to_binary(schemagen::from_json<T>(json), options));
}

template <class T>
std::string error_of(const T& value, const BinaryWriteOptions& options = {}) {
  try {
    to_binary(value, options);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return "no error";
}

All with_double(double value) {
  All all;
  all.d = value;
  return all;
}

}  // namespace

TEST_CASE("values are written as Apache Thrift writes them") {
  for (const CompactVector& vector : thrift_vectors()) {
    CAPTURE(vector.json);
    if (vector.type == "Device") CHECK(written<Device>(vector.json) == vector.hex);
    if (vector.type == "SymInt") CHECK(written<SymInt>(vector.json) == vector.hex);
    if (vector.type == "Rec") CHECK(written<Rec>(vector.json) == vector.hex);
    if (vector.type == "All") CHECK(written<All>(vector.json) == vector.hex);
  }
}

TEST_CASE("everything except null is written") {
  // With defaults, because a reader may have other ones; ids 1 to 8, 11 to 16, without 300 and 32767.
  CHECK(to_hex(to_binary(Scalars{})) ==
        "12 16 00 17 00 00 00 00 00 00 00 00 18 00 18 00 1c 00 18 04 6e 75 6c 6c 15 00 31 16 ff ff ff ff ff "
        "ff ff ff "
        "ff 01 17 59 f3 f8 c2 1f 6e a5 01 17 00 00 00 00 00 00 00 40 18 0e 61 20 22 71 22 0a 09 5c 20 e2 98 "
        "83 20 37 "
        "15 0d 00");
  Scalars scalars;
  scalars.maybe = 1;
  scalars.maybe_default = everything::Color::GREEN;
  const std::string hex = to_hex(to_binary(scalars));
  CHECK(hex.substr(hex.size() - 35) == "15 0d 06 d8 04 02 05 fe ff 03 04 00");
  CHECK(to_hex(to_binary(Tree{})) == "18 00 39 0c 1b 00 00");
}

TEST_CASE("fields are written in the order of their ids") {
  // Choice declares its members in another order.
  Choice choice;
  choice.emplace<Choice::int_>("x");
  CHECK(to_hex(to_binary(choice)) == "18 01 78 00");
  choice.emplace<Choice::nothing>();
  CHECK(to_hex(to_binary(choice)) == "0c 50 00 00");
  choice.emplace<Choice::flags>(std::vector<bool>{true, false});
  CHECK(to_hex(to_binary(choice)) == "99 21 01 02 00");
}

TEST_CASE("every NaN is written as the same bytes") {
  const std::string nan = "07 28 00 00 00 00 00 00 f8 7f 00";
  CHECK(to_hex(to_binary(with_double(std::nan("")))) == nan);
  CHECK(to_hex(to_binary(with_double(-std::nan("7")))) == nan);
  CHECK(to_hex(to_binary(with_double(std::numeric_limits<double>::infinity()))) ==
        "07 28 00 00 00 00 00 00 f0 7f 00");
}

TEST_CASE("maps keep their order, or are sorted") {
  const std::string json = R"({"m": {"b": 1, "": 2, "aa": 3, "a": 4, "\u00e9": 5, "Z": 6}})";
  CHECK(written<All>(json) == "0b 50 06 86 01 62 02 00 04 02 61 61 06 01 61 08 02 c3 a9 0a 01 5a 0c 00");
  BinaryWriteOptions canonical;
  canonical.canonical = true;
  CHECK(written<All>(json, canonical) ==
        "0b 50 06 86 00 04 01 5a 0c 01 61 08 02 61 61 06 01 62 02 02 c3 a9 0a 00");
}

TEST_CASE("a canonical value passes the canonical check") {
  const std::string json = R"({"m": {"b": 1, "a": 4}, "mb": {"y": false, "x": true}, "d": -0.0})";
  BinaryWriteOptions write;
  write.canonical = true;
  schemagen::BinaryReadOptions check;
  check.canonical_check = true;
  const auto value = schemagen::from_json<All>(json);
  const std::string bytes = to_binary(value, write);
  CHECK(schemagen::from_binary<All>(bytes, check) == value);
  CHECK_THROWS_AS(schemagen::from_binary<All>(to_binary(value), check), schemagen::DataError);
}

TEST_CASE("a value without an encoding is an error with a path") {
  All all;
  all.s.emplace();
  CHECK(error_of(all) == "s: cannot write an unset union");
  all = {};
  all.ls.emplace(3).front().emplace<SymInt::as_int>(1);
  CHECK(error_of(all) == "ls[1]: cannot write an unset union");
  CHECK(error_of(SymInt{}) == "cannot write an unset union");
  Rec rec;
  rec.kids.emplace()["a"].name = "\xff";
  CHECK(error_of(rec) == "kids.a.name: the string is not valid UTF-8");
  rec = {};
  rec.kids.emplace()["a b"].kids.emplace()["\xff"];
  CHECK(error_of(rec) == "kids[\"a b\"].kids: the string is not valid UTF-8");
  Scalars scalars;
  scalars.anything.text = "{";
  CHECK(error_of(scalars) == "anything: the text of an Any is not JSON or is nested too deeply");
}

TEST_CASE("limits are kept when writing") {
  BinaryWriteOptions options;
  options.limits.string_bytes = 2;
  options.limits.container_items = 1;
  options.limits.depth = 2;
  Device device;
  device.type = "abc";
  CHECK(error_of(device, options) == "type: a string of 3 bytes, over the limit of 2");
  All all;
  all.li = {1, 2};
  CHECK(error_of(all, options) == "li: 2 items, over the limit of 1");
  all = {};
  all.m.emplace()["a"] = 1;
  CHECK(error_of(all, options) == "no error");
  (*all.m)["b"] = 1;
  CHECK(error_of(all, options) == "m: 2 items, over the limit of 1");
  all = {};
  all.ll.emplace(1);
  CHECK(error_of(all, options) == "ll[0]: nested more than 2 levels deep");
  all = {};
  all.bin = schemagen::Bytes{1, 2, 3};
  CHECK(error_of(all, options) == "bin: a string of 3 bytes, over the limit of 2");
}
