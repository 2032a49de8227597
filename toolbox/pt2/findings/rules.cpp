#include "pt2/findings/rules.h"

namespace pt2 {
namespace {

struct RuleRow {
  RuleId id;
  Rule rule;
};

/// In the order of the enumerators.
constexpr RuleRow kRuleRows[] = {
    {RuleId::archive_record,
     {"ARCHIVE_RECORD", Severity::error, "an archive has no record that torch asks for, or an entry too many",
      "Archives only. torch reads the sample inputs, of no bytes if there are none, and the configs of "
      "weights and constants of each model, and the versions. An entry for the folder models/, or for a "
      "folder in data/aotinductor/, is a model to it; leave such entries out (zip -D)."}},
    {RuleId::argument_kind,
     {"ARGUMENT_KIND", Severity::error, "a keyword-only argument is given by position",
      "The operator's schema lists it after a '*'; calling the operator fails."}},
    {RuleId::argument_missing,
     {"ARGUMENT_MISSING", Severity::error, "a required argument is missing",
      "The operator's schema has no default for it; torch raises a KeyError."}},
    {RuleId::argument_repeated,
     {"ARGUMENT_REPEATED", Severity::error, "an argument is given twice",
      "Arguments are passed by name: torch keeps the last one, other runtimes may keep the first. "
      "Remove one of the inputs."}},
    {RuleId::argument_type,
     {"ARGUMENT_TYPE", Severity::error, "an argument does not have the type that the operator takes",
      "Calling the operator fails. A number may stand for a tensor or a float, and one number for a "
      "list of a known length, as torch allows."}},
    {RuleId::argument_unknown,
     {"ARGUMENT_UNKNOWN", Severity::error, "an operator has no argument of this name",
      "torch drops it silently, and uses the default of the argument that may have been meant; a "
      "higher-order operator fails when it runs."}},
    {RuleId::argument_unnamed,
     {"ARGUMENT_UNNAMED", Severity::error, "an argument of an operator has no name",
      "torch looks arguments up by their names in the operator's schema; only inputs of higher-order "
      "operators and of Python functions go by position."}},
    {RuleId::enum_unknown,
     {"ENUM_UNKNOWN", Severity::error, "unknown dtype, layout or memory format",
      "The numbers are those of the schema's enums ScalarType, Layout and MemoryFormat, not those of "
      "c10. torch refuses any other number, 0 included."}},
    {RuleId::expression_code,
     {"EXPRESSION_CODE", Severity::error, "Python would evaluate a text that is no known expression",
      "torch gives expr_str to sympify() when it loads a program, which evaluates it: attributes, items and "
      "calls of anything. Known are numbers, symbols, operators, and the functions that torch writes.",
      FoundBy::both}},
    {RuleId::expression_syntax,
     {"EXPRESSION_SYNTAX", Severity::error, "a symbolic expression is malformed",
      "Sizes, strides and values that depend on inputs are sympy expressions, as srepr or as plain "
      "text. torch passes them to sympify(), which raises."}},
    {RuleId::field_skipped,
     {"FIELD_SKIPPED", Severity::warning, "a field of a newer schema was skipped",
      "The file is of a later version than this program, and has a field that it does not know. The field "
      "is empty, so that nothing is lost here, unless the policy is inspect; what it means to others is not "
      "known.",
      FoundBy::check}},
    {RuleId::guard_code,
     {"GUARD_CODE", Severity::error, "Python would run a text that is no known guard",
      "torch makes a function of guards_code, and runs it when the module is called. Known are comparisons "
      "of sizes, strides and numbers of the inputs, with the functions that torch writes. A string that is "
      "an input is pasted into a guard, too: without quotes and backslashes.",
      FoundBy::both}},
    {RuleId::guard_syntax,
     {"GUARD_SYNTAX", Severity::warning, "a guard is malformed",
      "guards_code holds Python expressions over the inputs. torch compiles them when the program "
      "becomes a module, and fails there."}},
    {RuleId::hint_kind,
     {"HINT_KIND", Severity::error, "a hint is not of the kind of its expression",
      "A SymInt has the hint as_int, a SymFloat as_float; torch refuses any other."}},
    {RuleId::hint_range,
     {"HINT_RANGE", Severity::error, "a hint is out of range",
      "The hint is the value for the example inputs, which range_constraints must allow; torch refuses "
      "it otherwise."}},
    {RuleId::input_kind,
     {"INPUT_KIND", Severity::error, "an input of a graph is of a kind that torch does not read",
      "torch reads tensors, objects, symbolic integers by their names, and literals that are integers, "
      "floats, bools, strings or none; it raises for others."}},
    {RuleId::loss_repeated,
     {"LOSS_REPEATED", Severity::error, "more than one output is the loss",
      "A joint graph is differentiated from one loss; torch's backward_signature raises."}},
    {RuleId::member_missing,
     {"MEMBER_MISSING", Severity::error, "a union has no member set",
      "An argument, number or spec was created without a value. It cannot be written."}},
    {RuleId::metadata_syntax,
     {"METADATA_SYNTAX", Severity::error, "a text in metadata is malformed",
      "torch parses nn_module_stack, source_fn_stack, from_node and custom of each node when it loads a "
      "program, and raises. A text that occurs at several nodes is reported at the first."}},
    {RuleId::meta_device,
     {"META_DEVICE", Severity::warning, "unknown device type",
      "torch.device() takes the types of torch's own list, and the name of a backend that "
      "torch.utils.rename_privateuse1_backend() registered. Such a program loads only where that "
      "backend is registered."}},
    {RuleId::meta_device_index,
     {"META_DEVICE_INDEX", Severity::error, "the index of a device is out of range",
      "torch stores it in a signed 8-bit number."}},
    {RuleId::meta_dtype,
     {"META_DTYPE", Severity::error, "unknown dtype of a tensor",
      "The numbers are those of the schema's ScalarType, not those of c10. torch refuses any other "
      "number, 0 included."}},
    {RuleId::meta_gradient,
     {"META_GRADIENT", Severity::error, "a tensor of integers requires gradients",
      "Only tensors of floating-point and complex numbers can; torch raises."}},
    {RuleId::meta_layout,
     {"META_LAYOUT", Severity::warning, "unknown layout of a tensor",
      "torch up to 2.13 ignores the layout of values; other runtimes may not."}},
    {RuleId::meta_rank,
     {"META_RANK", Severity::error, "a tensor has not one stride per size",
      "torch.empty_strided() needs both for each dimension."}},
    {RuleId::meta_size,
     {"META_SIZE", Severity::error, "a size of a tensor is negative, or too large",
      "No such tensor can be made."}},
    {RuleId::meta_stride,
     {"META_STRIDE", Severity::error, "a stride or the storage offset of a tensor is negative",
      "torch has no such tensors."}},
    {RuleId::module_root,
     {"MODULE_ROOT", Severity::warning, "the module call graph does not begin with the model",
      "The first entry is the model: its name is empty, and its signature has the treespecs of inputs "
      "and outputs. nativert reads it unchecked, and torch cannot make a module without it."}},
    {RuleId::module_value,
     {"MODULE_VALUE", Severity::error, "a module's signature names a value that the graph does not have",
      "torch's verifier refuses it. A value that is renamed or removed must be so in module_call_graph, "
      "too."}},
    {RuleId::name_code,
     {"NAME_CODE", Severity::error, "a name that torch pastes into source code is not an identifier",
      "torch writes a Python function for each graph and runs it when it loads the program. The names of "
      "values, nodes, subgraphs, keywords and parameters have to be identifiers; names of weights and "
      "modules have no quotes, backslashes or control characters.",
      FoundBy::both}},
    {RuleId::name_empty,
     {"NAME_EMPTY", Severity::error, "a value or subgraph has no name",
      "torch looks it up by name, and fails."}},
    {RuleId::name_repeated,
     {"NAME_REPEATED", Severity::error, "a value is defined twice",
      "A value is defined once in its graph; torch refuses a second node of that name."}},
    {RuleId::name_undefined,
     {"NAME_UNDEFINED", Severity::error, "an undefined value is used",
      "A graph can use its own inputs and the results of its own nodes; a subgraph gets what it needs "
      "from outside as inputs."}},
    {RuleId::name_used_early,
     {"NAME_USED_EARLY", Severity::error, "a value is used before it is defined",
      "Nodes stand in the order in which they run. GraphIndex::topological_order() gives a valid order, "
      "if there is one."}},
    {RuleId::nativert_order,
     {"NATIVERT_ORDER", Severity::note, "inputs are not in nativert's order",
      "nativert reorders them when it loads the program; torch takes any order."}},
    {RuleId::native_code,
     {"NATIVE_CODE", Severity::error, "a record is native code",
      "torch loads the shared objects of AOTInductor, and runs them, before anybody calls the model.",
      FoundBy::scan}},
    {RuleId::nested_archive,
     {"NESTED_ARCHIVE", Severity::error,
      "what is to be unpickled is an archive that torch.save does not write",
      "torch unpacks and unpickles tar archives without weights_only, and runs TorchScript. What else is in "
      "an archive depends on who looks.",
      FoundBy::scan}},
    {RuleId::node_name_repeated,
     {"NODE_NAME_REPEATED", Severity::warning, "two nodes of a graph have the same name",
      "torch renames the second one, so that whatever refers to it by name finds the first."}},
    {RuleId::not_functional,
     {"NOT_FUNCTIONAL", Severity::error, "a functional program writes to a tensor",
      "Only programs with the verifier TRAINING may have operators that write to their arguments. "
      "torch's verifier refuses others."}},
    {RuleId::not_understood,
     {"NOT_UNDERSTOOD", Severity::error, "a part of the file is not understood",
      "What cannot be read, or is for nobody who is known, cannot be said to be harmless: torch, another "
      "release of it or another runtime may run it.",
      FoundBy::scan}},
    {RuleId::operand_device,
     {"OPERAND_DEVICE", Severity::warning, "operands of a node are on different devices",
      "No kernel takes them together, except for a 0-dimensional tensor on the CPU; torch's fake "
      "tensors refuse them. Checked for pointwise operators, matrix products, and operators that read "
      "or fill by index or mask."}},
    {RuleId::operand_dtype,
     {"OPERAND_DTYPE", Severity::warning, "an operand has a dtype that the operator does not take",
      "Matrix products, convolutions and attention take tensors of one dtype, indices are INT or LONG, "
      "masks BOOL. torch loads the program, and fails to run it. Not checked under wrap_with_autocast."}},
    {RuleId::operator_missing,
     {"OPERATOR_MISSING", Severity::warning, "torch has no operator of this name",
      "The message names the releases that the operator table covers; a later one may have the operator."}},
    {RuleId::operator_unknown,
     {"OPERATOR_UNKNOWN", Severity::note, "an operator of an unknown library",
      "The library must be imported before torch loads the program. `--operators` takes its schema, which "
      "its nodes are then held against."}},
    {RuleId::output_kind,
     {"OUTPUT_KIND", Severity::error, "an output of a graph is of a kind that torch does not read",
      "torch writes strings and others, too, and raises when it reads them: unable to deserialize output "
      "node. It reads tensors, symbolic numbers by their names, integers, floats, bools and none. Leave the "
      "others out of what forward() returns."}},
    {RuleId::output_order,
     {"OUTPUT_ORDER", Severity::error, "the outputs are not in torch's order",
      "torch tells mutations from user outputs by position: tokens first, then mutations, then the rest."}},
    {RuleId::pickle_global,
     {"PICKLE_GLOBAL", Severity::error, "a pickle names a class or function that weights_only refuses",
      "Loading a pickle imports what it names, and calls it with arguments of its own. torch.export.load "
      "does not ask for weights_only. The globals that it takes are those of tensors, numbers and "
      "containers.",
      FoundBy::scan}},
    {RuleId::pickle_legacy,
     {"PICKLE_LEGACY", Severity::note, "a record is a pickle of plain values",
      "It names nothing but what weights_only takes.", FoundBy::scan}},
    {RuleId::pickle_malformed,
     {"PICKLE_MALFORMED", Severity::error, "a pickle is broken",
      "Python runs a pickle up to the place where it is broken. Readers do not agree on what is.",
      FoundBy::scan}},
    {RuleId::range_empty,
     {"RANGE_EMPTY", Severity::error, "a range is empty",
      "Its lower bound is greater than its upper one; torch refuses it."}},
    {RuleId::range_name,
     {"RANGE_NAME", Severity::error, "malformed name of an unbacked symbol",
      "torch reads a number from what follows 'u' or 'zuf', and raises if it is not one."}},
    {RuleId::range_unused,
     {"RANGE_UNUSED", Severity::note, "a range belongs to a symbol that no value has",
      "It has no effect. torch warns of it."}},
    {RuleId::record_name,
     {"RECORD_NAME", Severity::error, "a record has a name that readers understand differently",
      "torch unpacks records of compiled models by their names, also to places outside of their folder, and "
      "finds records without regard to case.",
      FoundBy::scan}},
    {RuleId::result_count,
     {"RESULT_COUNT", Severity::warning, "a node does not have as many results as its operator",
      "Each result of the operator is one output of the node; a list is one result. An operator of an old "
      "release may have had another number; torch loads the program, and fails to run it. It is an error if "
      "a node has no result at all, and is none of an operator that has none: torch's verifier refuses it. "
      "torch exports a block of no_grad or autocast so whose results nobody uses; run_decompositions() "
      "inlines them."}},
    {RuleId::result_kind,
     {"RESULT_KIND", Severity::error, "a result of a node is a literal",
      "Results are tensors, symbolic numbers, objects, lists of these, or none; torch cannot load any "
      "other."}},
    {RuleId::signature_count,
     {"SIGNATURE_COUNT", Severity::error, "the signature does not have one spec per input and output",
      "Specs match the graph's inputs and outputs by position."}},
    {RuleId::signature_mismatch,
     {"SIGNATURE_MISMATCH", Severity::error, "a spec does not match its input or output",
      "Specs match the graph's inputs and outputs by position, and have the same names, kinds and "
      "literals."}},
    {RuleId::single_return,
     {"SINGLE_RETURN", Severity::error, "a graph cannot return a single tensor",
      "is_single_tensor_return says that a subgraph returns its only output, a tensor, as it is instead "
      "of in a list. The top graph always returns a list."}},
    {RuleId::source_code,
     {"SOURCE_CODE", Severity::error, "a record is source code, or told to a compiler",
      "torch compiles the sources of AOTInductor and of TorchScript, and runs them. The flags of the "
      "compiler become a part of a shell command.",
      FoundBy::scan}},
    {RuleId::subgraph_arity,
     {"SUBGRAPH_ARITY", Severity::error, "a subgraph takes or returns a wrong number of values",
      "The operator calls its subgraph with its operands: those of cond, while_loop, map, scan, "
      "associative_scan, hints_wrapper and strict_mode are in lists, those of invoke_subgraph, "
      "tag_activation_checkpoint and wrap_... follow the subgraph. It returns the results of the node, "
      "or the values of the next step; running it fails."}},
    {RuleId::symbol_unbounded,
     {"SYMBOL_UNBOUNDED", Severity::note, "a symbol has no range",
      "Whoever needs bounds, for example to plan memory, has to assume any number."}},
    {RuleId::symbol_undefined,
     {"SYMBOL_UNDEFINED", Severity::error, "nothing defines an unbacked symbol",
      "A data-dependent symbol, u0 or zuf0, must be a size, stride or value by itself somewhere, or "
      "times another factor. torch refuses the program: expected no unbacked symbols."}},
    {RuleId::target_code,
     {"TARGET_CODE", Severity::error, "torch would look up what is no known operator or function",
      "torch looks up targets, as_operator and source_fn_stack attribute by attribute in its own modules, "
      "from where all of Python can be reached; looking up runs code, and nodes call what is found. What a "
      "format that is printed asks of its operands, {0.name}, is looked up, too.",
      FoundBy::both}},
    {RuleId::target_empty,
     {"TARGET_EMPTY", Severity::error, "an input has an empty target",
      "The weight, constant or object is looked up by that name in the model."}},
    {RuleId::target_repeated,
     {"TARGET_REPEATED", Severity::note, "two inputs have the same target",
      "They hold the same tensor, and only one of them sees a mutation of it."}},
    {RuleId::target_reserved,
     {"TARGET_RESERVED", Severity::error, "a weight has a name that torch cannot write or set",
      "torch loads the program, but cannot make a module of it: it writes the parts of the name as "
      "attributes, which a keyword of Python cannot be, and sets the first one in a GraphModule, which has "
      "attributes of its own, as graph and code. `pt2 rename` gives another name."}},
    {RuleId::target_syntax,
     {"TARGET_SYNTAX", Severity::error, "malformed name of an operator",
      "torch looks up 'torch.ops.namespace.name.overload', higher-order operators without an overload, "
      "functions of torch, _operator and math, and '#namespace:name' of extensions."}},
    {RuleId::target_unknown,
     {"TARGET_UNKNOWN", Severity::error, "a mutation or gradient has an unknown target",
      "Its target must be a parameter, a buffer or a user input of this program. torch's verifier "
      "refuses it."}},
    {RuleId::treespec_code,
     {"TREESPEC_CODE", Severity::error, "a treespec names what torch would import",
      "The members of enums and the factories of defaultdicts are imported from any module that the text "
      "names. Known are Python's own containers and numbers as factories, and a few enums.",
      FoundBy::both}},
    {RuleId::treespec_key,
     {"TREESPEC_KEY", Severity::error, "a key of a dict is a list in a treespec",
      "torch writes keys that are tuples as lists in JSON, and reads them as lists, which no dict takes as "
      "keys: calling the module raises a TypeError. It is a warning in the specs of a module within, which "
      "only unflatten() uses. Use texts or numbers as keys of inputs and outputs."}},
    {RuleId::treespec_leaves,
     {"TREESPEC_LEAVES", Severity::warning, "a treespec does not have as many leaves as there are values",
      "in_spec and out_spec say how the flat inputs and outputs of a module are nested; calling it "
      "fails."}},
    {RuleId::treespec_syntax,
     {"TREESPEC_SYNTAX", Severity::error, "a treespec is malformed",
      "in_spec and out_spec are what torch.utils._pytree.treespec_dumps() writes; torch raises when it "
      "loads the program."}},
    {RuleId::unreadable,
     {"UNREADABLE", Severity::error, "the file, or a program in it, cannot be read",
      "It breaks the format of its container or the schema, is of a version that is not known, or is larger "
      "or deeper than the limits allow. Nothing can be said of what torch makes of it.",
      FoundBy::check}},
    {RuleId::value_misplaced,
     {"VALUE_MISPLACED", Severity::error, "a value is in the table of another kind",
      "tensor_values, sym_int_values and so on hold the types of values; the kind of an argument says "
      "in which of them its value is."}},
    {RuleId::value_missing,
     {"VALUE_MISSING", Severity::error, "a value is in no table",
      "torch needs the type of each value, and raises."}},
    {RuleId::value_repeated,
     {"VALUE_REPEATED", Severity::error, "a value is in several tables",
      "torch takes the last one, other runtimes may take the first."}},
    {RuleId::value_unused,
     {"VALUE_UNUSED", Severity::warning, "a table has a value that nothing defines",
      "It has no effect: its node or input was removed."}},
    {RuleId::verifier_unknown,
     {"VERIFIER_UNKNOWN", Severity::warning, "unknown verifier dialect",
      "verifiers names the rules that torch checks when it loads the program; it raises if one is not "
      "registered. Libraries such as ExecuTorch register their own."}},
    {RuleId::weight_class,
     {"WEIGHT_CLASS", Severity::warning, "a weight is a tensor of a class of its own",
      "Archives only. It is pickled, as torchao's quantized tensors are. To load it, torch imports its class "
      "and runs what that does; torch.load with weights_only refuses it. pt2 weights lists what is in it."}},
    {RuleId::weight_mismatch,
     {"WEIGHT_MISMATCH", Severity::warning, "a weight differs from the graph in dtype or sizes",
      "Archives only. torch loads it, and runs the graph with a tensor that it was not made for."}},
    {RuleId::weight_missing,
     {"WEIGHT_MISSING", Severity::error, "the archive lacks a weight, constant or object of the program",
      "Archives only. torch's verifier refuses it: not in the state dict, or not among the constants."}},
    {RuleId::weight_record,
     {"WEIGHT_RECORD", Severity::error, "a list of weights, or a record of one, is malformed",
      "Archives only. The list names a record that does not exist, or a tensor whose sizes, strides and "
      "offset reach beyond its record."}},
    {RuleId::zip_trick,
     {"ZIP_TRICK", Severity::error, "the parts of an archive contradict each other",
      "Another reader may see other members, or other contents of them: two of one name, headers that "
      "disagree, members that overlap, bytes that belong to none.",
      FoundBy::scan}},
};

constexpr bool is_complete() {
  std::size_t number = 0;
  for (const RuleRow& row : kRuleRows) {
    if (row.id != static_cast<RuleId>(number++)) return false;
  }
  return number == static_cast<std::size_t>(RuleId::zip_trick) + 1;
}
static_assert(is_complete());

}  // namespace

const char* severity_text(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      break;
  }
  return "note";
}

const Rule& rule_of(RuleId id) {
  return kRuleRows[static_cast<std::size_t>(id)].rule;
}

const std::vector<const Rule*>& rules() {
  static const std::vector<const Rule*> kRules = [] {
    std::vector<const Rule*> all;
    for (const RuleRow& row : kRuleRows) all.push_back(&row.rule);
    return all;
  }();
  return kRules;
}

std::vector<const Rule*> scan_rules() {
  std::vector<const Rule*> found;
  for (const Rule* const rule : rules()) {
    if (rule->found_by == FoundBy::scan || rule->found_by == FoundBy::both) found.push_back(rule);
  }
  return found;
}

}  // namespace pt2
