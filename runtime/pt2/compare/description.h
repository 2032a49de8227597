// What a part of a program says, apart from names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/text/symbolic_text.h"
#include "pt2/types.h"

namespace pt2 {

/// A symbol without a number, and the role that an expression gives it.
struct SymbolMention {
  std::string symbol;
  std::string role;
};

/// `text` is the same for parts that differ only in names. Symbols without a number are all alike in it; what
/// tells them apart is in `mentions`.
struct Description {
  std::string text;
  std::vector<SymbolMention> mentions;
};

/// The description of a graph, which may consist of a single node or table entry.
Description description_of(Graph graph, const SymbolicText::NumberOf& number_of);

/// The description of an expression.
Description description_of(const SymbolicText& expression, const SymbolicText::NumberOf& number_of);

/// The letters by which torch tells unbacked symbols and floats from sizes: `u`, `zf` or `zuf`; `s` for all
/// others.
std::string_view symbol_letters(std::string_view symbol);

}  // namespace pt2
