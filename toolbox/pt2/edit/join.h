// Two programs as one, the second on the outputs of the first.
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
  /// Parameters, buffers, constants and objects of the second program that were renamed because the first has
  /// the same names. Use it to name the second program's tensors in an archive.
  std::vector<NameChange> renamed;
};

/// Connects the outputs of `first` to the inputs of `second` in order, as many as both have.
std::vector<Connection> connections_in_order(const ExportedProgram& first, const ExportedProgram& second);

/// Returns a program that runs `first` and then `second`. Its user inputs are the first program's, then the
/// unconnected ones of the second; its user outputs are the unconnected ones of the first, then the second's.
/// It has the parameters, buffers and mutations of both; equal names are not merged. Values and symbols of
/// the second are renamed if they clash, but symbols of connected sizes become the first program's sizes,
/// with the ranges of both. A mutation of an input is dropped if the input is connected to a value that is
/// not an input.
///
/// If both programs have trees of arguments or results, these become flat tuples; otherwise the tree stays.
/// Guards of the first stay if its arguments are all arguments of the result; guards of the second, and the
/// signatures of its modules, are dropped.
///
/// Throws UsageError if a connection names no user output of the first or no user input of the second, or
/// names an input twice; if connected values differ in kind, dtype, rank or device, or their sizes cannot be
/// equal; if the opsets differ; if a program has tokens, a loss or gradients. Throws DataError of
/// parse_expression().
JoinedProgram join(const ExportedProgram& first, const ExportedProgram& second,
                   const std::vector<Connection>& connections);

}  // namespace pt2
