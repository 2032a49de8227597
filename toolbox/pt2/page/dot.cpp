#include "pt2/page/dot.h"

#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"
#include "text/quoting.h"

namespace pt2 {
namespace {

using generator::dot_string;

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr std::size_t kMostIndented = 16;

const char* style_of(DiagramNode::Kind kind) {
  if (kind == DiagramNode::Kind::weight) return "shape=box, style=filled, fillcolor=\"#fdf3e1\"";
  if (kind == DiagramNode::Kind::operation) return "shape=box, style=filled, fillcolor=\"#eef3fb\"";
  return "shape=box, style=\"rounded,filled\", fillcolor=\"#e6f5ea\"";
}

struct Dot {
  std::string write(const std::string& title) {
    for (std::size_t i = 1; i < view.groups.size(); ++i) groups[view.groups[i].parent].push_back(i);
    for (std::size_t i = 0; i < view.nodes.size(); ++i) nodes[view.nodes[i].group].push_back(i);
    out = "// dot -Tsvg FILE\ndigraph " + dot_string(title) +
          " {\n  node [fontname=\"sans-serif\", fontsize=11, height=0.3];\n"
          "  edge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7];\n";
    write_group(0, "  ");
    for (std::size_t i = 0; i < view.nodes.size(); ++i) write_arrows(i);
    return std::move(out) + "}\n";
  }

  void check_size() const {
    if (out.size() > kMostBytes) throw schemagen::DataError(schemagen::too_large(kMostBytes));
  }

  /// Recursion is bounded by the nesting limits of modules and subgraphs.
  void write_group(std::size_t group, const std::string& indent) {
    for (const std::size_t i : nodes[group]) {
      check_size();
      const DiagramNode& node = view.nodes[i];
      const bool is_operation = node.kind == DiagramNode::Kind::operation;
      out += indent + name(i) +
             " [label=" + dot_string(is_operation ? node.label + "\n" + node.name : node.name) +
             ", tooltip=" + dot_string(node.label) + ", " + style_of(node.kind) + "];\n";
    }
    for (const std::size_t inner : groups[group]) {
      out += indent + "subgraph cluster_" + std::to_string(inner) + " {\n" + indent +
             "  label=" + dot_string(short_name(view, inner)) + ";\n" + indent +
             "  tooltip=" + dot_string(view.groups[inner].type) + ";\n";
      write_group(inner, indent.size() < 2 * kMostIndented ? indent + "  " : indent);
      out += indent + "}\n";
    }
  }

  void write_arrows(std::size_t i) {
    const DiagramNode& node = view.nodes[i];
    for (const DiagramArgument& argument : node.arguments) {
      for (const std::size_t value : argument.values) {
        if (view.values[value].producer == DiagramValue::kNone) continue;
        check_size();
        out += "  " + name(view.values[value].producer) + " -> " + name(i) +
               " [label=" + dot_string(view.values[value].type) + ", tooltip=" + dot_string(argument.name) +
               "];\n";
      }
    }
    for (const std::size_t subgraph : node.subgraphs) {
      if (nodes[subgraph].empty()) continue;
      out += "  " + name(i) + " -> " + name(nodes[subgraph].front()) + " [style=dashed];\n";
    }
  }

  static std::string name(std::size_t node) { return "n" + std::to_string(node); }

  const Diagram& view;
  std::map<std::size_t, std::vector<std::size_t>> groups = {};  // by the group around them
  std::map<std::size_t, std::vector<std::size_t>> nodes = {};
  std::string out = {};
};

}  // namespace

std::string dot_text(const Diagram& view, const std::string& title) {
  return Dot{view}.write(title);
}

}  // namespace pt2
