// Descriptions of parts of a program that do not depend on names.
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

/// Parts of a program that differ only in names have the same `text`. It does not distinguish symbols without
/// a number; `mentions` says where each occurs.
struct Description {
  /// With several such symbols. An owner is 0 for the described part, otherwise the number of a call, from 1,
  /// before the calls it owns.
  struct Call {
    std::string text;  // without the calls it owns
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

/// `u`, `zf` or `zuf` for torch's unbacked and float symbols; `s` for others.
std::string_view symbol_letters(std::string_view symbol);

}  // namespace pt2
