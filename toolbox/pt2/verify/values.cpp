#include "pt2/verify/check.h"

#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

struct Found {
  ValueName::Table table = ValueName::Table::tensors;
  std::uint32_t tables = 0;
};

void check_value(Check& check, const Check::Scope& scope, std::uint32_t value, const Found& found) {
  const ValueName::Table expected = scope.index.table(value);
  if (found.tables == 1 && found.table == expected) return;
  const std::string name = schemagen::quoted(scope.index.name(value));
  const std::string path = check.path_of_value(scope, value);
  if (found.tables == 0) {
    check.add(RuleId::value_missing, path,
              name + " is not in " + table_name(expected) + ", the table for its type");
  } else if (found.tables > 1) {
    check.add(RuleId::value_repeated, path, name + " is in several value tables");
  } else {
    check.add(RuleId::value_misplaced, path,
              name + " belongs in " + table_name(expected) + ", but is in " + table_name(found.table));
  }
}

/// Also reports entries that no graph defines.
std::vector<Found> look_into_tables(Check& check, const Check::Scope& scope) {
  const GraphIndex& index = scope.index;
  std::vector<Found> found(index.defined_count());
  std::uint32_t next = 0;  // saves most lookups: torch writes entries in definition order
  for_each_table(index.graph(), [&](const auto& map, ValueName::Table table) {
    for (const auto& entry : map) {
      const bool is_next =
          index.is_defined(next) && index.name(next) == entry.key() && !index.is_repeated(next);
      const std::uint32_t value = is_next ? next : index.find(entry.key());
      if (value != GraphIndex::kNone && index.is_defined(value)) {
        found[value] = {table, found[value].tables + 1};
        next = value + 1;
        continue;
      }
      if (table == ValueName::Table::custom_objects && value != GraphIndex::kNone) continue;
      check.add(RuleId::value_unused, check.path_of_entry(scope, table, entry.key()),
                "no input or node defines " + schemagen::quoted(entry.key()));
    }
  });
  return found;
}

}  // namespace

void check_values(Check& check) {
  for (const Check::Scope& scope : check.index().scopes()) {
    const std::vector<Found> found = look_into_tables(check, scope);
    for (std::uint32_t value = 0; value < found.size(); ++value) {
      if (!scope.index.is_repeated(value)) check_value(check, scope, value, found[value]);
    }
  }
}

}  // namespace pt2
