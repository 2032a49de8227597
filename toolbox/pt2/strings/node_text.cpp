#include "pt2/strings/node_text.h"

#include "pt2/operators/higher_order.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

/// Without recorded keywords, leading values count as positional: options follow operands.
std::string inputs_text(const Node& node, const ValueText& name) {
  std::string text;
  bool is_leading = true;
  for (const NamedArgument& input : node.inputs) {
    const ArgumentKind kind = input.kind.value_or(ArgumentKind::UNKNOWN);
    bool is_named = kind == ArgumentKind::KEYWORD;
    // Python functions have no keywords.
    if (kind == ArgumentKind::UNKNOWN && starts_with(node.target, kOperatorPrefix)) {
      is_leading = is_leading && refers_to_values(input.arg);
      is_named = !is_leading;
    }
    if (!text.empty()) text += ", ";
    if (is_named && !input.name.empty()) text += printable(input.name) + "=";
    text += argument_text(input.arg, name);
  }
  return text;
}

}  // namespace

std::string coloured_type(const std::string& type, Colours colours) {
  return colours == Colours::none || type.empty() ? type : "\x1b[2m" + type + "\x1b[0m";
}

bool refers_to_values(const Argument& argument) {
  return names_any(argument, [](const std::string&) { return true; });
}

std::string definition_text(const ValueText& type_of, const Argument& argument, Colours colours,
                            const ValueText& name) {
  return argument_text(argument, [&](const ValueName& value) {
    const std::string type = type_of(value);
    return name(value) + (type.empty() ? "" : ": " + coloured_type(type, colours));
  });
}

std::string node_text(const ValueText& type, const Node& node, Colours colours, const ValueText& name) {
  std::string text = join_texts(node.outputs, ", ", [&](const Argument& output) {
    return definition_text(type, output, colours, name);
  });
  if (!text.empty()) text += " = ";
  return text + operator_text(node.target) + "(" + inputs_text(node, name) + ")";
}

}  // namespace pt2
