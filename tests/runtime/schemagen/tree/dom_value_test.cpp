#include "schemagen/tree/dom_value.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "schemagen/tree/dom.h"

using schemagen::dom_text;
using schemagen::DomValue;

namespace {

DomValue parsed(const std::string& text) {
  return schemagen::parse_dom(text).value();
}

}  // namespace

TEST_CASE("a value has the kind that it was made with") {
  CHECK(DomValue().kind() == DomValue::Kind::null);
  CHECK(DomValue(true).kind() == DomValue::Kind::boolean);
  CHECK(DomValue(-3).integer() == -3);
  CHECK(DomValue(std::uint64_t{7}).integer() == 7);
  CHECK(DomValue(UINT64_MAX).kind() == DomValue::Kind::large_integer);
  CHECK(DomValue(UINT64_MAX).large_integer() == UINT64_MAX);
  CHECK(DomValue(0.5F).kind() == DomValue::Kind::floating);
  CHECK(DomValue("x").text() == "x");
  CHECK(DomValue(DomValue::List{1, 2}).list()->size() == 2);
  CHECK(DomValue(DomValue::Object{{"a", 1}}).object()->at(0).name.view() == "a");
}

TEST_CASE("a value of another kind has no text, number, items or members") {
  const DomValue text = "7";
  CHECK(!text.integer());
  CHECK(!text.number());
  CHECK(!text.boolean());
  CHECK(text.list() == nullptr);
  CHECK(text.object() == nullptr);
  CHECK(text.find("7") == nullptr);
  CHECK(DomValue(7).text().empty());
  CHECK(!DomValue(0.5).integer());
  CHECK(DomValue(7).number() == 7.0);
}

TEST_CASE("members are found, set, added and taken out in their order") {
  DomValue value = parsed(R"({"a": 1, "b": 2, "a": 3})");
  CHECK(value.find("a")->integer() == 1);
  CHECK(value.find("c") == nullptr);
  value.set("b", "two");
  value.set("c", DomValue::List{});
  CHECK(dom_text(value) == R"({"a": 1, "b": "two", "a": 3, "c": []})");
  CHECK(value.take("a").integer() == 1);
  CHECK(value.take("d").is_null());
  CHECK(dom_text(value) == R"({"b": "two", "a": 3, "c": []})");
  value = 5;
  CHECK(value.take("b").is_null());
  value.set("b", {});
  CHECK(dom_text(value) == R"({"b": null})");
}

TEST_CASE("a value may become a part of itself, and copies share nothing") {
  DomValue value = parsed(R"({"a": {"b": ["a string that is not short", 2]}})");
  const DomValue copy = value;
  value = *value.find("a");
  CHECK(dom_text(value) == R"({"b": ["a string that is not short", 2]})");
  value = std::move(*value.find("b"));
  CHECK(dom_text(value) == R"(["a string that is not short", 2])");
  CHECK(dom_text(copy) == R"({"a": {"b": ["a string that is not short", 2]}})");
  value = DomValue::object_of("wrapped", std::move(value));
  CHECK(dom_text(value) == R"({"wrapped": ["a string that is not short", 2]})");
}

TEST_CASE("values are equal if their parts are, in their order") {
  CHECK(parsed(R"({"a": [1, null]})") == parsed(R"({"a":[1,null]})"));
  CHECK_FALSE(parsed("[1, 2]") == parsed("[2, 1]"));
  CHECK_FALSE(parsed("1") == parsed("1.0"));
  CHECK_FALSE(parsed(R"({"a": 1})") == parsed(R"({"b": 1})"));
}

TEST_CASE("only JSON is parsed") {
  CHECK_FALSE(schemagen::parse_dom("{"));
  CHECK_FALSE(schemagen::parse_dom(""));
  CHECK(schemagen::parse_dom("null")->is_null());
}
