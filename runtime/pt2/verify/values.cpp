// Value tables: each value is in the table of its kind, and nothing else is.
#include "pt2/graph/walk.h"
#include "pt2/verify/check.h"

namespace pt2 {
namespace {

/// The table that has `name`, and how many do.
struct Found {
  ValueName::Table table = ValueName::Table::tensors;
  std::size_t tables = 0;
};

Found find_in_tables(const Graph& graph, std::string_view name) {
  Found found;
  for_each_table(graph, [&](const auto& map, ValueName::Table table) {
    if (!map.contains(name)) return;
    found.table = table;
    ++found.tables;
  });
  return found;
}

void check_value(Check& check, const Check::Scope& scope, std::uint32_t value) {
  const std::string_view name = scope.index.name(value);
  const ValueName::Table expected = scope.index.table(value);
  const Found found = find_in_tables(scope.index.graph(), name);
  if (found.tables == 0) {
    check.add("VALUE_MISSING", check.path_of_value(scope, value),
              quoted(name) + " is not in " + table_name(expected) + ", which says what it is");
  } else if (found.tables > 1) {
    check.add("VALUE_REPEATED", check.path_of_value(scope, value),
              quoted(name) + " is in several value tables");
  } else if (found.table != expected) {
    check.add(
        "VALUE_MISPLACED", check.path_of_value(scope, value),
        quoted(name) + " belongs into " + table_name(expected) + ", but is in " + table_name(found.table));
  }
}

}  // namespace

void check_values(Check& check) {
  for (const Check::Scope& scope : check.index().scopes()) {
    const GraphIndex& index = scope.index;
    for (std::uint32_t value = 0; index.is_defined(value); ++value) {
      if (!index.is_repeated(value)) check_value(check, scope, value);
    }
    for_each_table(index.graph(), [&](const auto& map, ValueName::Table table) {
      for (const auto& entry : map) {
        const std::uint32_t value = index.find(entry.key());
        if (value != GraphIndex::kNone && index.is_defined(value)) continue;
        // An object that is used, but not defined, is a constant.
        if (table == ValueName::Table::custom_objects && value != GraphIndex::kNone) continue;
        check.add("VALUE_UNUSED", check.path_of_entry(scope, table, entry.key()),
                  "nothing defines " + quoted(entry.key()));
      }
    });
  }
}

}  // namespace pt2
