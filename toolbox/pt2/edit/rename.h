// Renames a program's values and weights.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

struct LoadedProgram;

struct NameChange {
  std::string old_name;
  std::string new_name;
};

/// Applies all changes at once, so you can swap two names. An old name refers to
/// * a value of the top-level graph, including inputs and outputs;
/// * otherwise, a value of a subgraph, if only one subgraph uses the name;
/// * otherwise, a parameter, buffer, constant or custom object by its name in the model, such as
///   `layer.weight`.
///
/// Changes names in arguments, tables, the signature and the signatures of modules. Does not change metadata
/// or guards, which describe the model's source.
///
/// `weights` are the names of the tensors in the program's archive. If modules share a tensor, the program
/// contains only one of its names, but the archive contains all of them.
///
/// Returns the changes to parameters, buffers, constants and custom objects; an archive's tables of weights
/// need the same changes. Throws UsageError, and leaves the program unchanged, if an old name does not exist,
/// is ambiguous or is given twice, or if a new name is taken or is not a valid name in Python.
std::vector<NameChange> rename(ExportedProgram& program, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});
/// Does the same for a loaded program. Fields in LoadedProgram::unknown_fields that belong to an entry of a
/// table stay with that entry.
std::vector<NameChange> rename(LoadedProgram& loaded, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});

}  // namespace pt2
