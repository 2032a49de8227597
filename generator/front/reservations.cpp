#include "front/reservations.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "front/key_values.h"
#include "schemagen/base/quote.h"

namespace generator {
namespace {

const std::vector<YamlNode>& reserved_items(const YamlNode& reserved, std::string_view key,
                                            Diagnostics& diagnostics) {
  static const std::vector<YamlNode> none;
  const YamlNode* node = find_value(reserved, key);
  if (node == nullptr) return none;
  check_kind(*node, YamlNode::Kind::sequence, "reserved " + schemagen::quoted(key), diagnostics);
  return node->items;
}

void report_reserved_twice(const YamlNode& node, const std::string& what, Span first,
                           Diagnostics& diagnostics) {
  diagnostics.error(node.span, what + " is reserved twice", "", {{first, "first reserved here"}});
}

void reserve_number(const YamlNode& node, bool is_enum, Reservations& reserved, Diagnostics& diagnostics) {
  const auto number = is_enum ? read_int_between(node, "a reserved number", kMinInt32, kMaxInt32, diagnostics)
                              : read_int_between(node, "a reserved id", 1, kMaxId, diagnostics);
  if (!number) return;
  const auto [first, added] = reserved.numbers.emplace(*number, node.span);
  if (!added)
    report_reserved_twice(node, (is_enum ? "number " : "id ") + node.text, first->second, diagnostics);
}

void reserve_name(const YamlNode& node, Reservations& reserved, Diagnostics& diagnostics) {
  const std::optional<std::string> name = read_string(node, "a reserved name", diagnostics);
  if (!name || !check_name(node, "a field or member", diagnostics)) return;
  const auto [first, added] = reserved.names.emplace(*name, node.span);
  if (!added) report_reserved_twice(node, "name " + schemagen::quoted(*name), first->second, diagnostics);
}

}  // namespace

Reservations read_reserved(const YamlNode& type, bool is_enum, Definition& definition,
                           Diagnostics& diagnostics) {
  Reservations reserved;
  const YamlEntry* entry = type.find("reserved");
  if (entry == nullptr) return reserved;
  definition.reserved.span = entry->key.span;
  if (!check_kind(entry->value, YamlNode::Kind::map, "'reserved'", diagnostics,
                  "write {ids: [30], names: [old_name]}")) {
    return reserved;
  }
  const std::string where = "'reserved' of " + schemagen::quoted(definition.name);
  check_keys(entry->value, Part::reserved, where, entry->key.span, diagnostics);
  for (const YamlNode& node : reserved_items(entry->value, "ids", diagnostics))
    reserve_number(node, is_enum, reserved, diagnostics);
  for (const YamlNode& node : reserved_items(entry->value, "names", diagnostics))
    reserve_name(node, reserved, diagnostics);
  for (const auto& [number, span] : reserved.numbers) {
    definition.reserved.ids.push_back(static_cast<std::int32_t>(number));
  }
  for (const auto& [name, span] : reserved.names) definition.reserved.names.push_back(name);
  return reserved;
}

void check_not_reserved(const YamlNode& name, const std::string& type_name, const Reservations& reserved,
                        Diagnostics& diagnostics) {
  const auto reservation = reserved.names.find(name.text);
  if (reservation == reserved.names.end()) return;
  diagnostics.error(
      name.span, "name " + schemagen::quoted(name.text) + " is reserved in " + schemagen::quoted(type_name),
      "choose a name that has never been used", {{reservation->second, "reserved here"}});
}

}  // namespace generator
