#include "pt2/report/node_details.h"

#include <algorithm>

#include "pt2/report/columns.h"
#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::string section(const char* title, const std::vector<Row>& rows) {
  return rows.empty() ? "" : "\n" + std::string(title) + "\n" + table(rows);
}

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "  ";
  }
  return out + "\n";
}

std::vector<Row> groups_of(const Diagram& view, const DiagramNode& node) {
  std::vector<Row> rows;
  for (std::size_t group = node.group; group != 0; group = view.groups[group].parent) {
    rows.push_back({view.groups[group].name, view.groups[group].type});
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

std::vector<Row> results_of(const Diagram& view, const DiagramNode& node) {
  std::vector<Row> rows;
  for (const std::size_t value : node.values) {
    std::string users;
    for (const DiagramNode& user : view.nodes) {
      const bool uses =
          std::any_of(user.arguments.begin(), user.arguments.end(), [&](const DiagramArgument& argument) {
            return std::find(argument.values.begin(), argument.values.end(), value) != argument.values.end();
          });
      if (uses) users += (users.empty() ? "used by " : ", ") + user.name;
    }
    rows.push_back({view.values[value].name, view.values[value].type, users.empty() ? "not used" : users});
  }
  return rows;
}

std::vector<Row> argument_rows(const Diagram& view, const DiagramNode& node) {
  std::vector<Row> rows;
  for (const DiagramArgument& argument : node.arguments) {
    std::string types = argument.is_default ? "default" : "";
    for (const std::size_t value : argument.values) {
      types += (types.empty() ? "" : ", ") + view.values[value].type;
    }
    rows.push_back({argument.name, argument.text, types});
  }
  return rows;
}

}  // namespace

const DiagramNode& find_node(const Diagram& view, const std::string& name) {
  std::vector<std::string_view> names;
  for (const DiagramNode& node : view.nodes) {
    if (node.name == name) return node;
    names.push_back(node.name);
  }
  throw schemagen::UsageError(
      schemagen::with_suggestion("unknown node " + schemagen::quoted(name), name, names));
}

std::string node_details(const Diagram& view, const std::string& name) {
  const DiagramNode& node = find_node(view, name);
  std::string text = node.name + ": " + node.label + "\n";
  text += section("in", groups_of(view, node)) + section("arguments", argument_rows(view, node)) +
          section("results", results_of(view, node));
  std::vector<Row> subgraphs;
  for (const std::size_t group : node.subgraphs) subgraphs.push_back({view.groups[group].name});
  text += section("runs", subgraphs);
  for (const auto& [key, value] : node.metadata) text += "\n" + key + "\n" + indented(value);
  return text;
}

}  // namespace pt2
