#include <algorithm>
#include <utility>

#include "front/keys.h"
#include "text/characters.h"

namespace generator {
namespace {

/// Text ends up in comments and messages, where it must not end the line.
bool check_controls(const YamlNode& node, const std::string& what, Diagnostics& diagnostics) {
  const std::optional<Control> control = find_control(node.text);
  if (!control) return true;
  return diagnostics.refuse(
      node.part(control->offset, 1), what + " contains the control character " + control->name,
      "remove it; the only control characters allowed in text are tabs and line endings (\\n)");
}

}  // namespace

const YamlNode* find_value(const YamlNode& map, std::string_view key) {
  const YamlEntry* entry = map.find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

bool lacks(const YamlNode& map, std::string_view key, const Names& known) {
  return std::none_of(map.entries.begin(), map.entries.end(), [&](const YamlEntry& entry) {
    const std::string& text = entry.key.text;
    return text == key || (!contains(known, text) && nearest_name(text, known) == key);
  });
}

void check_keys(const YamlNode& map, Part owner, std::string_view where, Span span,
                Diagnostics& diagnostics) {
  const Names known = key_names(owner);
  for (const YamlEntry& entry : map.entries) {
    if (contains(known, entry.key.text)) continue;
    diagnostics.error(entry.key.span, "unknown key " + quoted(entry.key.text) + " in " + std::string(where),
                      hint_for(entry.key.text, known, "the keys allowed here are " + first_of(known)));
  }
  for (const std::string_view key : key_names(owner, true)) {
    if (!lacks(map, key, known)) continue;
    const std::string example(find_key(owner, key)->example);
    diagnostics.error(span, std::string(where) + " has no " + quoted(key),
                      example.empty() ? example : "write " + example);
  }
}

std::optional<std::int64_t> read_int_between(const YamlNode& node, std::string_view what, std::int64_t min,
                                             std::int64_t max, Diagnostics& diagnostics) {
  const std::optional<std::int64_t> value = read_int(node, what, diagnostics);
  if (!value || (*value >= min && *value <= max)) return value;
  return diagnostics.error(node.span, filled("$ must be between $ and $, not $", what, min, max, *value));
}

void read_text(const YamlNode& map, std::string_view key, std::string& into, Diagnostics& diagnostics) {
  const YamlNode* node = find_value(map, key);
  if (node == nullptr) return;
  auto text = read_string(*node, quoted(key), diagnostics);
  if (text && check_controls(*node, quoted(key), diagnostics)) into = std::move(*text);
}

bool check_sentence(const YamlNode& node, const std::string& demand, const std::string& hint,
                    Diagnostics& diagnostics) {
  const std::string key = demand.substr(0, demand.find(' '));
  if (!read_string(node, key, diagnostics)) return false;
  if (!node.text.empty() && !is_ambiguous_as_string(node)) return check_controls(node, key, diagnostics);
  return diagnostics.refuse(node.span, demand + ", not " + describe(node), hint);
}

bool check_name(const YamlNode& node, std::string_view of_what, Diagnostics& diagnostics) {
  if (is_identifier(node.text)) return true;
  return diagnostics.refuse(node.span, quoted(node.text) + " is not a valid name for " + std::string(of_what),
                            "use letters, digits and '_', and do not begin with a digit");
}

bool check_identifier(const std::string& name, const YamlNode& node, Diagnostics& diagnostics) {
  if (is_identifier(name)) return true;
  return diagnostics.refuse(node.span, quoted(name) + " is not a C++ identifier");
}

namespace {

bool belongs_in(Part part, const YamlEntry& entry) {
  const std::string& name = entry.key.text;
  if (name.empty()) return false;
  if (part == Part::types) return is_upper(name.front());
  if (part == Part::fields)
    return entry.value.kind != YamlNode::Kind::scalar || find_key(Part::field, name) == nullptr;
  return find_key(part, name) != nullptr;
}

Part part_under(Part part, const YamlEntry& entry) {
  if (part == Part::types) return Part::type;
  if (part == Part::fields) return Part::field;
  const Key* const key = find_key(part, entry.key.text);
  return key == nullptr ? Part::other : key->part;
}

bool is_missing_under(Part part, const YamlEntry& owner, const YamlEntry& entry) {
  if (!belongs_in(part_under(part, owner), entry)) return false;
  if (is_nothing(owner.value)) return true;
  return part == Part::types && owner.value.kind == YamlNode::Kind::map && !owner.value.entries.empty() &&
         owner.value.entries.front().key.span.line != owner.key.span.line &&
         owner.value.find(entry.key.text) == nullptr;
}

void report_beside(const YamlEntry& entry, const YamlEntry& owner, Diagnostics& diagnostics) {
  constexpr std::size_t kUsual = 2;
  const std::size_t column = owner.value.entries.empty() ? owner.key.span.column + kUsual
                                                         : owner.value.entries.front().key.span.column;
  const std::string name = quoted(owner.key.text);
  diagnostics.error(
      entry.key.span, quoted(entry.key.text) + " is indented like " + name + ", so it is not part of " + name,
      filled("indent everything in $ to column $", name, column), {{owner.key.span, name + " begins here"}});
}

bool report_in(const YamlNode& map, Part part, Diagnostics& diagnostics) {
  bool is_any = false;
  const YamlEntry* owner = nullptr;
  const YamlEntry* reported = nullptr;
  for (const YamlEntry& entry : map.entries) {
    if (owner != nullptr && !belongs_in(part, entry) && is_missing_under(part, *owner, entry)) {
      if (reported != owner) report_beside(entry, *owner, diagnostics);
      reported = owner;
      is_any = true;
      continue;
    }
    owner = &entry;
    is_any = report_in(entry.value, part_under(part, entry), diagnostics) || is_any;
  }
  return is_any;
}

}  // namespace

bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics) {
  return report_in(root, Part::schema, diagnostics);
}

}  // namespace generator
