// New names for the values and weights of a program.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

struct LoadedProgram;

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
/// `weights`: the names that the program's archive has for tensors. Of a tensor that modules share, programs
/// know one name; the others are names in the model, too, that only the archive has.
///
/// Returns the changes that were of names in the model: an archive's tables of weights need them, too.
/// Errors: UsageError, and the program is as it was, if a name is not there, several subgraphs have it, or it
/// is given twice; a new name is taken, or is not one that Python could have.
std::vector<NameChange> rename(ExportedProgram& program, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});
/// The same of a program that was read: LoadedProgram::kept moves with the entries of tables that it is in.
std::vector<NameChange> rename(LoadedProgram& loaded, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});

}  // namespace pt2
