#include "front/reservations.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "front/key_values.h"
#include "front/yaml.h"
#include "schemagen/base/quote.h"

namespace generator {
namespace {

class NumberCheck {
 public:
  NumberCheck(std::string type_name, std::string noun, std::int64_t min, std::int64_t max,
              Diagnostics& diagnostics)
      : type_name_(std::move(type_name)),
        noun_(std::move(noun)),
        min_(min),
        max_(max),
        diagnostics_(diagnostics) {}

  void run(const std::vector<NumberUse>& uses, const Reservations& reserved) {
    for (const NumberUse& use : uses) {
      if (use.number && is_possible(*use.number)) taken_.insert(*use.number);
    }
    for (const auto& [number, span] : reserved.numbers) taken_.insert(number);
    const bool tens = std::all_of(taken_.begin(), taken_.end(), [](std::int64_t id) { return id % 10 == 0; });
    step_ = noun_ == "id" && tens ? 10 : 1;
    std::map<std::int64_t, const NumberUse*> first_uses;
    for (const NumberUse& use : uses) {
      if (use.missing) report_missing(use);
      if (!use.number) continue;
      if (!is_possible(*use.number)) {
        report_impossible(use);
        continue;
      }
      const auto [first, added] = first_uses.emplace(*use.number, &use);
      // A duplicate key was already reported.
      if (!added && first->second->name != use.name) report_twice(use, *first->second);
      const auto reservation = reserved.numbers.find(*use.number);
      if (reservation != reserved.numbers.end()) report_reserved(use, reservation->second);
    }
  }

 private:
  bool is_possible(std::int64_t number) const { return number >= min_ && number <= max_; }

  void report_impossible(const NumberUse& use) {
    diagnostics_.error(use.span,
                       schemagen::quoted(noun_) + " must be between " + std::to_string(min_) + " and " +
                           std::to_string(max_) + ", not " + std::to_string(*use.number),
                       next_free());
  }

  void report_missing(const NumberUse& use) {
    diagnostics_.error(use.span, schemagen::quoted(type_name_ + "." + std::string(use.name)) + " has no 'id'",
                       next_free());
  }

  void report_twice(const NumberUse& use, const NumberUse& first) {
    diagnostics_.error(use.span, title(use) + " is used twice in " + schemagen::quoted(type_name_),
                       next_free(),
                       {{first.span, "first used by " + schemagen::quoted(first.name) + " here"}});
  }

  void report_reserved(const NumberUse& use, Span place) {
    diagnostics_.error(use.span, title(use) + " is reserved in " + schemagen::quoted(type_name_), next_free(),
                       {{place, "reserved here"}});
  }

  std::string title(const NumberUse& use) const { return noun_ + " " + std::to_string(*use.number); }

  std::string next_free() {
    std::int64_t next = taken_.empty() ? step_ : (*taken_.rbegin() / step_ + 1) * step_;
    if (next > max_) {
      while (taken_.count(lowest_) > 0) ++lowest_;
      next = lowest_;
    }
    if (next > max_) return "";
    taken_.insert(next);
    return "the next free " + noun_ + " is " + std::to_string(next);
  }

  std::string type_name_;
  std::string noun_;
  std::int64_t min_;
  std::int64_t max_;
  Diagnostics& diagnostics_;
  std::set<std::int64_t> taken_;
  std::int64_t step_ = 1;
  std::int64_t lowest_ = 1;  // all below are taken
};

}  // namespace

void check_numbers(const std::string& type_name, const std::string& noun, std::int64_t min, std::int64_t max,
                   const std::vector<NumberUse>& uses, const Reservations& reserved,
                   Diagnostics& diagnostics) {
  NumberCheck(type_name, noun, min, max, diagnostics).run(uses, reserved);
}

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
