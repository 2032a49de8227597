#include "show_json.h"

#include <algorithm>
#include <initializer_list>

#include "pt2/report/node_details.h"
#include "pt2/report/report_options.h"
#include "pt2/show/diagram.h"
#include "pt2/text/affix.h"

namespace pt2::tool {
namespace {

class ShownNodes {
 public:
  explicit ShownNodes(const Diagram& view) : view_(view) {}

  std::string write(const DiagramNode* node, const std::optional<std::string>& module) {
    const bool is_whole = node == nullptr && !module;
    json_.begin('{');
    if (is_whole) list("inputs", {DiagramNode::Kind::input, DiagramNode::Kind::weight});
    json_.key("nodes").begin('[');
    for (const DiagramNode& each : view_.nodes) {
      const bool is_chosen = node == nullptr ? each.kind == DiagramNode::Kind::operation : node == &each;
      if (is_chosen && (!module || is_in(each, *module))) write_node(each);
    }
    json_.end(']');
    if (is_whole) list("outputs", {DiagramNode::Kind::output});
    json_.end('}');
    return std::string(json_.view());
  }

 private:
  const DiagramGroup* around(const DiagramNode& node, DiagramGroup::Kind kind) const {
    for (std::size_t group = node.group; group != 0; group = view_.groups[group].parent) {
      if (view_.groups[group].kind == kind) return &view_.groups[group];
    }
    return nullptr;
  }

  bool is_in(const DiagramNode& node, const std::string& module) const {
    if (module.empty()) return true;
    for (std::size_t group = node.group; group != 0; group = view_.groups[group].parent) {
      const std::string& name = view_.groups[group].name;
      if (view_.groups[group].kind == DiagramGroup::Kind::module &&
          (name == module || starts_with(name, module + " (call "))) {
        return true;
      }
    }
    return false;
  }

  void list(const char* key, std::initializer_list<DiagramNode::Kind> kinds) {
    json_.key(key).begin('[');
    for (const DiagramNode& node : view_.nodes) {
      const bool is_wanted = std::count(kinds.begin(), kinds.end(), node.kind) != 0;
      if (!is_wanted || around(node, DiagramGroup::Kind::subgraph) != nullptr) continue;
      json_.begin('{').key("name").string(node.name);
      if (node.kind == DiagramNode::Kind::output) {
        json_.key("is").string(node.label).key("text").string(node.arguments.front().text).end('}');
        continue;
      }
      json_.key("type").string(node.values.empty() ? "" : view_.values[node.values.front()].type);
      json_.key("is").string(node.label).key("target");
      node.target.empty() ? json_.null() : json_.string(node.target);
      json_.end('}');
    }
    json_.end(']');
  }

  void write_node(const DiagramNode& node) {
    const bool is_inner = around(node, DiagramGroup::Kind::subgraph) != nullptr;
    json_.begin('{').key("name").string(node.name);
    json_.key("graph").string(is_inner ? node.name.substr(0, node.name.rfind('/')) : "").key("module");
    const DiagramGroup* const module = around(node, DiagramGroup::Kind::module);
    module == nullptr ? json_.null() : json_.string(module->name);
    json_.key("operator").string(node.label).key("arguments").begin('[');
    for (const DiagramArgument& argument : node.arguments) {
      json_.begin('{').key("name").string(argument.name).key("text").string(argument.text);
      json_.key("default").boolean(argument.is_default).end('}');
    }
    json_.end(']').key("results").begin('[');
    for (const std::size_t value : node.values) {
      json_.begin('{').key("name").string(view_.values[value].name);
      json_.key("type").string(view_.values[value].type).end('}');
    }
    json_.end(']').key("metadata").begin('{');
    for (const auto& [key, text] : node.metadata) json_.key(key).string(text);
    json_.end('}').end('}');
  }

  const Diagram& view_;
  schemagen::JsonWriter json_{report_options()};
};

}  // namespace

std::string show_json(const ExportedProgram& program, const OperatorSet& operators,
                      const std::optional<std::string>& node, const std::optional<std::string>& module) {
  const Diagram view = diagram_of(program, operators);
  return ShownNodes(view).write(node ? &find_node(view, *node) : nullptr, module);
}

}  // namespace pt2::tool
