// Extracts a part of a program as a separate program.
#pragma once

#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the part of `program` that computes the values `outputs` from the values `inputs`, as a program
/// that has them as its user inputs and outputs, in this order.
///
/// The part has the nodes that the outputs need, nodes that write to what these need, and assertions about
/// its values. It keeps the parameters, buffers, constants and custom objects that it reads, the mutations of
/// them that it computes, and the ranges of its symbols. It drops module signatures, and guards, which are
/// about the inputs of the whole program. `operators` says which operators write to their arguments; unknown
/// operators are assumed to.
///
/// If nodes write to tensors, an input or output has the content that it has when the last of `inputs` or
/// `outputs`, respectively, has been computed; for the program's outputs, the content at the end. So if you
/// cut a program into consecutive parts, each with the previous part's outputs as its inputs, each write
/// happens in exactly one part. If the size of an input is an expression of symbols with unknown values, such
/// as `(s16 - 1)//2 + 1`, it becomes a new symbol. A symbolic size of a program input that is not among
/// `inputs` is taken from an input that has the same size.
///
/// Throws UsageError if
/// * a name is not a value of the top graph, an input is given twice, or there are no outputs;
/// * an output needs a program input that is not among `inputs`, or a node that also computes one of
///   `inputs`;
/// * torch cannot load an input or output of this kind: symbolic bools, floats as inputs, objects as outputs;
/// * the part needs the content of an input from before a node wrote to it;
/// * verify() finds an error in the part.
///
/// Throws DataError if a value is used before it is defined or is in no table, or if the size of an input is
/// not an expression.
ExportedProgram extract(const ExportedProgram& program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const OperatorSet& operators = {});

}  // namespace pt2
