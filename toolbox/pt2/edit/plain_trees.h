// Inputs and outputs in plain containers instead of classes.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// A container of a class in the trees of inputs or outputs, and what it is now.
struct PlainContainer {
  std::string module;      // whose inputs or outputs; empty: the model's
  bool is_input = false;   // among the inputs, not the outputs
  std::string place;       // as Python finds it now: `args[0]['x']`, `kwargs['mask']`, `result[1]`
  std::string class_name;  // with which it was registered
  std::string type;        // now: `dict`, `tuple` or `list`
  /// What the class called its items, each as JSON: of a dict, its keys. Empty also where that is not known.
  std::vector<schemagen::Json> names;
};

struct PlainTrees {
  /// By module, the inputs first, containers before those in them.
  std::vector<PlainContainer> containers;
  /// Of guards_code, those that are gone, as they ask for an item whose name no tree knows.
  std::vector<std::string> guards;

  /// Whether the model is called with other containers than before.
  bool changes_call() const noexcept;
};

/// Has the trees of inputs and outputs, of the model and its modules, without classes, so that torch needs to
/// know none: what has names for its items (dataclasses, model outputs, caches) becomes a dict of them in
/// their order, a namedtuple and all else a tuple. Fields that were None, which have no items, are not in the
/// dict. The values stay, and their order; what else a class has in its context is gone. Tuples, lists,
/// dicts, OrderedDicts, defaultdicts and deques stay, unless their keys or defaults need a class. Guards ask
/// for the same items by their new places.
///
/// Sample inputs, which an archive holds beside the program, still are of the classes: if changes_call(),
/// leave them out, as slim_archive() does. Errors: DataError, and the program is
/// as it was, if a tree is malformed.
PlainTrees make_trees_plain(ExportedProgram& program);

}  // namespace pt2
