// The table of names and arguments that torch evaluates, which the rules about code come from.
#pragma once

#include <array>
#include <string_view>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// When the source of a function reads a name.
enum class NameIsRead {
  always,
  for_device,          // device(type='cpu')
  for_special_number,  // a number that is not finite
  for_complex,         // complex(1.0, 2.0), since torch 2.14
  for_quoted_part,     // getattr(self, "0"): a part of a weight's name that is not an identifier
  for_constant,        // the text that Python prints for an object that is not lifted
};

/// The names that torch's source reads for a graph. If a value, a parameter or a keyword has such a name, the
/// source reads it instead of what it means, and may call it or read its attributes.
class ReadNames {
 public:
  /// Those that every function reads.
  ReadNames() = default;
  /// Also those for the graph's literals and functions; not those for its subgraphs.
  explicit ReadNames(const Graph& graph);

  void set(NameIsRead when, bool is_read) { is_read_[static_cast<std::size_t>(when)] = is_read; }
  bool contains(std::string_view name) const;

 private:
  void add(const Argument& argument);

  std::array<bool, 6> is_read_ = {true};
  schemagen::Set functions_;
};

/// The way in which a higher-order operator uses an argument, and so what the argument may be. It may not be
/// a value, whose content only a run shows. None is always allowed.
enum class ArgumentUse {
  nothing,            // what it does with its arguments is known, and runs no code
  called,             // a graph or an operator
  called_with_rest,   // the same; called with the arguments after it
  called_or_numbers,  // a graph or an operator, or numbers, which are not called
  called_by_name,     // text that names a module of another runtime, which Python cannot call
  reached,            // nothing: torch calls an attribute of it or what it returns
  formatted,          // text whose fields are plain: str.format() can read attributes
  looked_up,          // text or a number
  compiled,           // nothing: the source code of a kernel
};

struct EvaluatedArgument {
  const Argument* argument = nullptr;
  ArgumentUse use = ArgumentUse::nothing;
};

/// Returns the first argument of `node` that torch would evaluate and that is not what its use allows, or
/// null. Includes arguments that a called operator evaluates.
EvaluatedArgument find_evaluated_argument(const Node& node);

}  // namespace pt2
