// Two programs as one, the second on the outputs of the first.
#pragma once

#include <string>
#include <vector>

#include "pt2/edit/rename.h"
#include "pt2/types.h"

namespace pt2 {

/// What the second program gets from the first: an output of one, by its name, is an input of the other.
struct Connection {
  std::string output;
  std::string input;
};

struct JoinedProgram {
  ExportedProgram program;
  /// Parameters, buffers, constants and objects of the second program that have other names now, as the first
  /// one has some of those names. Whoever writes an archive needs them for the second program's tensors.
  std::vector<NameChange> renamed;
};

/// `first`, and then `second` on what it gives: its user inputs are those of the first, then those of the
/// second that are not connected, its user outputs those of the first that are not connected, then those of
/// the second. Parameters, buffers and mutations are those of both; that two have one name does not make them
/// one. Values of the second get other names where the first has theirs, and so do symbols, but those that
/// stand for sizes which are connected become what the first has there, with what both know of their ranges.
/// A mutation of an input that is connected to what is no input is gone.
///
/// The trees of arguments and results stay where only one of the programs has some, and are flat tuples
/// otherwise; guards of the first stay where its arguments are those of the whole, those of the second do
/// not. Signatures of the second's modules do not come along.
///
/// Errors: UsageError: a connection names no user's output of the first or no user's input of the second, or
/// an input twice; what is connected is of another kind, dtype, rank or device, or has sizes that cannot be
/// those that are taken; opsets differ; a program has tokens, a loss or gradients. DataError of
/// parse_expression().
JoinedProgram join(const ExportedProgram& first, const ExportedProgram& second,
                   const std::vector<Connection>& connections);

}  // namespace pt2
