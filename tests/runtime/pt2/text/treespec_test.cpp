#include "pt2/text/treespec.h"

#include <catch2/catch.hpp>

#include "schemagen/base/error.h"

namespace {

constexpr const char* kLeaf = R"({"type": null, "context": null, "children_spec": []})";

std::string node(const std::string& type, const std::string& context, int leaves) {
  std::string children;
  for (int i = 0; i < leaves; ++i) children += (i == 0 ? "" : ", ") + std::string(kLeaf);
  return R"({"type": ")" + type + R"(", "context": )" + context + R"(, "children_spec": [)" + children + "]}";
}

pt2::TreeSpec parse(const std::string& root) {
  return pt2::parse_treespec("[1, " + root + "]");
}

std::string error_of(const std::string& text) {
  try {
    pt2::parse_treespec(text);
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a treespec is read and written with the same bytes") {
  const std::string text =
      R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)" +
      node("builtins.dict", R"("[\"a\", 1, \"\u00e9\"]")", 3) + ", " +
      node("collections.defaultdict",
           R"({"default_factory_module": "builtins", "default_factory_name": "int", "dict_context": ["a"]})",
           1) +
      ", " + node("collections.namedtuple", R"("my.Point")", 2) + ", " + kLeaf + "]}]";
  const pt2::TreeSpec spec = pt2::parse_treespec(text);
  CHECK(pt2::treespec_json(spec) == text);
  CHECK(spec.leaf_count() == 7);
  CHECK(spec.children[2].context.text == "\"my.Point\"");
}

TEST_CASE("only children of dicts have keys") {
  CHECK(keys(parse(node("builtins.dict", R"("[\"a\", 1]")", 2))) ==
        std::vector<schemagen::Json>{{"\"a\""}, {"1"}});
  CHECK(keys(parse(node("collections.OrderedDict", R"("[\"a\"]")", 1))).size() == 1);
  CHECK(keys(parse(node(
            "collections.defaultdict",
            R"({"default_factory_module": "m", "default_factory_name": "f", "dict_context": ["k"]})", 1)))[0]
            .text == "\"k\"");
  CHECK(keys(parse(node("builtins.list", "\"null\"", 2))).empty());
  CHECK_THROWS_WITH(keys(parse(node("builtins.dict", R"("[\"a\"]")", 2))),
                    "treespec: 1 key for 2 child specs");
  CHECK_THROWS_AS(keys(parse(node("builtins.dict", "null", 0))), schemagen::DataError);
}

TEST_CASE("field names come from a list of matching length in the context") {
  const auto names = [](const std::string& context, int items) {
    return pt2::field_names(parse(node("my.Class", context, items)));
  };
  const std::vector<schemagen::Json> both = {{"\"a\""}, {"\"b\""}};
  CHECK(names(R"("[\"a\", \"b\"]")", 2) == both);
  CHECK(names(R"("[[\"a\", \"b\"], [\"c\", \"d\"]]")", 2) == both);
  CHECK(names(R"(["my.Class", ["a", "b"], []])", 2) == both);
  CHECK(names(R"("[[], [\"a\"]]")", 0) == std::vector<schemagen::Json>());
  for (const char* const none : {R"("[\"a\"]")", R"("[\"a\", \"a\"]")", R"("[1, 2]")", R"("null")", "null",
                                 R"("text")", R"("{\"a\": \"b\"}")"}) {
    CHECK(names(none, 2) == std::nullopt);
  }
}

TEST_CASE("malformed treespecs are errors with their place") {
  CHECK(error_of("") == "the document is empty (line 1, column 1)");
  CHECK(error_of("[]") == "expected [protocol, treespec], got an empty list (line 1, column 1)");
  CHECK(error_of("[2, {}]") == "[0]: treespec protocol: expected 1, got 2 (line 1, column 2)");
  CHECK(error_of("[1]") == "expected [protocol, treespec], got one item (line 1, column 1)");
  CHECK(error_of("[1, " + std::string(kLeaf) + ", 2]") ==
        "expected [protocol, treespec], got more than two items (line 1, column 1)");
  CHECK(error_of(R"([1, {"type": null, "context": null}])") ==
        "[1]: the required field 'children_spec' is missing (line 1, column 5)");
  CHECK(error_of(R"([1, {"type": 3, "context": null, "children_spec": []}])") ==
        "[1].type: expected a string, found an integer (line 1, column 14)");
  CHECK(error_of(R"([1, {"type": null, "context": "null", "children_spec": []}])") ==
        "[1]: expected a leaf (type null) without context or children (line 1, column 5)");
  std::string deep = kLeaf;
  for (int i = 0; i < 300; ++i)
    deep = R"({"type": "builtins.list", "context": "null", "children_spec": [)" + deep + "]}";
  CHECK(error_of("[1, " + deep + "]").find("256") != std::string::npos);
}
