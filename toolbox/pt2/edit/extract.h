// Extracts part of a program as a separate program.
#pragma once

#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the part of `program` that computes the values `outputs` from the values `inputs`. The result is a
/// program whose user inputs and user outputs are these values, in this order.
///
/// The part contains the nodes that the outputs depend on, the nodes that write to memory that those nodes
/// read, and the assertions about the part's values. It keeps the parameters, buffers, constants and custom
/// objects that it reads, any mutations of these that it computes, and the ranges of its symbols. It drops
/// module signatures, and also guards because they are about the inputs of the whole program. `operators`
/// declares which operators write to their arguments; unknown operators are assumed to do so.
///
/// If nodes write to tensors, the part's inputs have the contents that they have in the program once all of
/// `inputs` have been computed. The part's outputs have the contents that they have in the program once all
/// of `outputs` have been computed, or their final contents if `outputs` are the program's outputs. If you
/// cut a program into consecutive parts, each of which takes the previous part's outputs as its inputs, each
/// write therefore happens in exactly one part.
///
/// If the size of an input is an expression of symbols whose values are unknown, such as `(s16 - 1)//2 + 1`,
/// the expression is replaced by a new symbol. If the part needs a symbolic size of a program input that is
/// not among `inputs`, it takes the size from an input that has the same size.
///
/// Throws UsageError if
/// * a name is not a value of the top-level graph, an input is given twice, or there are no outputs;
/// * an output needs a program input that is not among `inputs`, or a node that also computes one of
///   `inputs`;
/// * an input or output is of a kind that torch cannot load, i.e. a symbolic bool, a symbolic float as an
///   input, or an object as an output;
/// * the part needs the contents that an input had before a node wrote to it;
/// * verify() finds an error in the part.
///
/// Throws DataError if a value is used before it is defined or is missing from the tables, or if an input has
/// a size that is not a valid expression.
ExportedProgram extract(const ExportedProgram& program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const OperatorSet& operators = {});

}  // namespace pt2
