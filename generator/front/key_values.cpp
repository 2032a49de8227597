#include "front/key_values.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/quote.h"
#include "text/characters.h"
#include "text/control.h"
#include "text/message.h"

namespace generator {
namespace {

bool is_known(std::string_view key, const Names& known) {
  return std::find(known.begin(), known.end(), key) != known.end();
}

/// Text ends up in comments and messages, where it must not end the line.
bool check_controls(const YamlNode& node, const std::string& what, Diagnostics& diagnostics) {
  const std::optional<Control> control = find_control(node.text);
  if (!control) return true;
  diagnostics.error(node.part(control->offset, 1), what + " contains the control character " + control->name,
                    "remove it; the only control characters allowed in text are tabs and line endings (\\n)");
  return false;
}

}  // namespace

const YamlNode* find_value(const YamlNode& map, std::string_view key) {
  const YamlEntry* entry = map.find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

bool lacks(const YamlNode& map, std::string_view key, const Names& known) {
  return std::none_of(map.entries.begin(), map.entries.end(), [&](const YamlEntry& entry) {
    const std::string& text = entry.key.text;
    return text == key || (!is_known(text, known) && nearest_name(text, known) == key);
  });
}

void check_keys(const YamlNode& map, Part owner, std::string_view where, Span span,
                Diagnostics& diagnostics) {
  const Names known = key_names(owner);
  for (const YamlEntry& entry : map.entries) {
    if (is_known(entry.key.text, known)) continue;
    std::string hint = did_you_mean(entry.key.text, known);
    if (hint.empty()) hint = "the keys allowed here are " + first_of(known);
    diagnostics.error(entry.key.span,
                      "unknown key " + schemagen::quoted(entry.key.text) + " in " + std::string(where),
                      std::move(hint));
  }
  for (const std::string_view key : key_names(owner, true)) {
    if (!lacks(map, key, known)) continue;
    const std::string example(find_key(owner, key)->example);
    diagnostics.error(span, std::string(where) + " has no " + schemagen::quoted(key),
                      example.empty() ? example : "write " + example);
  }
}

std::optional<std::int64_t> read_int_between(const YamlNode& node, std::string_view what, std::int64_t min,
                                             std::int64_t max, Diagnostics& diagnostics) {
  const std::optional<std::int64_t> value = read_int(node, what, diagnostics);
  if (!value || (*value >= min && *value <= max)) return value;
  return diagnostics.error(node.span, std::string(what) + " must be between " + std::to_string(min) +
                                          " and " + std::to_string(max) + ", not " + std::to_string(*value));
}

void read_text(const YamlNode& map, std::string_view key, std::string& into, Diagnostics& diagnostics) {
  const YamlNode* node = find_value(map, key);
  if (node == nullptr) return;
  auto text = read_string(*node, schemagen::quoted(key), diagnostics);
  if (text && check_controls(*node, schemagen::quoted(key), diagnostics)) into = std::move(*text);
}

bool check_sentence(const YamlNode& node, const std::string& demand, const std::string& hint,
                    Diagnostics& diagnostics) {
  const std::string key = demand.substr(0, demand.find(' '));
  if (!read_string(node, key, diagnostics)) return false;
  if (!node.text.empty() && !is_ambiguous_as_string(node)) return check_controls(node, key, diagnostics);
  diagnostics.error(node.span, demand + ", not " + describe(node), hint);
  return false;
}

bool check_name(const YamlNode& node, std::string_view of_what, Diagnostics& diagnostics) {
  if (is_identifier(node.text)) return true;
  diagnostics.error(node.span,
                    schemagen::quoted(node.text) + " is not a valid name for " + std::string(of_what),
                    "use letters, digits and '_', and do not begin with a digit");
  return false;
}

bool check_identifier(const std::string& name, const YamlNode& node, Diagnostics& diagnostics) {
  if (is_identifier(name)) return true;
  diagnostics.error(node.span, schemagen::quoted(name) + " is not a C++ identifier");
  return false;
}

}  // namespace generator
