// Replaces classes in the trees of inputs and outputs with plain containers.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// A container whose class was replaced.
struct PlainContainer {
  std::string module;      // module whose inputs or outputs contain it; empty for the model
  bool is_input = false;   // false for an output
  std::string place;       // the new place in Python: `args[0]['x']`, `kwargs['mask']`, `result[1]`
  std::string class_name;  // the registered class that was replaced
  std::string type;        // the new type: `dict`, `tuple` or `list`
  /// The names that the class gives its items, as JSON; the keys, if it is now a dict. Empty if unknown.
  std::vector<schemagen::Json> names;
};

struct PlainTrees {
  /// By module; inputs first, outer containers before inner ones.
  std::vector<PlainContainer> containers;
  /// The dropped entries of guards_code, which use an item that no tree names.
  std::vector<std::string> guards;

  /// Returns whether callers must now pass, or will receive, different containers than before.
  bool changes_call() const noexcept;
};

/// Replaces the classes in the trees of inputs and outputs, of the model and its modules, so that torch can
/// load the program without them. A class that names its items (dataclasses, model outputs, caches) becomes a
/// dict of them, in order; a namedtuple and any other class becomes a tuple. Fields that were None have no
/// items, so they are not in the dict. Values keep their order; any other context of a class is lost. Tuples,
/// lists, dicts, OrderedDicts, defaultdicts and deques stay unchanged, unless their keys or defaults need a
/// class. Guards refer to the new places of the items.
///
/// An archive's sample inputs still use the classes. If changes_call() is true, drop them, as slim_archive()
/// does. Throws DataError, and leaves the program unchanged, if a tree is malformed.
PlainTrees make_trees_plain(ExportedProgram& program);

}  // namespace pt2
