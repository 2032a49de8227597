// Renames the values and weights of a program.
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

/// Applies all changes at once, so two names can be swapped. An old name is one of
/// * a value of the top graph: an input, an output or any other;
/// * otherwise, a value of a subgraph, if only one subgraph has the name;
/// * otherwise, the model's name for a parameter, buffer, constant or custom object, such as `layer.weight`.
///
/// Changes the name in arguments, tables, the signature and the signatures of modules. Metadata and guards do
/// not change: they describe the model's source.
///
/// `weights` are the names of tensors in the program's archive. If modules share a tensor, the program knows
/// only one of its names; the archive knows them all.
///
/// Returns the names in the model that changed; an archive's tables of weights need the same changes. Throws
/// UsageError, and leaves the program unchanged, if an old name does not exist, is ambiguous or is given
/// twice, or a new name is taken or not a valid Python name.
std::vector<NameChange> rename(ExportedProgram& program, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});
/// Does the same for a loaded program: LoadedProgram::unknown_fields move along with the table entries that
/// contain them.
std::vector<NameChange> rename(LoadedProgram& loaded, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});

}  // namespace pt2
