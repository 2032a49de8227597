#include "pt2/edit/graph.h"

#include <charconv>

#include "pt2/edit/graph_names.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

struct NumberedName {
  std::string_view base;
  std::size_t number = 0;
};

NumberedName parse_name(std::string_view name) {
  const std::size_t at = name.find_last_not_of("0123456789");
  NumberedName parsed{name};
  if (at == name.npos || at == 0 || at + 1 == name.size() || name[at] != '_') return parsed;
  const auto [end, error] = std::from_chars(name.data() + at + 1, name.data() + name.size(), parsed.number);
  if (error == std::errc()) parsed.base = name.substr(0, at);
  return parsed;
}

}  // namespace

FreshNames::FreshNames(const Graph& graph) {
  taken_.reserve(2 * graph.nodes.size() + graph.inputs.size());
  for_each_defined_name(graph, [&](const std::string& name) { taken_.try_emplace(name); });
  for (const Node& node : graph.nodes) {
    for_each_subgraph(node, [&](const GraphArgument& subgraph) { taken_.try_emplace(subgraph.name); });
  }
}

std::string FreshNames::take(std::string_view wanted) {
  if (!is_reserved_name(wanted) && claim(std::string(wanted))) return std::string(wanted);
  const NumberedName parsed = parse_name(wanted);
  std::size_t& count = counts_[parsed.base];
  if (parsed.number > count) count = parsed.number;
  std::string name;
  do {
    name = std::string(parsed.base) + "_" + std::to_string(++count);
  } while (!claim(name));
  return name;
}

}  // namespace pt2
