#include <algorithm>
#include <utility>

#include "front/keys.h"
#include "front/resolve_steps.h"

namespace generator {
namespace {

void read_allowed_rule(const YamlNode& node, const std::vector<Allowance>& before, const Names& rules,
                       Allowance& allowance, Diagnostics& diagnostics) {
  if (!read_string(node, "'rule'", diagnostics)) return;
  allowance.rule = node.text;
  allowance.span = node.span;
  if (!contains(rules, node.text)) {
    diagnostics.error(node.span, "unknown rule " + quoted(node.text),
                      hint_for(node.text, rules, "`schemagen rules` lists the rules"));
    return;
  }
  const auto first = std::find_if(before.begin(), before.end(),
                                  [&](const Allowance& other) { return other.rule == allowance.rule; });
  if (first == before.end()) return;
  diagnostics.error(node.span, "rule " + quoted(node.text) + " is listed twice in 'allow'", "",
                    {{first->span, "first allowed here"}});
}

}  // namespace

std::vector<Allowance> read_allowances(const YamlNode& owner, const Names& rules, Diagnostics& diagnostics) {
  std::vector<Allowance> allowed;
  const YamlNode* node = find_value(owner, "allow");
  const std::string example = "write [{rule: FIELD_RENAMED, reason: never written to a file}]";
  if (node == nullptr || !check_kind(*node, YamlNode::Kind::sequence, "'allow'", diagnostics, example)) {
    return allowed;
  }
  for (const YamlNode& item : node->items) {
    if (!check_kind(item, YamlNode::Kind::map, "an entry in 'allow'", diagnostics, example)) continue;
    check_keys(item, Part::allowance, "an entry in 'allow'", item.span, diagnostics);
    Allowance allowance;
    if (const YamlNode* rule = find_value(item, "rule"))
      read_allowed_rule(*rule, allowed, rules, allowance, diagnostics);
    if (const YamlNode* reason = find_value(item, "reason")) {
      if (check_sentence(*reason, "'reason' must be a sentence", "say why the change is harmless",
                         diagnostics))
        allowance.reason = reason->text;
    }
    allowed.push_back(std::move(allowance));
  }
  return allowed;
}

}  // namespace generator
