#include "pt2/verify/rules.h"

#include <algorithm>

namespace pt2 {

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = {
      {"ARGUMENT_KIND", Level::error, "an argument is given by position that has to be named",
       "The operator's schema has it after a '*'. Calling the operator fails."},
      {"ARGUMENT_MISSING", Level::error, "an operator is not given an argument that it needs",
       "The operator's schema has no default value for it. torch raises a KeyError."},
      {"ARGUMENT_REPEATED", Level::error, "an argument of a node is given twice",
       "Arguments are passed by name, so torch keeps the last one only, and other runtimes may keep the "
       "first. "
       "Remove one of the inputs."},
      {"ARGUMENT_TYPE", Level::error, "an argument is not of the type that the operator takes",
       "Calling the operator fails. A number may stand for a tensor or a float, and one number for a list of "
       "a known "
       "length, as torch allows."},
      {"ARGUMENT_UNKNOWN", Level::error, "an operator is given an argument that it does not take",
       "torch drops it without a word, and takes the default value of the one that may have been meant."},
      {"ARGUMENT_UNNAMED", Level::error, "an argument of an operator has no name",
       "torch looks arguments up by their names in the operator's schema; only inputs of higher-order "
       "operators and "
       "of Python functions go by position."},
      {"ENUM_UNKNOWN", Level::error, "an argument is a dtype, layout or memory format that is not known",
       "The numbers are those of the schema's enums ScalarType, Layout and MemoryFormat, not those of c10. "
       "torch "
       "refuses a number that it does not know, 0 included."},
      {"EXPRESSION_SYNTAX", Level::error, "a symbolic expression cannot be read",
       "Sizes, strides and values that depend on inputs are sympy expressions, as srepr or as plain text. "
       "torch "
       "gives them to sympify(), which raises."},
      {"GUARD_SYNTAX", Level::warning, "a guard cannot be read",
       "guards_code holds Python expressions over the inputs. torch compiles them when the program is made a "
       "module, and fails there."},
      {"HINT_KIND", Level::error, "the hint of an expression is of another kind than its value",
       "A SymInt has the hint as_int, a SymFloat as_float. torch refuses any other."},
      {"HINT_RANGE", Level::error, "a hint is outside of its range",
       "The hint is the value for the example inputs, which range_constraints has to allow. torch refuses."},
      {"LOSS_REPEATED", Level::error, "more than one output is the loss",
       "A joint graph is differentiated from one loss; torch's backward_signature raises."},
      {"MEMBER_MISSING", Level::error, "a union has no member",
       "An argument, number or spec was made, but not given a value. It cannot be written."},
      {"METADATA_SYNTAX", Level::error, "a text in metadata cannot be read",
       "torch reads nn_module_stack, source_fn_stack, from_node and custom of each node when it loads a "
       "program, and "
       "raises. A text that stands at several nodes is reported at the first."},
      {"META_DEVICE", Level::warning, "torch has no device of this type",
       "torch.device() takes the types of torch's own list, and the name of a backend that was registered by "
       "torch.utils.rename_privateuse1_backend(). If it is such a name, all is well where the backend is "
       "there."},
      {"META_DEVICE_INDEX", Level::error, "the index of a device is out of range",
       "torch keeps it in 8 bits, signed."},
      {"META_DTYPE", Level::error, "the dtype of a tensor is not known",
       "The numbers are those of the schema's ScalarType, not those of c10. torch refuses a number that it "
       "does not "
       "know, 0 included."},
      {"META_GRADIENT", Level::error, "a tensor of whole numbers requires gradients",
       "Only tensors of floats and complex numbers can; torch raises."},
      {"META_LAYOUT", Level::warning, "the layout of a tensor is not known",
       "torch reads the layout of no value up to 2.13, other runtimes may."},
      {"META_RANK", Level::error, "a tensor has not as many strides as sizes",
       "torch.empty_strided() needs one of each per dimension."},
      {"META_SIZE", Level::error, "a size of a tensor is negative, or too large",
       "No such tensor can be made."},
      {"META_STRIDE", Level::error, "a stride or the storage offset of a tensor is negative",
       "torch has no such tensors."},
      {"MODULE_ROOT", Level::warning, "the module call graph does not begin with the model",
       "The first entry is the model: its name is empty, and its signature has the trees of inputs and "
       "outputs. "
       "nativert takes it without looking, and torch cannot make a module without it."},
      {"MODULE_VALUE", Level::error, "a module's signature names a value that the graph does not have",
       "torch's verifier refuses. Values that were renamed or removed have to be so in module_call_graph, "
       "too."},
      {"NAME_EMPTY", Level::error, "a value or subgraph has no name",
       "torch looks it up by its name, and fails."},
      {"NAME_REPEATED", Level::error, "two inputs or nodes define one value",
       "A value is defined once in its graph. torch refuses: the node was deserialized before."},
      {"NAME_UNDEFINED", Level::error, "a value is used that nothing defines",
       "What a graph uses are its own inputs and the results of its own nodes; a subgraph gets what it needs "
       "from "
       "outside as inputs."},
      {"NAME_USED_EARLY", Level::error, "a value is used before the node that defines it",
       "Nodes stand in the order in which they run. GraphIndex::topological_order() gives one that holds, if "
       "there "
       "is one."},
      {"NATIVERT_ORDER", Level::note, "inputs are not in the order that nativert wants",
       "nativert puts them in order when it loads the program. torch takes any order."},
      {"NODE_NAME_REPEATED", Level::warning, "two nodes of a graph have one name",
       "torch gives the second one another name, so that what refers to it by this one finds the first."},
      {"NOT_FUNCTIONAL", Level::error, "a program that is to be functional writes to a tensor",
       "Only programs whose verifiers are TRAINING may have operators that write to their arguments. torch's "
       "verifier "
       "refuses."},
      {"OPERAND_DEVICE", Level::warning, "operands of a node are on different devices",
       "No kernel takes them together, but for a tensor without dimensions on the CPU; torch's fake tensors "
       "refuse. "
       "Known of pointwise operators, of products of matrices, and of what looks up or fills by index or "
       "mask."},
      {"OPERAND_DTYPE", Level::warning, "an operand of a node is of a dtype that the operator does not take",
       "Products of matrices, convolutions and attention take tensors of one dtype, indices are of INT or "
       "LONG, masks "
       "of BOOL. torch loads the program, and fails to run it. Under wrap_with_autocast all is taken."},
      {"OPERATOR_MISSING", Level::warning, "torch has no operator of that name",
       "The table of operators has those of torch 2.1 to 2.15. If the program is of a later release, it may "
       "have it."},
      {"OPERATOR_UNKNOWN", Level::note, "nothing is known of an operator",
       "It is of a library beside torch, which has to be imported before torch loads the program."},
      {"OUTPUT_ORDER", Level::error, "the outputs are not in torch's order",
       "torch tells mutations from what the user gets by position: first tokens, then mutations, then the "
       "rest."},
      {"RANGE_EMPTY", Level::error, "a range holds no number",
       "torch refuses bounds of which the lower is the greater."},
      {"RANGE_NAME", Level::error, "the name of a range looks like an unbacked symbol's, and is none",
       "torch reads a number from what follows 'u' or 'zuf', and raises if it is none."},
      {"RANGE_UNUSED", Level::note, "a range is of a symbol that no value has",
       "It does nothing. torch says so in a warning."},
      {"RESULT_COUNT", Level::warning, "a node has another number of results than its operator",
       "Each result of the operator is one output of the node; a list is one result. An operator of an old "
       "release may have "
       "had others; torch loads the program, and fails to run it."},
      {"RESULT_KIND", Level::error, "a result of a node is a literal",
       "Results are tensors, symbolic numbers, objects, lists of these, or none. torch cannot load any "
       "other."},
      {"SIGNATURE_COUNT", Level::error, "the signature has not one spec for each input and output",
       "Specs and the graph's inputs and outputs belong together by position."},
      {"SIGNATURE_MISMATCH", Level::error, "a spec is not of the input or output at its position",
       "Specs and the graph's inputs and outputs belong together by position, and have the same names, kinds "
       "and "
       "literals."},
      {"SINGLE_RETURN", Level::error, "a graph cannot return one tensor as it is",
       "is_single_tensor_return says that a subgraph returns its one output, a tensor, as it is and not in a "
       "list. The top graph always returns a list."},
      {"SUBGRAPH_ARITY", Level::error, "a subgraph takes or gives another number of values than its operator",
       "The operator calls its subgraph with its operands: those of cond, while_loop, map, scan, "
       "associative_scan, hints_wrapper and strict_mode stand in lists, those of invoke_subgraph, "
       "tag_activation_checkpoint and wrap_... behind the subgraph. It gives what the node gives, or carries "
       "on; running it fails."},
      {"SYMBOL_UNBOUNDED", Level::note, "no range is known for a symbol",
       "Whoever needs bounds, to plan memory for one, has to take all numbers."},
      {"SYMBOL_UNDEFINED", Level::error, "nothing gives an unbacked symbol its value",
       "A symbol that data decides on, u0 or zuf0, has to be a size, stride or value by itself somewhere, or "
       "times "
       "another factor. torch refuses: expected no unbacked symbols."},
      {"TARGET_EMPTY", Level::error, "an input stands for something without a name",
       "The weight, constant or object is looked up by its name in the model."},
      {"TARGET_REPEATED", Level::note, "two inputs stand for one weight or constant",
       "They hold the same tensor; a mutation of it is seen by one of them only."},
      {"TARGET_SYNTAX", Level::error, "what a node calls is no name of an operator",
       "torch looks up 'torch.ops.namespace.name.overload', higher-order operators without an overload, "
       "functions "
       "of torch, _operator and math, and '#namespace:name' of extensions."},
      {"TARGET_UNKNOWN", Level::error, "a mutation or gradient is of something that is no input",
       "Its target is a parameter, a buffer or a user input of this program. torch's verifier refuses."},
      {"TREESPEC_LEAVES", Level::warning, "a tree has another number of leaves than there are values",
       "in_spec and out_spec say how the flat inputs and outputs of a module are nested; calling it fails."},
      {"TREESPEC_SYNTAX", Level::error, "a treespec cannot be read",
       "in_spec and out_spec are what torch.utils._pytree.treespec_dumps() writes. torch raises when it "
       "loads the "
       "program."},
      {"VALUE_MISPLACED", Level::error, "a value is in the table of another kind",
       "tensor_values, sym_int_values and so on say what a value is; an argument says by its kind in which "
       "one."},
      {"VALUE_MISSING", Level::error, "a value is in no table",
       "torch needs to know what each value is, and raises."},
      {"VALUE_REPEATED", Level::error, "a value is in several tables",
       "torch takes the last one, other runtimes the first that they look into."},
      {"VALUE_UNUSED", Level::warning, "a table has a value that nothing defines",
       "It does nothing, and is left from a node or input that was removed."},
      {"VERIFIER_UNKNOWN", Level::warning, "torch has no such dialect",
       "verifiers names the rules that torch checks when it loads the program. It raises if they are not "
       "there; "
       "libraries, as ExecuTorch, register theirs."},
      {"WEIGHT_MISMATCH", Level::warning, "a weight is not of the dtype or sizes that the graph has for it",
       "Of archives only. torch loads it, and runs the graph with a tensor that it was not made for."},
      {"WEIGHT_MISSING", Level::error,
       "the archive does not hold a weight, constant or object of the program",
       "Of archives only. torch's verifier refuses: it is not in the state dict, or not among the "
       "constants."},
      {"WEIGHT_RECORD", Level::error, "the archive's list of weights is malformed, or a record is",
       "Of archives only. The list names a record that is not there, or a tensor whose sizes, strides and "
       "offset "
       "lead beyond its record."},
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
