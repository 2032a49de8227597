#include "pt2/compare/unused_entries.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "pt2/compare/map_order.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "schemagen/value/map.h"

namespace pt2 {
namespace {

/// What the tables say of `name`: entries of the first table come first, then those of the second, ...
std::vector<std::string> contents(const Graph& graph, const std::string& name) {
  std::vector<std::string> contents;
  for_each_table(graph, [&](const auto& table, ValueName::Table) {
    const auto* const entry = table.find(name);
    contents.push_back(entry == nullptr ? "~" : schemagen::to_json(*entry));  // JSON is less than "~"
  });
  if (const CustomObjArgument* const object = graph.custom_obj_values.find(name)) {
    CustomObjArgument nameless = *object;
    if (nameless.name == name) nameless.name.clear();
    contents.back() = schemagen::to_json(nameless);
  }
  return contents;
}

template <class T>
void rename_keys(schemagen::Map<T>& table, const schemagen::Map<std::string>& new_names) {
  schemagen::Map<T> renamed;
  renamed.reserve(table.size());
  for (auto& [key, entry] : table) {
    const std::string* const new_name = new_names.find(key);
    *renamed.try_emplace(new_name == nullptr ? key : *new_name).first = std::move(entry);
  }
  table = std::move(renamed);
  sort_by_key(table);
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
      if (number_in(key) >= first->second) names.insert(key);
    }
  });
  return {names.begin(), names.end()};
}

void name_unused_entries(Graph& graph, const UnusedEntries& unused) {
  std::vector<std::pair<std::vector<std::string>, std::string>> entries;  // contents, name
  for (std::string& name : unused_names(graph, unused)) {
    std::vector<std::string> held = contents(graph, name);
    entries.emplace_back(std::move(held), std::move(name));
  }
  if (entries.empty()) return;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  schemagen::Map<std::string> new_names;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    new_names[entries[i].second] = "_" + std::to_string(unused.at(&graph) + i);
  }
  for_each_table(graph, [&](auto& table, ValueName::Table) { rename_keys(table, new_names); });
  for (auto& entry : graph.custom_obj_values) {
    if (const std::string* const new_name = new_names.find(entry.value.name)) entry.value.name = *new_name;
  }
}

}  // namespace pt2
