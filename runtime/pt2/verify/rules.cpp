#include "pt2/verify/rules.h"

#include <algorithm>

namespace pt2 {

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = {
      {"ARGUMENT_KIND", Level::error, "a keyword-only argument is given by position",
       "The operator's schema lists it after a '*'; calling the operator fails."},
      {"ARGUMENT_MISSING", Level::error, "a required argument is missing",
       "The operator's schema has no default for it; torch raises a KeyError."},
      {"ARGUMENT_REPEATED", Level::error, "an argument is given twice",
       "Arguments are passed by name: torch keeps the last one, other runtimes may keep the first. "
       "Remove one of the inputs."},
      {"ARGUMENT_TYPE", Level::error, "an argument does not have the type that the operator takes",
       "Calling the operator fails. A number may stand for a tensor or a float, and one number for a "
       "list of a known length, as torch allows."},
      {"ARGUMENT_UNKNOWN", Level::error, "an operator has no argument of this name",
       "torch drops it silently, and uses the default of the argument that may have been meant."},
      {"ARGUMENT_UNNAMED", Level::error, "an argument of an operator has no name",
       "torch looks arguments up by their names in the operator's schema; only inputs of higher-order "
       "operators and of Python functions go by position."},
      {"ENUM_UNKNOWN", Level::error, "unknown dtype, layout or memory format",
       "The numbers are those of the schema's enums ScalarType, Layout and MemoryFormat, not those of "
       "c10. torch refuses any other number, 0 included."},
      {"EXPRESSION_SYNTAX", Level::error, "a symbolic expression is malformed",
       "Sizes, strides and values that depend on inputs are sympy expressions, as srepr or as plain "
       "text. torch passes them to sympify(), which raises."},
      {"GUARD_SYNTAX", Level::warning, "a guard is malformed",
       "guards_code holds Python expressions over the inputs. torch compiles them when the program "
       "becomes a module, and fails there."},
      {"HINT_KIND", Level::error, "a hint is not of the kind of its expression",
       "A SymInt has the hint as_int, a SymFloat as_float; torch refuses any other."},
      {"HINT_RANGE", Level::error, "a hint is out of range",
       "The hint is the value for the example inputs, which range_constraints must allow; torch refuses "
       "it otherwise."},
      {"LOSS_REPEATED", Level::error, "more than one output is the loss",
       "A joint graph is differentiated from one loss; torch's backward_signature raises."},
      {"MEMBER_MISSING", Level::error, "a union has no member set",
       "An argument, number or spec was created without a value. It cannot be written."},
      {"METADATA_SYNTAX", Level::error, "a text in metadata is malformed",
       "torch parses nn_module_stack, source_fn_stack, from_node and custom of each node when it loads a "
       "program, and raises. A text that occurs at several nodes is reported at the first."},
      {"META_DEVICE", Level::warning, "unknown device type",
       "torch.device() takes the types of torch's own list, and the name of a backend that "
       "torch.utils.rename_privateuse1_backend() registered. Such a program loads only where that "
       "backend is registered."},
      {"META_DEVICE_INDEX", Level::error, "the index of a device is out of range",
       "torch stores it in a signed 8-bit number."},
      {"META_DTYPE", Level::error, "unknown dtype of a tensor",
       "The numbers are those of the schema's ScalarType, not those of c10. torch refuses any other "
       "number, 0 included."},
      {"META_GRADIENT", Level::error, "a tensor of integers requires gradients",
       "Only tensors of floating-point and complex numbers can; torch raises."},
      {"META_LAYOUT", Level::warning, "unknown layout of a tensor",
       "torch up to 2.13 ignores the layout of values; other runtimes may not."},
      {"META_RANK", Level::error, "a tensor has not one stride per size",
       "torch.empty_strided() needs both for each dimension."},
      {"META_SIZE", Level::error, "a size of a tensor is negative, or too large",
       "No such tensor can be made."},
      {"META_STRIDE", Level::error, "a stride or the storage offset of a tensor is negative",
       "torch has no such tensors."},
      {"MODULE_ROOT", Level::warning, "the module call graph does not begin with the model",
       "The first entry is the model: its name is empty, and its signature has the treespecs of inputs "
       "and outputs. nativert reads it unchecked, and torch cannot make a module without it."},
      {"MODULE_VALUE", Level::error, "a module's signature names a value that the graph does not have",
       "torch's verifier refuses it. A value that is renamed or removed must be so in module_call_graph, "
       "too."},
      {"NAME_EMPTY", Level::error, "a value or subgraph has no name",
       "torch looks it up by name, and fails."},
      {"NAME_REPEATED", Level::error, "a value is defined twice",
       "A value is defined once in its graph; torch refuses a second node of that name."},
      {"NAME_UNDEFINED", Level::error, "an undefined value is used",
       "A graph can use its own inputs and the results of its own nodes; a subgraph gets what it needs "
       "from outside as inputs."},
      {"NAME_USED_EARLY", Level::error, "a value is used before it is defined",
       "Nodes stand in the order in which they run. GraphIndex::topological_order() gives a valid order, "
       "if there is one."},
      {"NATIVERT_ORDER", Level::note, "inputs are not in nativert's order",
       "nativert reorders them when it loads the program; torch takes any order."},
      {"NODE_NAME_REPEATED", Level::warning, "two nodes of a graph have the same name",
       "torch renames the second one, so that whatever refers to it by name finds the first."},
      {"NOT_FUNCTIONAL", Level::error, "a functional program writes to a tensor",
       "Only programs with the verifier TRAINING may have operators that write to their arguments. "
       "torch's verifier refuses others."},
      {"OPERAND_DEVICE", Level::warning, "operands of a node are on different devices",
       "No kernel takes them together, except for a 0-dimensional tensor on the CPU; torch's fake "
       "tensors refuse them. Checked for pointwise operators, matrix products, and operators that read "
       "or fill by index or mask."},
      {"OPERAND_DTYPE", Level::warning, "an operand has a dtype that the operator does not take",
       "Matrix products, convolutions and attention take tensors of one dtype, indices are INT or LONG, "
       "masks BOOL. torch loads the program, and fails to run it. Not checked under wrap_with_autocast."},
      {"OPERATOR_MISSING", Level::warning, "torch has no operator of this name",
       "The operator table covers torch 2.1 to 2.15; a later release may have the operator."},
      {"OPERATOR_UNKNOWN", Level::note, "an operator of an unknown library",
       "The library must be imported before torch loads the program."},
      {"OUTPUT_ORDER", Level::error, "the outputs are not in torch's order",
       "torch tells mutations from user outputs by position: tokens first, then mutations, then the rest."},
      {"RANGE_EMPTY", Level::error, "a range is empty",
       "Its lower bound is greater than its upper one; torch refuses it."},
      {"RANGE_NAME", Level::error, "malformed name of an unbacked symbol",
       "torch reads a number from what follows 'u' or 'zuf', and raises if it is not one."},
      {"RANGE_UNUSED", Level::note, "a range belongs to a symbol that no value has",
       "It has no effect. torch warns of it."},
      {"RESULT_COUNT", Level::warning, "a node does not have as many results as its operator",
       "Each result of the operator is one output of the node; a list is one result. An operator of an "
       "old release may have had another number; torch loads the program, and fails to run it."},
      {"RESULT_KIND", Level::error, "a result of a node is a literal",
       "Results are tensors, symbolic numbers, objects, lists of these, or none; torch cannot load any "
       "other."},
      {"SIGNATURE_COUNT", Level::error, "the signature does not have one spec per input and output",
       "Specs match the graph's inputs and outputs by position."},
      {"SIGNATURE_MISMATCH", Level::error, "a spec does not match its input or output",
       "Specs match the graph's inputs and outputs by position, and have the same names, kinds and "
       "literals."},
      {"SINGLE_RETURN", Level::error, "a graph cannot return a single tensor",
       "is_single_tensor_return says that a subgraph returns its only output, a tensor, as it is instead "
       "of in a list. The top graph always returns a list."},
      {"SUBGRAPH_ARITY", Level::error, "a subgraph takes or returns a wrong number of values",
       "The operator calls its subgraph with its operands: those of cond, while_loop, map, scan, "
       "associative_scan, hints_wrapper and strict_mode are in lists, those of invoke_subgraph, "
       "tag_activation_checkpoint and wrap_... follow the subgraph. It returns the results of the node, "
       "or the values of the next step; running it fails."},
      {"SYMBOL_UNBOUNDED", Level::note, "a symbol has no range",
       "Whoever needs bounds, for example to plan memory, has to assume any number."},
      {"SYMBOL_UNDEFINED", Level::error, "nothing defines an unbacked symbol",
       "A data-dependent symbol, u0 or zuf0, must be a size, stride or value by itself somewhere, or "
       "times another factor. torch refuses the program: expected no unbacked symbols."},
      {"TARGET_EMPTY", Level::error, "an input has an empty target",
       "The weight, constant or object is looked up by that name in the model."},
      {"TARGET_REPEATED", Level::note, "two inputs have the same target",
       "They hold the same tensor, and only one of them sees a mutation of it."},
      {"TARGET_SYNTAX", Level::error, "malformed name of an operator",
       "torch looks up 'torch.ops.namespace.name.overload', higher-order operators without an overload, "
       "functions of torch, _operator and math, and '#namespace:name' of extensions."},
      {"TARGET_UNKNOWN", Level::error, "a mutation or gradient has an unknown target",
       "Its target must be a parameter, a buffer or a user input of this program. torch's verifier "
       "refuses it."},
      {"TREESPEC_LEAVES", Level::warning, "a treespec does not have as many leaves as there are values",
       "in_spec and out_spec say how the flat inputs and outputs of a module are nested; calling it "
       "fails."},
      {"TREESPEC_SYNTAX", Level::error, "a treespec is malformed",
       "in_spec and out_spec are what torch.utils._pytree.treespec_dumps() writes; torch raises when it "
       "loads the program."},
      {"VALUE_MISPLACED", Level::error, "a value is in the table of another kind",
       "tensor_values, sym_int_values and so on hold the types of values; the kind of an argument says "
       "in which of them its value is."},
      {"VALUE_MISSING", Level::error, "a value is in no table",
       "torch needs the type of each value, and raises."},
      {"VALUE_REPEATED", Level::error, "a value is in several tables",
       "torch takes the last one, other runtimes may take the first."},
      {"VALUE_UNUSED", Level::warning, "a table has a value that nothing defines",
       "It has no effect: its node or input was removed."},
      {"VERIFIER_UNKNOWN", Level::warning, "unknown verifier dialect",
       "verifiers names the rules that torch checks when it loads the program; it raises if one is not "
       "registered. Libraries such as ExecuTorch register their own."},
      {"WEIGHT_MISMATCH", Level::warning, "a weight differs from the graph in dtype or sizes",
       "Archives only. torch loads it, and runs the graph with a tensor that it was not made for."},
      {"WEIGHT_MISSING", Level::error, "the archive lacks a weight, constant or object of the program",
       "Archives only. torch's verifier refuses it: not in the state dict, or not among the constants."},
      {"WEIGHT_RECORD", Level::error, "a list of weights, or a record of one, is malformed",
       "Archives only. The list names a record that does not exist, or a tensor whose sizes, strides and "
       "offset reach beyond its record."},
  };
  return kRules;
}

const Rule* find_rule(std::string_view id) {
  const auto at = std::lower_bound(
      rules().begin(), rules().end(), id,
      [](const Rule& rule, std::string_view wanted) { return std::string_view(rule.id) < wanted; });
  return at != rules().end() && at->id == id ? &*at : nullptr;
}

}  // namespace pt2
