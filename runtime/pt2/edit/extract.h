// Parts of programs as programs of their own.
// All functions may be called from several threads at once.
#pragma once

#include <string>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// The part of `program` that computes the values `outputs` from the values `inputs`, as a program of its
/// own: its user inputs and outputs are these, in this order. Nodes that the outputs do not need are left
/// out, but for those that change what they need, and assertions about values that are there. Parameters,
/// buffers, constants and custom objects that are read come along, as do mutations of them that the part
/// computes, and the ranges of the symbols that occur. Guards, which are about the inputs of the whole, and
/// the signatures of modules do not.
///
/// Errors: UsageError, if a name is not one of the top graph's values, an input is given twice, there are no
/// outputs, or an output needs an input of the program that is not among `inputs`, or a node that also gives
/// one of `inputs`. DataError, if a value is used before it is defined, or is in no table.
ExportedProgram extract(const ExportedProgram& program, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs);

}  // namespace pt2
