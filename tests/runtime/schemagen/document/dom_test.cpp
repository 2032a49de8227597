#include "schemagen/document/dom.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

#include "schemagen/value/error.h"

using schemagen::JsonDocument;

namespace {

std::string rewritten(const std::string& text) {
  const JsonDocument document(text, {});
  return schemagen::dom_text(schemagen::to_dom(document));
}

}  // namespace

TEST_CASE("a document comes back from its changeable form") {
  const std::string text =
      R"({"a": [], "b": {}, "c": [null, true, false, "x\u0000\"y"], "d": {"e": -0.0, "f": 1e-300}, "": [[1]]})";
  CHECK(rewritten(text) == text);
}

TEST_CASE("numbers keep their value and kind") {
  CHECK(rewritten("[-9223372036854775808, 9223372036854775807, 18446744073709551615, 2.0, 1e22, "
                  "18446744073709551616]") ==
        "[-9223372036854775808, 9223372036854775807, 18446744073709551615, 2.0, 1e+22, "
        "1.8446744073709552e+19]");
}

TEST_CASE("what is no number in JSON becomes a string") {
  CHECK(rewritten("[NaN, Infinity, -Infinity]") == R"(["NaN", "Infinity", "-Infinity"])");
}

TEST_CASE("keys that stand twice are kept, for the reader to find") {
  CHECK(rewritten(R"({"a": 1, "a": 2})") == R"({"a": 1, "a": 2})");
}

TEST_CASE("strings and keys end in NUL, and outlive the text they came from") {
  rapidjson::Document dom;
  {
    const std::string text = R"({"kind": "a string that is not short", "empty": "", "more": 1})";
    dom = schemagen::to_dom(JsonDocument(text, {}));
  }
  CHECK(std::strcmp(dom["kind"].GetString(), "a string that is not short") == 0);
  CHECK(std::strcmp(dom["empty"].GetString(), "") == 0);
  CHECK(std::strcmp(dom.MemberBegin()->name.GetString(), "kind") == 0);
}

TEST_CASE("the changeable form is held to the limit on memory") {
  const std::string text = "[1, 2, 3]";
  schemagen::JsonReadOptions options;
  options.limits.memory_bytes = 3 * 80 + 2 * text.size();  // ten words, and a value of 16 bytes for each
  CHECK_NOTHROW(schemagen::to_dom(JsonDocument(text, options)));
  --options.limits.memory_bytes;
  CHECK_THROWS_WITH(schemagen::to_dom(JsonDocument(text, options)),
                    "needs more memory than the limit of 257 bytes (line 1, column 1)");
}
