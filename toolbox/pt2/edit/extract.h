// A part of a program, as a program.
#pragma once

#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// The part of `program` that computes the values `outputs` from the values `inputs`, as a program of its
/// own: its user inputs and outputs are these, in this order. Nodes that the outputs do not need are left
/// out, but for those that change what they need, and assertions about values that are there. Parameters,
/// buffers, constants and custom objects that are read come along, as do mutations of them that the part
/// computes, and the ranges of the symbols that occur. Guards, which are about the inputs of the whole, and
/// the signatures of modules do not. `operators` says which nodes write to what they are given; those that it
/// does not know may.
///
/// Where nodes write to tensors, values hold what they do when the last of `inputs`, or of `outputs`, has
/// been computed; if these are all that the program gives, what they do at its end. So of parts that follow
/// one another, whose inputs are the outputs of the one before, one has each write. A size of an input that
/// is an expression, of whose symbols nothing tells the values, `(s16 - 1)//2 + 1`, becomes a new symbol.
///
/// Errors: UsageError, if a name is not one of the top graph's values, an input is given twice, there are no
/// outputs, an output needs an input of the program that is not among `inputs`, or a node that also gives one
/// of `inputs`; if an input or output is what torch cannot load as such (symbolic bools and, as inputs,
/// floats; objects as outputs); if the part needs what an input held before a node wrote to it; if verify()
/// finds an error in the part. DataError, if a value is used before it is defined, or is in no table, or a
/// size of an input is no expression.
ExportedProgram extract(const ExportedProgram& program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs, const OperatorSet& operators = {});

}  // namespace pt2
