// Joins two programs into one that runs the second on the outputs of the first.
#pragma once

#include <string>
#include <vector>

#include "pt2/edit/rename.h"
#include "pt2/types.h"

namespace pt2 {

/// An output of the first program that becomes an input of the second.
struct Connection {
  std::string output;
  std::string input;
};

struct JoinedProgram {
  ExportedProgram program;
  /// Parameters, buffers, constants and objects of the second program that were renamed because the first one
  /// uses the same names. Use this list to name the second program's tensors in an archive.
  std::vector<NameChange> renamed;
};

/// Returns connections of the outputs of `first` to the inputs of `second`, in order, until either runs out.
std::vector<Connection> connections_in_order(const ExportedProgram& first, const ExportedProgram& second);

/// Returns a program that runs `first` and then `second`. Its user inputs are the first program's
/// inputs, followed by the second program's unconnected inputs. Its user outputs are the first program's
/// unconnected outputs, followed by the second program's outputs. The result has the parameters, buffers and
/// mutations of both programs; those with equal names are not merged. Values and symbols of the second are
/// renamed if they clash, but symbols for connected sizes become the first program's sizes, with the
/// intersection of both ranges. A mutation of an input is dropped if the input is connected to a value that
/// is not an input.
///
/// If both programs have trees of arguments or results, these become flat tuples; otherwise the tree is kept.
/// Guards of the first program are kept if its arguments are all the arguments of the result; guards of the
/// second, and the signatures of its modules, are dropped.
///
/// Throws UsageError if a connection names no user output of the first or no user input of the second, or
/// names an input twice; if connected values differ in kind, dtype, rank or device, or their sizes cannot be
/// equal; if the opsets differ; if a program has tokens, a loss or gradients. Throws the DataErrors of
/// parse_expression().
JoinedProgram join(const ExportedProgram& first, const ExportedProgram& second,
                   const std::vector<Connection>& connections);

}  // namespace pt2
