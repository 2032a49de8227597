#include "pt2/nodes/node_key.h"

#include "pt2/graph/argument_form.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

Argument without_names(const Argument& argument) {
  Argument nameless;
  if (argument.is<Argument::as_graph>()) {
    nameless.emplace<Argument::as_graph>();  // avoids copying the graph
    return nameless;
  }
  nameless = argument;
  for_each_name(nameless, [](std::string& name) { name.clear(); });
  for_each_subgraph(nameless, [](GraphArgument& subgraph) { subgraph = GraphArgument(); });
  return nameless;
}

void append_key(std::string& key, const std::string& text) {
  key.append(std::to_string(text.size())).append(":").append(text);
}

void append_key(std::string& key, const Argument& argument) {
  const ArgumentForm form = form_of(argument.kind());
  const bool names_nothing =
      form == ArgumentForm::literals || (form == ArgumentForm::literal && !argument.is<Argument::as_graph>());
  if (argument.is<Argument::as_tensor>()) {
    key += 't';  // the most common kind, with only a name
  } else if (names_nothing) {
    key += schemagen::to_json(argument);
  } else {
    key += schemagen::to_json(without_names(argument));
  }
}

}  // namespace

std::string node_key(const Node& node) {
  std::string key;
  append_key(key, node.target);
  for (const NamedArgument& input : node.inputs) {
    append_key(key, input.name);
    append_key(key, input.arg);
  }
  key += '|';
  for (const Argument& output : node.outputs) append_key(key, output);
  return key;
}

}  // namespace pt2
