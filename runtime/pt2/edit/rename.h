// New names for the values, parameters and buffers of a program.
// All functions may be called from several threads at once, on different programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// Whether Python could have a value of this name. Letters beyond ASCII are taken for such.
bool is_name(std::string_view text);

/// A name, and what takes its place.
struct NameChange {
  std::string old_name;
  std::string new_name;
};

/// Gives new names, all at once, so that two may be swapped. An old name is that of a value: an input, an
/// output or any other of the graph, or if the top graph has none of that name, of the one subgraph that has
/// it; or else what the model calls a parameter, buffer, constant or custom object, such as `layer.weight`.
/// Each is changed wherever the program names it: in arguments, tables, the signature and the signatures of
/// modules. What metadata and guards say stays, as it is about the model's source.
///
/// Returns the changes that were of names in the model: an archive's tables of weights need them, too.
/// Errors: UsageError, and the program is as it was, if a name is not there, several subgraphs have it, or it
/// is given twice; a new name is taken, or is not one that Python could have.
std::vector<NameChange> rename(ExportedProgram& program, const std::vector<NameChange>& changes);

}  // namespace pt2
