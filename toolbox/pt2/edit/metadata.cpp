#include "pt2/edit/passes.h"

#include <utility>

#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

template <class Visit>
class KeyedNodes {
 public:
  explicit KeyedNodes(const Visit& visit) : visit_(visit) {}

  void visit(Graph& graph, const std::string& path) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      Node& node = graph.nodes[i];
      visit_(numbered(path + name_of(node, i)), node);
      for_each_subgraph(node, [&](GraphArgument& subgraph) {
        visit(*subgraph.graph, numbered(path + subgraph.name) + "/");
      });
    }
  }

 private:
  static std::string name_of(const Node& node, std::size_t number) {
    if (node.name && !node.name->empty()) return *node.name;
    const std::string* const first = first_name(node.outputs);
    return first == nullptr ? "#" + std::to_string(number) : *first;
  }

  std::string numbered(std::string key) {
    const std::size_t count = counts_[key]++;
    return count == 0 ? key : std::move(key) + "#" + std::to_string(count);
  }

  const Visit& visit_;
  schemagen::Map<std::size_t> counts_;
};

template <class Visit>
void for_each_keyed_node(ExportedProgram& program, const Visit& visit) {
  KeyedNodes<Visit>(visit).visit(program.graph_module.graph, "");
}

}  // namespace

NodeMetadata take_metadata(ExportedProgram& program) {
  NodeMetadata metadata;
  for_each_keyed_node(program, [&](std::string key, Node& node) {
    if (!node.metadata.empty()) metadata.insert(std::move(key), std::move(node.metadata));
    node.metadata.clear();
  });
  return metadata;
}

std::size_t put_metadata(ExportedProgram& program, const NodeMetadata& metadata) {
  std::size_t found = 0;
  for_each_keyed_node(program, [&](const std::string& key, Node& node) {
    const schemagen::Map<std::string>* const entry = metadata.find(key);
    if (entry == nullptr) return;
    node.metadata = *entry;
    ++found;
  });
  return metadata.size() - found;
}

}  // namespace pt2
