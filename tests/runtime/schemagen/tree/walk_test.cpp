#include "schemagen/tree/walk.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "schemagen/base/error.h"
#include "schemagen/tree/dom.h"

using schemagen::ReflectedField;
using schemagen::ReflectedType;

namespace {

// Tree: struct of label (str), children (List[Tree]), named (Dict[str, Tree]), maybe (Optional[Leaf]), either
// (Either); Leaf: struct of n (int); Either: union of leaf (Leaf), tree (Tree).
enum Index : std::uint32_t { kTree, kLeaf, kEither, kStr, kInt, kTrees, kTreeMap, kMaybeLeaf, kTypeCount };
constexpr ReflectedField kTreeFields[] = {
    {"label", 1, kStr},       {"children", 2, kTrees}, {"named", 3, kTreeMap},
    {"maybe", 4, kMaybeLeaf}, {"either", 5, kEither},
};
constexpr ReflectedField kLeafFields[] = {{"n", 1, kInt}};
constexpr ReflectedField kEitherFields[] = {{"leaf", 1, kLeaf}, {"tree", 2, kTree}};
constexpr ReflectedType kTypes[] = {
    {ReflectedType::structure, "Tree", kTreeFields, 5, 0},
    {ReflectedType::structure, "Leaf", kLeafFields, 1, 0},
    {ReflectedType::union_, "Either", kEitherFields, 2, 0},
    {ReflectedType::string, "str", nullptr, 0, 0},
    {ReflectedType::integer, "int", nullptr, 0, 0},
    {ReflectedType::list, "List[Tree]", nullptr, 0, kTree},
    {ReflectedType::map, "Dict[str, Tree]", nullptr, 0, kTree},
    {ReflectedType::optional, "Optional[Leaf]", nullptr, 0, kLeaf},
};
constexpr schemagen::Reflection kSchema = {"trees", 1, 0, kTypes, kTypeCount};

std::vector<std::string> visits(const std::string& text, const std::vector<Index>& types) {
  const schemagen::JsonDocument document(text, {});
  schemagen::DomValue dom = schemagen::to_dom(document);
  std::vector<bool> wanted(kTypeCount);
  for (const Index type : types) wanted[type] = true;
  std::vector<std::string> paths;
  schemagen::walk_document(kSchema, kTree, wanted, dom,
                           [&](std::uint32_t type, schemagen::DomValue&, const schemagen::WalkPath& path) {
                             paths.push_back(std::string(kTypes[type].name) + " " + path.text());
                           });
  return paths;
}

std::string error_of(const std::string& text) {
  try {
    visits(text, {kLeaf});
    return "no error";
  } catch (const schemagen::DataError& error) {
    return error.what();
  }
}

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("a walk finds a type in lists, maps, unions and optionals, at every depth") {
  CHECK(visits(R"({"children": [{"maybe": {"n": 1}}, {"named": {"a key": {"either": {"leaf": {}}}}}],
                   "either": {"tree": {"maybe": {}}}, "maybe": null})",
               {kLeaf}) == Paths{"Leaf children[0].maybe", R"(Leaf children[1].named["a key"].either.leaf)",
                                 "Leaf either.tree.maybe"});
}

TEST_CASE("inner values are visited first") {
  CHECK(visits(R"({"children": [{"children": [{}]}]})", {kTree}) ==
        Paths{"Tree children[0].children[0]", "Tree children[0]", "Tree "});
}

TEST_CASE("null members of unions are skipped, as the first releases wrote them") {
  CHECK(visits(R"({"either": {"tree": null, "leaf": {"n": 2}}})", {kLeaf, kTree}) ==
        Paths{"Leaf either.leaf", "Tree "});
}

TEST_CASE("a walk skips unknown members and values that cannot contain a wanted type") {
  CHECK(visits(R"({"new": {"maybe": {}}, "label": [7], "maybe": {"n": {"maybe": 1}}})", {kLeaf}) ==
        Paths{"Leaf maybe"});
}

TEST_CASE("a walk may replace values") {
  const schemagen::JsonDocument document(R"({"children": [{"maybe": {"n": 1}}], "maybe": {"n": 2}})", {});
  schemagen::DomValue dom = schemagen::to_dom(document);
  std::vector<bool> wanted(kTypeCount);
  wanted[kLeaf] = true;
  schemagen::walk_document(
      kSchema, kTree, wanted, dom,
      [&](std::uint32_t, schemagen::DomValue& value, const schemagen::WalkPath&) { value = 5; });
  CHECK(schemagen::dom_text(dom) == R"({"children": [{"maybe": 5}], "maybe": 5})");
}

TEST_CASE("a walk rejects values that do not match the schema, with a path") {
  CHECK(error_of("[]") == "expected an object, found a list");
  CHECK(error_of(R"({"children": {}})") == "children: expected a list, found an object");
  CHECK(error_of(R"({"children": [{"named": 3}]})") ==
        "children[0].named: expected an object, found a number");
  CHECK(error_of(R"({"named": {"x": null}})") == "named.x: expected an object, found null");
  CHECK(error_of(R"({"either": "x"})") == "either: expected an object, found a string");
  CHECK(error_of(R"({"either": true})") == "either: expected an object, found a bool");
}
