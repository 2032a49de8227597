#include "front/resolve_steps.h"

#include <algorithm>
#include <utility>

#include "front/keys.h"

namespace generator {
FreeNumbers::FreeNumbers(std::set<std::int64_t> taken, bool are_ids, std::int64_t max)
    : taken_(std::move(taken)), max_(max) {
  if (are_ids && std::all_of(taken_.begin(), taken_.end(), [](std::int64_t id) { return id % 10 == 0; }))
    step_ = 10;
}

std::int64_t FreeNumbers::next() {
  std::int64_t next = taken_.empty() ? step_ : (*taken_.rbegin() / step_ + 1) * step_;
  if (next > max_) {
    while (taken_.count(lowest_) > 0) ++lowest_;
    next = lowest_;
  }
  taken_.insert(next);
  return next;
}

void check_numbers(const std::string& type_name, const std::string& noun, std::int64_t min, std::int64_t max,
                   const std::vector<NumberUse>& uses, const Reservations& reserved,
                   Diagnostics& diagnostics) {
  const auto is_possible = [&](std::int64_t number) { return number >= min && number <= max; };
  std::set<std::int64_t> taken;
  for (const NumberUse& use : uses) {
    if (use.number && is_possible(*use.number)) taken.insert(*use.number);
  }
  for (const auto& [number, span] : reserved.numbers) taken.insert(number);
  FreeNumbers free_numbers(std::move(taken), noun == "id", max);
  std::map<std::int64_t, const NumberUse*> first_uses;
  for (const NumberUse& use : uses) {
    const auto report = [&](const std::string& problem, std::vector<Note> notes = {}) {
      const std::int64_t next = free_numbers.next();
      diagnostics.error(use.span, problem, next > max ? "" : filled("the next free $ is $", noun, next),
                        std::move(notes));
    };
    if (use.missing) report(quoted(type_name + "." + std::string(use.name)) + " has no 'id'");
    if (!use.number) continue;
    const std::string number = std::to_string(*use.number);
    if (!is_possible(*use.number)) {
      report(filled("'$' must be between $ and $, not $", noun, min, max, number));
      continue;
    }
    const std::string in_type = " in " + quoted(type_name);
    const NumberUse& first = *first_uses.emplace(*use.number, &use).first->second;
    // A duplicate key was already reported.
    if (first.name != use.name)
      report(noun + " " + number + " is used twice" + in_type,
             {{first.span, "first used by " + quoted(first.name) + " here"}});
    const auto reservation = reserved.numbers.find(*use.number);
    if (reservation != reserved.numbers.end())
      report(noun + " " + number + " is reserved" + in_type, {{reservation->second, "reserved here"}});
  }
}

namespace {

const std::vector<YamlNode>& reserved_items(const YamlNode& reserved, std::string_view key,
                                            Diagnostics& diagnostics) {
  static const std::vector<YamlNode> none;
  const YamlNode* node = find_value(reserved, key);
  if (node == nullptr) return none;
  check_kind(*node, YamlNode::Kind::sequence, "reserved " + quoted(key), diagnostics);
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
  if (!added) report_reserved_twice(node, "name " + quoted(*name), first->second, diagnostics);
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
  const std::string where = "'reserved' of " + quoted(definition.name);
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
  diagnostics.error(name.span, "name " + quoted(name.text) + " is reserved in " + quoted(type_name),
                    "choose a name that has never been used", {{reservation->second, "reserved here"}});
}

}  // namespace generator
