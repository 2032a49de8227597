#include "schemagen/tree/dom.h"

#include <catch2/catch.hpp>
#include <string>

#include "schemagen/base/error.h"

using schemagen::DomValue;
using schemagen::JsonDocument;

namespace {

std::string rewritten(const std::string& text) {
  const JsonDocument document(text, {});
  return schemagen::dom_text(schemagen::to_dom(document));
}

}  // namespace

TEST_CASE("a document round trips through a tree") {
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

TEST_CASE("NaN and infinities become strings") {
  CHECK(rewritten("[NaN, Infinity, -Infinity]") == R"(["NaN", "Infinity", "-Infinity"])");
}

TEST_CASE("duplicate keys are kept, so that the reader reports them") {
  CHECK(rewritten(R"({"a": 1, "a": 2})") == R"({"a": 1, "a": 2})");
}

TEST_CASE("a tree borrows its document's strings and keys, except those with escapes") {
  const std::string text = R"({"key": "plain", "more": "\n"})";
  const JsonDocument document(text, {});
  const DomValue value = schemagen::to_dom(document);
  const auto is_borrowed = [&](std::string_view part) {
    return part.data() >= text.data() && part.data() < text.data() + text.size();
  };
  CHECK(is_borrowed(value.object()->at(0).name.view()));
  CHECK(is_borrowed(value.find("key")->text()));
  CHECK_FALSE(is_borrowed(value.find("more")->text()));
}

TEST_CASE("a tree that is parsed from text outlives the text") {
  DomValue value;
  {
    const std::string text = R"({"a key that is not short": "a string that is not short", "more": 1})";
    value = schemagen::parse_dom(text).value();
  }
  CHECK(schemagen::dom_text(value) ==
        R"({"a key that is not short": "a string that is not short", "more": 1})");
}

TEST_CASE("a tree is within the memory limit") {
  const std::string text = "[1, 2, 3]";
  schemagen::JsonReadOptions options;
  options.limits.memory_bytes = 10 * 8 + 10 * sizeof(DomValue) + 2 * text.size();
  CHECK_NOTHROW(schemagen::to_dom(JsonDocument(text, options)));
  --options.limits.memory_bytes;
  CHECK_THROWS_WITH(schemagen::to_dom(JsonDocument(text, options)),
                    "needs more memory than the limit of " + std::to_string(options.limits.memory_bytes) +
                        " bytes (line 1, column 1)");
}
