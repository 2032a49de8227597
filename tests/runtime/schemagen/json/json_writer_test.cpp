#include "schemagen/json/json_writer.h"

#include <catch2/catch.hpp>
#include <string>

#include "schemagen/base/error.h"
#include "schemagen/json/json.h"

using schemagen::JsonWriter;

namespace {

void write_sample(JsonWriter& json) {
  json.begin('{').key("list").begin('[').integer(-1).count(2).floating(0.5).boolean(true).null();
  json.string("\xc3\xa9").raw("[1,2]").begin('[').end(']').end(']');
  json.key("map").begin('{').end('}').key("last").string_or_null(std::nullopt).end('}');
}

}  // namespace

TEST_CASE("JsonWriter puts commas and colons where they belong") {
  JsonWriter json;
  write_sample(json);
  CHECK(json.text() == R"({"list": [-1, 2, 0.5, true, null, "\u00e9", [1,2], []], "map": {}, "last": null})");

  JsonWriter compact({}, JsonWriter::Punctuation::compact);
  write_sample(compact);
  CHECK(compact.text() == R"({"list":[-1,2,0.5,true,null,"\u00e9",[1,2],[]],"map":{},"last":null})");
}

TEST_CASE("JsonWriter shows what was written so far") {
  JsonWriter json;
  CHECK(json.view().empty());
  json.begin('[').integer(1);
  CHECK(json.view() == "[1");
  for (int i = 0; i < 100000; ++i) json.integer(2);
  CHECK(json.view().size() == 300002);
  CHECK(json.view().substr(300000) == " 2");
}

TEST_CASE("JsonWriter stops at the size limit") {
  schemagen::JsonWriteOptions options;
  options.limits.input_bytes = 8;
  JsonWriter json(options);
  json.begin('[').string("12345678");
  CHECK_THROWS_AS(json.integer(1), schemagen::DataError);
}
