// Inputs and outputs in plain containers instead of classes.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// A container whose class was replaced.
struct PlainContainer {
  std::string module;      // whose inputs or outputs; empty: the model's
  bool is_input = false;   // false: an output
  std::string place;       // the new place in Python: `args[0]['x']`, `kwargs['mask']`, `result[1]`
  std::string class_name;  // the registered class that it was
  std::string type;        // what it is now: `dict`, `tuple` or `list`
  /// The class's names of its items, as JSON; a dict has them as keys. Empty if unknown.
  std::vector<schemagen::Json> names;
};

struct PlainTrees {
  /// By module, inputs first, outer containers before inner ones.
  std::vector<PlainContainer> containers;
  /// The dropped entries of guards_code, which use an item that no tree names.
  std::vector<std::string> guards;

  /// Whether callers must pass, or get, other containers than before.
  bool changes_call() const noexcept;
};

/// Replaces the classes in the trees of inputs and outputs, of the model and its modules, so that torch can
/// load the program without them. A class that names its items (dataclasses, model outputs, caches) becomes a
/// dict of them, in order; a namedtuple and any other class becomes a tuple. Fields that were None have no
/// items, so the dict does not have them. Values and their order stay; any other context of a class is lost.
/// Tuples, lists, dicts, OrderedDicts, defaultdicts and deques stay, unless their keys or defaults need a
/// class. Guards use the new places of the items.
///
/// An archive's sample inputs still have the classes: if changes_call(), drop them, as slim_archive() does.
/// Throws DataError, and leaves the program unchanged, if a tree is malformed.
PlainTrees make_trees_plain(ExportedProgram& program);

}  // namespace pt2
