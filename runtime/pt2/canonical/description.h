// Describes parts of a program without depending on names.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "pt2/canonical/refinement.h"
#include "pt2/text/symbolic_text.h"
#include "pt2/types.h"

namespace pt2 {

/// Describes parts of a program in a graph. Parts that differ only in names have the same texts and edges. A
/// text does not distinguish symbols without a number: edges lead to them from the described vertex, or from
/// the calls in an expression, which become vertices if the expression has several such symbols.
struct Describer {
  using Vertex = ColouredGraph::Vertex;

  ColouredGraph& graph;
  SymbolicText::NumberOf number_of;
  std::function<Vertex(const std::string& symbol)> vertex_of;

  /// These functions return the text of a part whose vertex is `owner`. The labels of edges from `owner`
  /// begin with `role`.
  std::string text(const SymbolicText& expression, Vertex owner, const std::string& role = "") const;
  std::string text(Graph part, Vertex owner) const;
  std::string guard_text(std::string_view guard, Vertex owner) const;
};

std::string ordered(std::size_t number);

/// `s0`, `u12`, `zf3`. Other names are Python's.
bool looks_like_symbol(std::string_view name);

/// Returns `u`, `zf` or `zuf` for torch's unbacked and float symbols, and `s` for others.
std::string_view symbol_letters(std::string_view symbol);

}  // namespace pt2
