// Replaces classes in input and output trees with plain containers.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// A container whose class was replaced.
struct PlainContainer {
  std::string module;      // path of the module whose inputs or outputs contain it; empty for the model
  bool is_input = false;   // false for an output
  std::string place;       // the new location in Python, e.g. `args[0]['x']`, `kwargs['mask']` or `result[1]`
  std::string class_name;  // the registered class that was replaced
  std::string type;        // the new type: `dict`, `tuple` or `list`
  /// The names that the class gives its items, as JSON. If the container is now a dict, these are its keys.
  /// Empty if the names are unknown.
  std::vector<schemagen::Json> names;
};

struct PlainTrees {
  /// The replaced containers, grouped by module, with inputs before outputs and outer containers before inner
  /// ones.
  std::vector<PlainContainer> containers;
  /// The entries of guards_code that were dropped because they use an item that is not in any tree.
  std::vector<std::string> guards;

  /// Returns whether callers must now pass different containers, or will receive different ones.
  bool changes_call() const noexcept;
};

/// Replaces the classes in the input and output trees of the model and its modules, so that torch can load
/// the program without these classes. A class that names its items (a dataclass, model output or cache)
/// becomes a dict of the items in the same order. Any other class, including a namedtuple, becomes a tuple. A
/// field that was None has no item, so the dict does not contain it. The values keep their order, but any
/// other data that a class stored in the tree is lost. Tuples, lists, dicts, OrderedDicts, defaultdicts and
/// deques do not change unless a key or a defaultdict's default factory uses such a class. A dict with a key
/// that is a tuple, which torch cannot read back, becomes a tuple. Guards are rewritten to use the new
/// locations of the items.
///
/// An archive's sample inputs still use the classes. If changes_call() returns true, drop the sample inputs,
/// for example with slim_archive(). Throws DataError, and leaves the program unchanged, if a tree is
/// malformed.
PlainTrees make_trees_plain(ExportedProgram& program);

}  // namespace pt2
