// Joins two programs into one that runs the second program on the first program's outputs.
#pragma once

#include "pt2/edit/rename.h"

namespace pt2 {

/// An output of the first program that becomes an input of the second.
struct Connection {
  std::string output;
  std::string input;
};

struct JoinedProgram {
  ExportedProgram program;
  /// Parameters, buffers, constants and objects of the second program that were renamed because the first
  /// program uses the same names. Apply these changes to the names of the second program's tensors when you
  /// write an archive.
  std::vector<NameChange> renamed;
};

/// Returns connections from the user outputs of `first` to the user inputs of `second`, pairing them in order
/// until one program has none left.
std::vector<Connection> connections_in_order(const ExportedProgram& first, const ExportedProgram& second);

/// Returns a program that runs `first` and then `second`. Its user inputs are the first program's inputs,
/// followed by the second program's unconnected inputs. Its user outputs are the first program's unconnected
/// outputs, followed by the second program's outputs. The new program has the parameters, buffers and
/// mutations of both programs; those with equal names are not merged. The second program's values and symbols
/// are renamed if their names clash with the first program's. A symbol that is a size of a connected input is
/// not renamed, but replaced by the size of the connected output. If that size is also a symbol, its range
/// becomes the intersection of both ranges. If an input that the second program mutates is connected to a
/// value that is not an input of the first program, the mutation is dropped.
///
/// If both programs have trees of arguments and results, so does the new program. If the second program has
/// unconnected inputs, the new program takes a flat tuple of arguments and has no guards; otherwise, it has
/// the first program's argument tree and guards. If the first program has unconnected outputs, the new
/// program returns a flat tuple; otherwise, it has the second program's result tree. The second program's
/// guards and its modules' signatures are always dropped.
///
/// Throws UsageError if
/// * a connection's output is not a user output of the first program, or its input is not a user input of the
///   second program;
/// * an input is connected twice;
/// * connected values differ in kind, dtype, rank or device, or their sizes cannot be equal;
/// * the programs have different versions of an operator set;
/// * a program has tokens, a loss or gradients.
///
/// Throws DataError if a size is not a valid expression.
JoinedProgram join(const ExportedProgram& first, const ExportedProgram& second,
                   const std::vector<Connection>& connections);

}  // namespace pt2
