// Describes parts of a program without depending on names.
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

/// A description of part of a program. Parts that differ only in names have the same `text`. The text does
/// not distinguish symbols without a number; `mentions` tells where each of them occurs.
struct Description {
  /// A call with several such symbols. An owner is 0 for the described part, and otherwise the number of a
  /// call, counting from 1, which precedes the calls that it owns.
  struct Call {
    std::string text;  // the text without the calls that this call owns
    std::size_t owner = 0;
    std::string role;
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

Description description_of(Graph graph, const SymbolicText::NumberOf& number_of);

Description description_of(const SymbolicText& expression, const SymbolicText::NumberOf& number_of);

Description description_of(std::string_view text, const SymbolicText::NumberOf& number_of,
                           const std::function<bool(std::string_view word)>& is_symbol);

/// `described` is a vertex of `graph`. `vertex_of` returns the vertex of a symbol.
void add_parts(ColouredGraph& graph, ColouredGraph::Vertex described, const Description& description,
               const std::function<ColouredGraph::Vertex(const std::string& symbol)>& vertex_of);

std::string ordered(std::size_t number);

/// `s0`, `u12`, `zf3`. Other names are Python's.
bool looks_like_symbol(std::string_view name);

/// Returns `u`, `zf` or `zuf` for torch's unbacked and float symbols, and `s` for others.
std::string_view symbol_letters(std::string_view symbol);

}  // namespace pt2
