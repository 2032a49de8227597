// The inputs and outputs of a program. All functions may be called from several threads at once, on different
// programs.
//
// What is changed: the graph, its signature, and the trees of arguments and results in the first entry of
// module_call_graph, if there is one. Sample inputs, which an archive holds beside the program, are not:
// torch makes no module of a program with sample inputs that it cannot be called with.
#pragma once

#include <string>
#include <string_view>

#include "pt2/types.h"

namespace pt2 {

/// Adds an input that the caller gives by position, after those there are. A symbol in its sizes that the
/// program does not have yet needs its own entry in range_constraints. Errors: UsageError, and the program is
/// as it was: the name is taken, or is not one that Python could have.
void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta);

/// Takes away an input: the user's, a parameter, buffer, constant or object. Errors: UsageError, and the
/// program is as it was: there is no such input; it is used (the message says by what), or an output is a
/// mutation of what it stands for; or the tree of arguments has it in a container whose items have fixed
/// places.
void remove_input(ExportedProgram& program, std::string_view name);

/// Adds what the graph calls `value` to what the caller gets, at the end: a program that gave one thing gives
/// a tuple then. Errors: UsageError, and the program is as it was, if there is no such value.
void add_output(ExportedProgram& program, const std::string& value);

/// Takes away the outputs that give `value`: the user's, mutations, losses. The value stays. Errors:
/// UsageError, and the program is as it was: none is of that value, or the tree of results has it in a
/// container whose items have fixed places.
void remove_output(ExportedProgram& program, std::string_view value);

}  // namespace pt2
