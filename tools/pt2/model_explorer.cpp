#include "model_explorer.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/report/report_options.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

class Collection {
 public:
  explicit Collection(const Diagram& view) : view_(view), namespaces_(view.groups.size()) {
    for (std::size_t group = 1; group < view.groups.size(); ++group) namespace_of(group);
  }

  std::string write(const std::string& title) {
    json_.begin('{').key("label").string(title).key("graphs").begin('[').begin('{').key("id").string(
        "program");
    json_.key("nodes").begin('[');
    for (const DiagramNode& node : view_.nodes) write_node(node);
    json_.end(']').key("groupNodeAttributes").begin('{');
    for (std::size_t group = 1; group < view_.groups.size(); ++group) {
      if (view_.groups[group].type.empty()) continue;
      json_.key(namespaces_[group]).begin('{').key("class").string(view_.groups[group].type).end('}');
    }
    json_.end('}').end('}').end(']').end('}');
    return std::string(json_.view()) + "\n";
  }

 private:
  /// Names are written for each node. They must not contain slashes, which separate groups, and Model
  /// Explorer draws characters that are not in ASCII as `?`.
  const std::string& namespace_of(std::size_t group) {
    std::string& found = namespaces_[group];
    if (group == 0 || !found.empty()) return found;
    found = schemagen::shortened(short_name(view_, group));
    constexpr std::pair<std::string_view, const char*> kReplaced[] = {
        {"/", "|"}, {"\xc3\x97", "x"}, {"\xe2\x80\x93", "-"}};
    for (const auto& [from, to] : kReplaced) {
      for (std::size_t at = 0; (at = found.find(from, at)) != found.npos;) found.replace(at, from.size(), to);
    }
    const std::string& outer = namespace_of(view_.groups[group].parent);
    if (!outer.empty()) found = outer + "/" + found;
    return found;
  }

  void attribute(const std::string& key, const std::string& value) {
    json_.begin('{').key("key").string(key).key("value").string(value).end('}');
  }

  void begin_metadata(std::size_t id) {
    json_.begin('{').key("id").string(std::to_string(id)).key("attrs").begin('[');
  }

  void write_node(const DiagramNode& node) {
    json_.begin('{').key("id").string(node.name);
    json_.key("label").string(node.target.empty() ? node.label : node.target);
    json_.key("namespace").string(namespaces_[node.group]).key("attrs").begin('[');
    for (const DiagramArgument& argument : node.arguments) {
      attribute(argument.name, argument.text + (argument.is_default ? " (default)" : ""));
    }
    for (const auto& [key, text] : node.metadata) attribute(key, text);
    json_.end(']').key("incomingEdges").begin('[');
    std::vector<const DiagramArgument*> inputs;  // of each edge
    for (const DiagramArgument& argument : node.arguments) {
      for (const std::size_t value : argument.values) {
        if (view_.values[value].producer == DiagramValue::kNone) continue;
        write_edge(value, inputs.size());
        inputs.push_back(&argument);
      }
    }
    json_.end(']').key("inputsMetadata").begin('[');
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      begin_metadata(i);
      attribute("__tensor_tag", inputs[i]->name);
      json_.end(']').end('}');
    }
    json_.end(']').key("outputsMetadata").begin('[');
    for (std::size_t i = 0; i < node.values.size(); ++i) {
      begin_metadata(i);
      attribute("__tensor_tag", view_.values[node.values[i]].name);
      attribute("tensor_shape", view_.values[node.values[i]].type);
      json_.end(']').end('}');
    }
    json_.end(']').end('}');
  }

  void write_edge(std::size_t value, std::size_t input) {
    const DiagramNode& source = view_.nodes[view_.values[value].producer];
    const auto output = std::find(source.values.begin(), source.values.end(), value) - source.values.begin();
    json_.begin('{').key("sourceNodeId").string(source.name);
    json_.key("sourceNodeOutputId").string(std::to_string(output));
    json_.key("targetNodeInputId").string(std::to_string(input)).end('}');
  }

  const Diagram& view_;
  std::vector<std::string> namespaces_;  // by group
  schemagen::JsonWriter json_{report_options()};
};

}  // namespace

std::string model_explorer_json(const Diagram& view, const std::string& title) {
  return Collection(view).write(title);
}

}  // namespace pt2::tool
