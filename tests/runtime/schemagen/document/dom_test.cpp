#include "schemagen/document/dom.h"

#include <catch2/catch.hpp>

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
