// Expressions in value tables, and what they say of symbols apart from names.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pt2/text/symbolic_text.h"
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

/// The expressions of the graph's values in the order of these, then those of its subgraphs. Values must be
/// named
/// `_0`, `_1`, ... (see value_renaming.h).
std::vector<std::string*> expressions_in_order(Graph& graph);

/// The letters by which torch tells unbacked symbols and floats from sizes: `u`, `zf` or `zuf`; `s` for all
/// others.
std::string_view symbol_letters(std::string_view symbol);

/// `expression` with `symbol` as `x`, symbols that have a number as that, all others alike: the same for
/// expressions that differ in nothing but names, and the order in which commutative functions have what they
/// are of.
std::string role_in(SymbolicText expression, std::string_view symbol,
                    const SymbolicText::NumberOf& number_of);

/// The symbols of `expression` that have no number, each once.
std::vector<std::string> unknown_symbols(const SymbolicText& expression,
                                         const SymbolicText::NumberOf& number_of);

}  // namespace pt2
