// The expressions in the value tables of a program.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "pt2/compare/unused_entries.h"
#include "pt2/types.h"

namespace pt2 {

/// Calls `visit` with the text of each expression of an entry of a value table. `Entry` may be const.
template <class Entry, class Visit>
void for_each_expression(Entry& entry, const Visit& visit) {
  using T = std::remove_const_t<Entry>;
  if constexpr (std::is_same_v<T, TensorMeta>) {
    for (auto& size : entry.sizes) for_each_expression(size, visit);
    for (auto& stride : entry.strides) for_each_expression(stride, visit);
    for_each_expression(entry.storage_offset, visit);
  } else if constexpr (!std::is_same_v<T, CustomObjArgument>) {
    if (auto* const expression = entry.template get_if<T::as_expr>()) visit(expression->expr_str);
  }
}

/// What the tables of `graph` say of a name that nothing uses.
struct UnusedEntry {
  const Graph* graph = nullptr;
  std::string name;
  std::vector<std::string*> expressions;
};

struct Expressions {
  /// Of values, in the order of these; first those of the top graph, then those of its subgraphs.
  std::vector<std::string*> of_values;
  std::vector<UnusedEntry> unused;
};

/// The expressions of `graph` and its subgraphs, of which rename_values() has named the values.
Expressions expressions_of(Graph& graph, const UnusedEntries& unused);

}  // namespace pt2
