// A part of a program, as a program.
#pragma once

#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the part of `program` that computes the values `outputs` from the values `inputs`, as a program
/// whose user inputs and outputs are these, in this order.
///
/// The part has the nodes that the outputs need, those that change what these need, and assertions about
/// values that it has. It keeps the parameters, buffers, constants and custom objects that it reads, the
/// mutations of them that it computes, and the ranges of its symbols. It drops guards, which are about the
/// inputs of the whole program, and module signatures. `operators` says which operators write to their
/// arguments; an unknown operator is assumed to.
///
/// If nodes write to tensors, each value is as it is once the last of `inputs`, or of `outputs`, has been
/// computed; if these are the program's outputs, as it is at the end. So if a program is cut into consecutive
/// parts, each with the outputs of the one before as its inputs, each write is in one part. If the size of an
/// input is an expression of symbols with unknown values, such as `(s16 - 1)//2 + 1`, it becomes a new
/// symbol.
///
/// Throws UsageError if
/// * a name is not a value of the top graph, an input is given twice, or there are no outputs;
/// * an output needs a program input that is not among `inputs`, or a node that also computes one of
/// `inputs`;
/// * torch cannot load an input or output of this kind: symbolic bools, floats as inputs, objects as outputs;
/// * the part needs what an input was before a node wrote to it;
/// * verify() finds an error in the part.
/// Throws DataError if a value is used before it is defined or is in no table, or a size of an input is not
/// an expression.
ExportedProgram extract(const ExportedProgram& program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const OperatorSet& operators = {});

}  // namespace pt2
