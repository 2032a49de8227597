#include "pt2/canonical/value_tables.h"

#include <cstdlib>
#include <set>

#include "pt2/canonical/map_order.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

std::string contents(const Graph& graph, const std::string& name,
                     const schemagen::Map<ColouredGraph::Vertex>& names) {
  std::string contents;
  const auto add = [&](const auto* entry) {
    contents += entry == nullptr ? "~" : schemagen::to_json(*entry);  // JSON sorts before "~"
    contents += '\0';
  };
  for_each_table(graph, [&](const auto& table, ValueName::Table kind) {
    if (kind != ValueName::Table::custom_objects) add(table.find(name));
  });
  const CustomObjArgument* const object = graph.custom_obj_values.find(name);
  if (object == nullptr || !names.contains(object->name)) {
    add(object);
  } else {
    CustomObjArgument nameless = *object;
    nameless.name = object->name == name ? "" : "~";
    add(&nameless);
  }
  return contents;
}

void add_expressions(Expressions& expressions, Graph& graph, const UnusedEntries& unused) {
  const auto first_unused = unused.find(&graph);
  std::vector<std::pair<std::size_t, std::string*>> by_value;
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    for (auto& [key, entry] : table) {
      const std::size_t number = number_in(key);
      if (first_unused != unused.end() && number >= first_unused->second.first) continue;
      for_each_expression(entry, [&](std::string& text) { by_value.emplace_back(number, &text); });
    }
  });
  std::stable_sort(by_value.begin(), by_value.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [number, text] : by_value) expressions.of_values.push_back(text);
  std::vector<std::string> names = unused_names(graph, unused);
  for (const std::string& name : names) {
    for_each_table(graph, [&](auto& table, ValueName::Table) {
      auto* const entry = table.find(name);
      if (entry == nullptr) return;
      for_each_expression(*entry, [&](std::string& text) { expressions.of_unused.push_back(&text); });
    });
  }
  if (!names.empty()) expressions.unused.emplace_back(&graph, std::move(names));
}

}  // namespace

std::size_t number_in(const std::string& name) {
  return name.empty() ? 0 : std::strtoul(name.c_str() + 1, nullptr, 10);
}

void copy_entries(const Graph& from, const std::string& name, Graph& to) {
  for_each_table(from, to, [&](const auto& known, auto& copies, ValueName::Table) {
    if (const auto* const entry = known.find(name)) copies[name] = *entry;
  });
}

Graph entries_alone(const Graph& graph, const std::string& name) {
  Graph alone;
  copy_entries(graph, name, alone);
  return alone;
}

std::vector<std::string> unused_names(const Graph& graph, const UnusedEntries& unused) {
  const auto first = unused.find(&graph);
  if (first == unused.end()) return {};
  std::set<std::string> names;
  for_each_table(graph, [&](const auto& table, ValueName::Table) {
    for (auto& [key, entry] : table) {
      if (!key.empty() && number_in(key) >= first->second.first) names.insert(key);
    }
  });
  for (auto& entry : graph.custom_obj_values) {
    const std::string& name = entry.value.name;
    if (!name.empty() && number_in(name) >= first->second.first) names.insert(name);
  }
  return {names.begin(), names.end()};
}

Expressions expressions_of(Graph& graph, const UnusedEntries& unused) {
  Expressions expressions;
  for_each_graph(graph, [&](Graph& any) { add_expressions(expressions, any, unused); });
  return expressions;
}

void add_references(const Graph& graph, const schemagen::Map<ColouredGraph::Vertex>& vertices,
                    const std::string& what, ColouredGraph& coloured) {
  for (auto& entry : graph.custom_obj_values) {
    const ColouredGraph::Vertex* const named = vertices.find(entry.value.name);
    if (named == nullptr || entry.value.name == entry.key()) continue;
    const ColouredGraph::Vertex* const unused = vertices.find(entry.key());
    coloured.add_edge(unused != nullptr ? *unused : coloured.add_vertex(what + entry.key()), *named, "");
  }
}

void name_unused_entries(Graph& graph, const UnusedEntries& unused) {
  const std::vector<std::string> names = unused_names(graph, unused);
  if (names.empty()) return;
  schemagen::Map<ColouredGraph::Vertex> vertices;
  for (const std::string& name : names) vertices[name] = static_cast<ColouredGraph::Vertex>(vertices.size());
  ColouredGraph coloured;
  for (const std::string& name : names) coloured.add_vertex(contents(graph, name, vertices));
  add_references(graph, vertices, "", coloured);
  const auto [first, original] = unused.at(&graph);
  schemagen::Map<std::string> new_names;
  schemagen::Map<std::string> new_original;
  for (const ColouredGraph::Vertex vertex : coloured.order()) {
    if (vertex >= names.size()) continue;
    const std::string& name = names[vertex];
    new_names[name] = "_" + std::to_string(first + new_names.size());
    if (original != nullptr) new_original[new_names[name]] = original->names[name];
  }
  for (auto& [name, known] : new_original) original->names[name] = std::move(known);
  const auto new_name = [&](const std::string& name) {
    const std::string* const found = new_names.find(name);
    return found == nullptr ? name : *found;
  };
  for_each_table(graph, [&](auto& table, ValueName::Table) { rename_keys(table, new_name); });
  for (auto& entry : graph.custom_obj_values) entry.value.name = new_name(entry.value.name);
}

}  // namespace pt2
