#include "pt2/canonical/value_tables.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/canonical/canonical_texts.h"

namespace {

/// `_0` is used; the entries of `sizes` follow, unused, as `_1`, `_2` and so on.
Graph with_unused(const Texts& sizes) {
  Graph graph = graph_of({"_0"}, {}, {"_0"});
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string name = "_" + std::to_string(i + 1);
    add_tensor(graph, name);
    graph.tensor_values[name].sizes = {symbolic(sizes[i])};
  }
  return graph;
}

}  // namespace

TEST_CASE("entries from the first unused number on are unused") {
  const Graph graph = with_unused({"s0", "s1"});
  CHECK(unused_names(graph, {{&graph, {1, nullptr}}}) == Texts{"_1", "_2"});
  CHECK(unused_names(graph, {{&graph, {2, nullptr}}}) == Texts{"_2"});
  CHECK(unused_names(graph, {}).empty());
}

TEST_CASE("a name that occurs only in the entry of a custom object is unused, too") {
  Graph graph = with_unused({});
  graph.custom_obj_values["_1"].name = "_2";
  CHECK(unused_names(graph, {{&graph, {1, nullptr}}}) == Texts{"_1", "_2"});
}

TEST_CASE("expressions come in the order of their values, those of unused entries apart") {
  Graph graph = graph_of({"_2", "_10"}, {}, {"_2"});
  graph.tensor_values["_2"].sizes = {symbolic("s2"), symbolic("s3")};
  graph.tensor_values["_10"].sizes = {symbolic("s10")};
  graph.tensor_values["_11"].sizes = {symbolic("s11")};
  const pt2::Expressions found = expressions_of(graph, {{&graph, {11, nullptr}}});
  Texts texts;
  for (const std::string* const text : found.of_values) texts.push_back(*text);
  CHECK(texts == Texts{"s2", "s3", "s10"});
  REQUIRE(found.unused.size() == 1);
  CHECK(found.unused[0].second == Texts{"_11"});
  CHECK(*found.of_unused.at(0) == "s11");
}

TEST_CASE("unused entries are numbered by their contents, in any order") {
  Texts sizes = {"s3", "s1", "s2", "s1"};
  Graph first = with_unused(sizes);
  std::reverse(sizes.begin(), sizes.end());
  Graph second = with_unused(sizes);
  name_unused_entries(first, {{&first, {1, nullptr}}});
  name_unused_entries(second, {{&second, {1, nullptr}}});
  CHECK(schemagen::to_json(first) == schemagen::to_json(second));
  CHECK(keys(first.tensor_values) == Texts{"_0", "_1", "_2", "_3", "_4"});
}

TEST_CASE("original names follow unused entries to their numbers") {
  Graph graph = with_unused({"s9", "s1"});
  pt2::OriginalNames original;
  original.names["_1"] = "nine";
  original.names["_2"] = "one";
  name_unused_entries(graph, {{&graph, {1, &original}}});
  for (const auto& entry : graph.tensor_values) {
    if (entry.key() == "_0") continue;
    const std::string& size = entry.value.sizes.at(0).get<pt2::SymInt::as_expr>().expr_str;
    CHECK(original.names[std::string(entry.key())] == (size == "s9" ? "nine" : "one"));
  }
}

TEST_CASE("a value alone has its entries of all tables and no others") {
  Graph graph = with_unused({"s0"});
  graph.sym_bool_values["_0"].emplace<pt2::SymBool::as_bool>(true);
  const Graph alone = entries_alone(graph, "_0");
  CHECK(keys(alone.tensor_values) == Texts{"_0"});
  CHECK(alone.sym_bool_values.contains("_0"));
  CHECK(alone.nodes.empty());
}
