// What a part of a program says, apart from names.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/canonical/refinement.h"
#include "pt2/text/symbolic_text.h"
#include "pt2/types.h"

namespace pt2 {

/// `text` is the same for parts of a program that differ only in names. Symbols without a number are all
/// alike in it; which of them are the same, and where they stand, is in `mentions`.
struct Description {
  /// A call in an expression of several such symbols. Owners here and below: 0 is what is described, else
  /// the number of a call, from 1; they come before what they own.
  struct Call {
    std::string text;  // without what it owns
    std::size_t owner = 0;
    std::string role;  // for its owner
  };
  struct Mention {
    std::string symbol;
    std::size_t owner = 0;
    std::string role;
  };

  std::string text;
  std::vector<Call> calls;
  std::vector<Mention> mentions;
};

/// The description of a graph, which may consist of a single node or table entry.
Description description_of(Graph graph, const SymbolicText::NumberOf& number_of);

/// The description of an expression.
Description description_of(const SymbolicText& expression, const SymbolicText::NumberOf& number_of);

/// The description of any text, of which the words that `is_symbol` takes are symbols.
Description description_of(std::string_view text, const SymbolicText::NumberOf& number_of,
                           const std::function<bool(std::string_view word)>& is_symbol);

/// Adds what `described`, a vertex of `graph`, owns. `vertex_of` gives the vertex of a symbol.
void add_parts(ColouredGraph& graph, ColouredGraph::Vertex described, const Description& description,
               const std::function<ColouredGraph::Vertex(const std::string& symbol)>& vertex_of);

/// `number` as a text; less for a lower one.
std::string ordered(std::size_t number);

/// The letters by which torch tells unbacked symbols and floats from sizes: `u`, `zf` or `zuf`; `s` for all
/// others.
std::string_view symbol_letters(std::string_view symbol);

}  // namespace pt2
