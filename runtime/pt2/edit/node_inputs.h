// The inputs of a node from what its operator is called with. All functions may be called from several
// threads at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pt2/edit/operand.h"
#include "pt2/graph/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// The operator that nodes call `target`; `torch.ops` and the dot before its name may be left out.
/// Errors: UsageError if it is not known.
const Operator& operator_called(std::string_view target, const OperatorSet& operators = {});

/// What a node of `op` that is called so has as its inputs, as torch's export writes it: arguments that are
/// not by keyword only come by position, in the order of the schema; the last of these that have their
/// default values are left out, and so is each by keyword that has it. The schema says which kind an argument
/// is: an int is a float where one is asked for, one item is a list of as many as `int[2]` says, a text is a
/// device, a list with a symbolic int is one of symbolic ints, one with a None one of optional tensors. A
/// higher-order operator's arguments, and items of its lists, are of the kind that they have by themselves.
///
/// Errors: UsageError, with the operator's schema, if an argument is missing, given twice, unknown, or not of
/// the type that the schema has for it. Source: serialize_input of torch/_export/serde/serialize.py.
std::vector<NamedArgument> node_inputs(const Operator& op, const std::vector<Operand>& positional,
                                       const std::vector<NamedOperand>& keywords = {});

/// Throws UsageError: `cannot call 'aten.relu.default': WHAT; its schema is aten::relu(Tensor self) ->
/// Tensor`.
[[noreturn]] void fail_call(const Operator& op, const std::string& what);

}  // namespace pt2
