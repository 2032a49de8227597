#include "pt2/findings/rules.h"

#include "schemagen/base/error.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

struct RuleRow {
  constexpr RuleRow(RuleId id_, const char* name, Severity severity, const char* summary,
                    const char* explanation, FoundBy found_by = FoundBy::verify)
      : id(id_), rule{name, severity, summary, explanation, found_by} {}

  RuleId id;
  Rule rule;
};

constexpr RuleRow kRuleRows[] = {
    {RuleId::archive_record, "ARCHIVE_RECORD", Severity::error,
     "an archive lacks a required record, or has an extra entry",
     "Archives only. torch requires the version records and, for each model, the sample inputs (which may "
     "be empty) and the configs of weights and constants. torch mistakes folder entries, such as models/ "
     "or those in data/aotinductor/, for models. Omit such entries (zip -D)."},
    {RuleId::argument_kind, "ARGUMENT_KIND", Severity::error, "a keyword-only argument is passed by position",
     "The operator's schema lists the argument after a '*'. Calling the operator fails."},
    {RuleId::argument_missing, "ARGUMENT_MISSING", Severity::error, "a required argument is missing",
     "The operator's schema has no default for the argument. torch raises a KeyError."},
    {RuleId::argument_repeated, "ARGUMENT_REPEATED", Severity::error, "an argument is passed twice",
     "Arguments are passed by name. torch keeps the last argument with this name; other runtimes may keep "
     "the first. Remove one of the inputs."},
    {RuleId::argument_type, "ARGUMENT_TYPE", Severity::error,
     "an argument has a type that the operator does not accept",
     "Calling the operator fails. As in torch, a number is accepted in place of a tensor or a float, and a "
     "single number in place of a list of fixed length, such as int[2]."},
    {RuleId::argument_unknown, "ARGUMENT_UNKNOWN", Severity::error,
     "an operator has no argument with this name",
     "torch silently ignores the argument, so a misspelled argument gets its default. Higher-order "
     "operators fail when they run."},
    {RuleId::argument_unnamed, "ARGUMENT_UNNAMED", Severity::error, "an operator argument has no name",
     "torch looks arguments up by name in the operator's schema. Only higher-order operators and Python "
     "functions have positional inputs."},
    {RuleId::enum_unknown, "ENUM_UNKNOWN", Severity::error,
     "an argument has an unknown dtype, layout or memory format",
     "The enums ScalarType, Layout and MemoryFormat have different numbers in the schema than in c10. "
     "torch rejects unknown numbers, including 0."},
    {RuleId::expression_code, "EXPRESSION_CODE", Severity::error,
     "Python would evaluate a string that is not a known expression",
     "When torch loads a program, it passes expr_str to sympify(), which evaluates it as Python, including "
     "attribute access, indexing and calls. pt2 accepts only numbers, symbols, operators and the functions "
     "that occur in torch's own expressions.",
     FoundBy::both},
    {RuleId::expression_syntax, "EXPRESSION_SYNTAX", Severity::error, "a symbolic expression is malformed",
     "Sizes, strides and values that depend on inputs are sympy expressions, in srepr or plain form. torch "
     "passes them to sympify(), which raises an exception if they are malformed."},
    {RuleId::field_skipped, "FIELD_SKIPPED", Severity::warning, "a field from a newer schema was skipped",
     "The field is from a newer schema than this pt2 knows, so its meaning is unknown. Unless the policy is "
     "inspect, only empty fields are skipped, so nothing is lost. Use a newer pt2.",
     FoundBy::check},
    {RuleId::guard_code, "GUARD_CODE", Severity::error, "Python would run a string that is not a known guard",
     "torch compiles guards_code into a function that runs when the module is called. pt2 accepts only "
     "comparisons of sizes, strides and numeric inputs. They may call only functions that occur in torch's "
     "own guards. torch also pastes string inputs into guards, so these strings must not contain quotes or "
     "backslashes.",
     FoundBy::both},
    {RuleId::guard_syntax, "GUARD_SYNTAX", Severity::warning, "a guard is malformed",
     "guards_code contains Python expressions over the inputs. torch fails to compile them when it turns "
     "the program into a module."},
    {RuleId::hint_kind, "HINT_KIND", Severity::error, "a hint has a different kind than its expression",
     "The hint must be as_int for a SymInt and as_float for a SymFloat. torch rejects any other hint."},
    {RuleId::hint_range, "HINT_RANGE", Severity::error, "a hint is out of range",
     "The hint is the value for the example inputs and must be within range_constraints. Otherwise torch "
     "rejects the program."},
    {RuleId::input_kind, "INPUT_KIND", Severity::error, "a graph input has a kind that torch cannot load",
     "torch loads tensors, objects, symbolic integers by name, and literal integers, floats, bools, strings "
     "and None. It raises an exception for other kinds."},
    {RuleId::loss_repeated, "LOSS_REPEATED", Severity::error, "more than one output is marked as the loss",
     "A joint graph has the gradients of a single loss. torch's backward_signature raises an exception."},
    {RuleId::member_missing, "MEMBER_MISSING", Severity::error, "a union has no member set",
     "An argument, symbolic number or spec was created without a value, and cannot be written."},
    {RuleId::metadata_syntax, "METADATA_SYNTAX", Severity::error, "a string in metadata is malformed",
     "When torch loads a program, it parses the nn_module_stack, source_fn_stack, from_node and custom "
     "strings of each node, and raises an exception if any is malformed. A string that occurs in several "
     "nodes is reported only for the first."},
    {RuleId::meta_device, "META_DEVICE", Severity::warning, "a tensor has an unknown device type",
     "torch.device() accepts the types in torch's list, and a backend registered with "
     "torch.utils.rename_privateuse1_backend(). The program loads only where that backend is registered."},
    {RuleId::meta_device_index, "META_DEVICE_INDEX", Severity::error, "a device index is out of range",
     "torch stores the index as a signed 8-bit integer."},
    {RuleId::meta_dtype, "META_DTYPE", Severity::error, "a tensor has an unknown dtype",
     "The enum ScalarType has different numbers in the schema than in c10. torch rejects unknown numbers, "
     "including 0."},
    {RuleId::meta_gradient, "META_GRADIENT", Severity::error, "an integer tensor requires gradients",
     "Only floating-point and complex tensors can have gradients. torch raises an exception."},
    {RuleId::meta_layout, "META_LAYOUT", Severity::warning, "a tensor has an unknown layout",
     "torch up to 2.13 ignores the layout of values; other runtimes may not."},
    {RuleId::meta_rank, "META_RANK", Severity::error, "a tensor has a different number of strides than sizes",
     "torch.empty_strided() needs one size and one stride for each dimension."},
    {RuleId::meta_size, "META_SIZE", Severity::error, "a size of a tensor is negative or too large",
     "torch cannot create the tensor."},
    {RuleId::meta_stride, "META_STRIDE", Severity::error,
     "a stride or the storage offset of a tensor is negative",
     "torch does not support negative strides or offsets."},
    {RuleId::module_root, "MODULE_ROOT", Severity::warning,
     "the module call graph does not begin with the model",
     "The first entry must be the model itself, with an empty name and a signature that contains the "
     "treespecs of the inputs and outputs. nativert reads this entry without checks, and torch needs it to "
     "turn the program into a module."},
    {RuleId::module_value, "MODULE_VALUE", Severity::error,
     "a module's signature names a value that the graph lacks",
     "torch's verifier rejects the program. If you rename or remove a value, do the same in "
     "module_call_graph."},
    {RuleId::name_code, "NAME_CODE", Severity::error,
     "a name that torch pastes into source code is not an identifier",
     "When torch loads a program, it writes and runs a Python function for each graph. Names of values, "
     "nodes, subgraphs, keywords and parameters must be identifiers. Names of weights and modules must not "
     "contain quotes, backslashes or control characters. No name may take the place of one that the "
     "function reads, such as self or torch.",
     FoundBy::both},
    {RuleId::name_empty, "NAME_EMPTY", Severity::error, "a value or subgraph has no name",
     "torch looks up values and subgraphs by name, so it cannot load the program."},
    {RuleId::name_repeated, "NAME_REPEATED", Severity::error, "a value is defined twice",
     "torch rejects a second definition of a name in a graph."},
    {RuleId::name_undefined, "NAME_UNDEFINED", Severity::error, "an undefined value is used",
     "A graph can use only its inputs and the results of its nodes. Pass all other values to a subgraph as "
     "inputs."},
    {RuleId::name_used_early, "NAME_USED_EARLY", Severity::error, "a value is used before it is defined",
     "Nodes run in the order of the graph. GraphIndex::topological_order() returns a valid order, if there "
     "is one."},
    {RuleId::nativert_order, "NATIVERT_ORDER", Severity::note, "inputs are not in nativert's order",
     "nativert reorders the inputs when it loads the program. torch accepts any order."},
    {RuleId::native_code, "NATIVE_CODE", Severity::error, "a record is native code",
     "torch loads the shared objects of an AOTInductor package and runs code from them before the model is "
     "called.",
     FoundBy::scan},
    {RuleId::nested_archive, "NESTED_ARCHIVE", Severity::error,
     "a file that torch unpickles is an archive that was not written by torch.save",
     "torch unpacks tar archives and unpickles their contents without weights_only. It also runs "
     "TorchScript. Different readers interpret archives with any other contents differently.",
     FoundBy::scan},
    {RuleId::node_name_repeated, "NODE_NAME_REPEATED", Severity::warning,
     "two nodes of a graph have the same name",
     "torch renames the second one, so references by name find the first."},
    {RuleId::not_functional, "NOT_FUNCTIONAL", Severity::error, "a functional program writes to a tensor",
     "Only programs with the TRAINING verifier may call operators that write to their arguments. torch's "
     "verifier rejects such calls in other programs."},
    {RuleId::not_understood, "NOT_UNDERSTOOD", Severity::error, "part of the file could not be interpreted",
     "pt2 cannot read this part, or does not know its purpose. It may be harmful: another runtime, or torch "
     "in this or another release, may run it.",
     FoundBy::scan},
    {RuleId::operand_device, "OPERAND_DEVICE", Severity::warning,
     "operands of a node are on different devices",
     "No kernel accepts operands on different devices, except for 0-dimensional CPU tensors. torch's fake "
     "tensors have the same restriction. Only pointwise operators, matrix products, and operators that "
     "read or fill by index or mask are checked."},
    {RuleId::operand_dtype, "OPERAND_DTYPE", Severity::warning,
     "an operand has a dtype that the operator does not accept",
     "Matrix products, convolutions and attention require equal dtypes; indices must be INT or LONG (some "
     "operators take only LONG), and masks BOOL. torch loads the program, but fails to run it. Nodes under "
     "wrap_with_autocast are not "
     "checked."},
    {RuleId::operand_shape, "OPERAND_SHAPE", Severity::warning,
     "the sizes of a node's operands contradict each other",
     "Only operands whose sizes are numbers are checked. torch loads the program, but fails to run it; an "
     "LSTM may even read and write outside its tensors."},
    {RuleId::operator_missing, "OPERATOR_MISSING", Severity::warning, "torch has no operator with this name",
     "The message names the releases that the operator table covers. A later release may have the "
     "operator."},
    {RuleId::operator_moved, "OPERATOR_MOVED", Severity::note,
     "torch no longer has the operator on this device",
     "Releases that no longer have the operator load the program, but fail to run the node, unless `pt2 "
     "upgrade` or `pt2.torch.load` replaces it with a call to the operator named in the message. `pt2 "
     "operators --torch` lists the calls that a release does not support."},
    {RuleId::operator_unknown, "OPERATOR_UNKNOWN", Severity::note, "an operator is from an unknown library",
     "Import the library before torch loads the program. Pass the operator's schema with `--operators` to "
     "check the nodes that call it."},
    {RuleId::output_kind, "OUTPUT_KIND", Severity::error, "a graph output has a kind that torch cannot load",
     "torch writes strings and other kinds, but raises an exception when it loads them: 'Unable to "
     "deserialize output node'. It loads tensors, symbolic numbers by name, integers, floats, bools and "
     "None. Return only these from forward()."},
    {RuleId::output_order, "OUTPUT_ORDER", Severity::error, "the outputs are not in torch's order",
     "torch distinguishes outputs by position: tokens first, then mutations, then user outputs."},
    {RuleId::pickle_global, "PICKLE_GLOBAL", Severity::error,
     "a pickle names a class or function that weights_only rejects",
     "Loading a pickle imports the globals that it names, and calls them with arguments from the pickle. "
     "torch.export.load does not use weights_only, which accepts only the globals of tensors, numbers and "
     "containers.",
     FoundBy::scan},
    {RuleId::pickle_legacy, "PICKLE_LEGACY", Severity::note, "a record is a pickle of plain values",
     "The pickle names only globals that weights_only accepts, some of them only once torchao is imported.",
     FoundBy::scan},
    {RuleId::pickle_malformed, "PICKLE_MALFORMED", Severity::error, "a pickle is malformed",
     "Python executes a malformed pickle up to the first error, and readers disagree about what counts as "
     "an error.",
     FoundBy::scan},
    {RuleId::range_empty, "RANGE_EMPTY", Severity::error, "a range is empty",
     "The lower bound exceeds the upper bound. torch rejects the range."},
    {RuleId::range_name, "RANGE_NAME", Severity::error, "an unbacked symbol has a malformed name",
     "torch expects a number after 'u' or 'zuf', and raises an exception otherwise."},
    {RuleId::range_unused, "RANGE_UNUSED", Severity::note, "no value uses the symbol of a range",
     "The range has no effect. torch warns about it."},
    {RuleId::record_checksum, "RECORD_CHECKSUM", Severity::error,
     "the bytes of a record do not match its checksum",
     "Archives only. The file was damaged or changed. torch does not compare checksums: it loads the "
     "weights as they are. `--no-checksums` skips the comparison, which requires reading the whole file."},
    {RuleId::record_name, "RECORD_NAME", Severity::error,
     "a record has a name that readers interpret differently",
     "torch unpacks records of compiled models by name, even to places outside their folder, and ignores "
     "case when it looks up records.",
     FoundBy::scan},
    {RuleId::result_count, "RESULT_COUNT", Severity::warning,
     "a node and its operator have different numbers of results",
     "Each result of the operator is one output of the node; a list counts as one result. The operator may "
     "have had a different number of results in an older release. torch loads the program, but fails to run "
     "it. A node without results is an error, because torch's verifier rejects it, unless the "
     "operator has no results either. torch exports such a node for a no_grad or autocast block whose "
     "results are unused; run_decompositions() inlines it, and `pt2 harden` removes it."},
    {RuleId::result_kind, "RESULT_KIND", Severity::error, "a result of a node is a literal",
     "Results are tensors, symbolic numbers, objects, lists of these, or None. torch cannot load anything "
     "else."},
    {RuleId::signature_count, "SIGNATURE_COUNT", Severity::error,
     "the number of specs differs from the number of inputs or outputs",
     "Each spec describes the graph's input or output at the same position."},
    {RuleId::signature_mismatch, "SIGNATURE_MISMATCH", Severity::error,
     "a spec does not match its input or output",
     "Each spec describes the graph's input or output at the same position, and must have the same name, "
     "kind and literal."},
    {RuleId::single_return, "SINGLE_RETURN", Severity::error,
     "is_single_tensor_return is set on a graph that does not return a single tensor",
     "is_single_tensor_return means that a subgraph returns its only output, a tensor, directly instead of "
     "in a list. The top-level graph always returns a list."},
    {RuleId::source_code, "SOURCE_CODE", Severity::error, "a record is source code or compiler flags",
     "torch compiles and runs the sources of AOTInductor and TorchScript. Compiler flags become part of a "
     "shell command.",
     FoundBy::scan},
    {RuleId::stale_type, "STALE_TYPE", Severity::warning,
     "the dtype or shape of a result differs from what its operator returns",
     "The value tables contain types that do not follow from the types of the node's inputs, for example "
     "because the program was edited. torch computes the types again, but its guards rely on the tables, "
     "as do tools that read them. infer_types(), or pt2.infer() in Python, corrects the tables. Each node "
     "is checked against the types of its inputs in the tables, so only the first node of a chain is "
     "reported."},
    {RuleId::subgraph_arity, "SUBGRAPH_ARITY", Severity::error,
     "a subgraph takes or returns the wrong number of values",
     "The operator passes its operands to its subgraph. For cond, while_loop, map, scan, associative_scan, "
     "hints_wrapper and strict_mode, the operands are in lists. For invoke_subgraph, "
     "tag_activation_checkpoint and wrap_..., they follow the subgraph. The subgraph must return the "
     "node's results. A while_loop has two subgraphs: the first must return the condition, the second the "
     "carried operands for the next step. Otherwise, the node fails when it runs."},
    {RuleId::symbol_unbounded, "SYMBOL_UNBOUNDED", Severity::note, "a symbol has no range",
     "Code that needs bounds, for example to plan memory, must allow for any value."},
    {RuleId::symbol_undefined, "SYMBOL_UNDEFINED", Severity::error, "an unbacked symbol is undefined",
     "A data-dependent symbol, such as u0 or zuf0, must occur somewhere as a size, stride or value, alone "
     "or multiplied by a factor. Otherwise, torch rejects the program: 'expected no unbacked symbols'."},
    {RuleId::target_code, "TARGET_CODE", Severity::error,
     "torch would look up a name that is not a known operator or function",
     "torch looks up the names in target, as_operator and source_fn_stack attribute by attribute in its own "
     "modules, from which all of Python can be reached. Looking up an attribute can run code, and nodes "
     "call the result. An argument that a higher-order operator calls, formats, looks up or compiles must "
     "be a graph, an operator or literal text, not a value: torch would also look up attributes in "
     "format strings, such as {0.name}.",
     FoundBy::both},
    {RuleId::target_empty, "TARGET_EMPTY", Severity::error, "an input has an empty target",
     "The target is the name by which torch looks up the weight, constant or object in the model."},
    {RuleId::target_repeated, "TARGET_REPEATED", Severity::note, "two inputs have the same target",
     "Both inputs are the same tensor in the model, but a mutation affects only one of the inputs."},
    {RuleId::target_reserved, "TARGET_RESERVED", Severity::error,
     "a weight has a name that torch cannot use as an attribute",
     "torch loads the program, but cannot turn it into a module. torch uses each part of the name as an "
     "attribute, so no part may be a Python keyword. The first part becomes an attribute of a GraphModule, "
     "where names such as graph and code are taken. Rename the weight with `pt2 rename`."},
    {RuleId::target_syntax, "TARGET_SYNTAX", Severity::error, "a node has a malformed operator name",
     "torch accepts 'torch.ops.namespace.name.overload', higher-order operators without an overload, "
     "functions of torch, _operator and math, and '#namespace:name' for extensions."},
    {RuleId::target_unknown, "TARGET_UNKNOWN", Severity::error,
     "a mutation or gradient has an unknown target",
     "The target must be a parameter, a buffer or a user input of this program. torch's verifier rejects "
     "other targets."},
    {RuleId::treespec_code, "TREESPEC_CODE", Severity::error,
     "a treespec names something that torch would import",
     "torch imports members of enums and factories of defaultdicts from any module that the string names. "
     "pt2 accepts only a few enums, and as factories only Python's built-in container and number types.",
     FoundBy::both},
    {RuleId::treespec_key, "TREESPEC_KEY", Severity::error, "a dict key in a treespec is a list",
     "torch writes a tuple key as a list in JSON, and reads it back as a list, which cannot be a dict key. "
     "Calling the module raises a TypeError. The finding is a warning in the spec of an inner module, "
     "because only unflatten() uses that spec. Use strings or numbers as keys of inputs and outputs."},
    {RuleId::treespec_leaves, "TREESPEC_LEAVES", Severity::warning,
     "the number of leaves in a treespec differs from the number of values",
     "in_spec and out_spec describe how the flat inputs and outputs of a module are nested. Calling the "
     "module fails."},
    {RuleId::treespec_syntax, "TREESPEC_SYNTAX", Severity::error, "a treespec is malformed",
     "in_spec and out_spec are written by torch.utils._pytree.treespec_dumps(). torch raises an exception "
     "when it loads the program."},
    {RuleId::unreadable, "UNREADABLE", Severity::error, "the file, or a program in it, cannot be read",
     "The file or program violates the schema or the format of its container, has an unknown version, or "
     "exceeds the limits. It is unknown how torch would treat the file.",
     FoundBy::check},
    {RuleId::value_misplaced, "VALUE_MISPLACED", Severity::error,
     "a value is in the table for a different kind of value",
     "tensor_values, sym_int_values and so on contain the types of values. The kind of an argument "
     "determines which table its value belongs in."},
    {RuleId::value_missing, "VALUE_MISSING", Severity::error, "a value is missing from its table",
     "torch needs the type of each value, and raises an exception."},
    {RuleId::value_repeated, "VALUE_REPEATED", Severity::error, "a value is in several tables",
     "torch uses the last entry; other runtimes may use the first."},
    {RuleId::value_unused, "VALUE_UNUSED", Severity::warning,
     "a table has a value that no input or node defines",
     "The entry has no effect. The input or node that defined the value was removed."},
    {RuleId::verifier_unknown, "VERIFIER_UNKNOWN", Severity::warning,
     "the program names an unknown verifier dialect",
     "The field `verifiers` names the dialects that torch checks when it loads the program. torch raises an "
     "exception if one is not registered. Libraries such as ExecuTorch register their own."},
    {RuleId::weight_class, "WEIGHT_CLASS", Severity::warning, "a weight is a tensor subclass",
     "Archives only. The weight is pickled, like torchao's quantized tensors. To load it, torch imports its "
     "class and runs the class's code. torch.load with weights_only rejects it, except for a class of "
     "torchao "
     "once torchao is imported; the finding is then a note. `pt2 weights` lists the tensors in it."},
    {RuleId::weight_mismatch, "WEIGHT_MISMATCH", Severity::warning,
     "a weight's dtype or sizes differ from those in the graph",
     "Archives only. torch loads the archive, and runs the graph with the mismatched tensor."},
    {RuleId::weight_missing, "WEIGHT_MISSING", Severity::error,
     "the archive lacks a weight, constant or object of the program",
     "Archives only. torch's verifier rejects the program, because the name is neither in the state dict "
     "nor among the constants."},
    {RuleId::weight_record, "WEIGHT_RECORD", Severity::error,
     "a weights config, or a record that it names, is malformed",
     "Archives only. The config names a missing record, or a tensor extends past the end of its record."},
    {RuleId::weight_stripped, "WEIGHT_STRIPPED", Severity::warning,
     "the archive has no bytes for some of its tensors",
     "Archives only. `pt2 strip` wrote the archive, or a tool like it. torch loads zeros in place of these "
     "tensors, without a warning. `pt2 attach` restores them."},
    {RuleId::zip_trick, "ZIP_TRICK", Severity::error, "the parts of an archive contradict each other",
     "Another reader may see different members or contents. Causes are duplicate names, headers that "
     "disagree, overlapping members, and bytes that belong to no member.",
     FoundBy::scan},
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
  constexpr const char* kTexts[] = {"error", "warning", "note"};
  return kTexts[static_cast<std::size_t>(severity)];
}

const Rule& rule_of(RuleId id) {
  return kRuleRows[static_cast<std::size_t>(id)].rule;
}

std::optional<RuleId> find_rule(std::string_view id) {
  for (const RuleRow& row : kRuleRows) {
    if (row.rule.id == id) return row.id;
  }
  return std::nullopt;
}

std::string unknown_rule(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const Rule* const rule : rules()) ids.emplace_back(rule->id);
  return schemagen::with_suggestion("unknown rule " + schemagen::quoted(id), id, ids);
}

std::string explanation_of(std::string_view id) {
  const std::optional<RuleId> found = find_rule(id);
  if (!found) throw schemagen::UsageError(unknown_rule(id));
  const Rule& rule = rule_of(*found);
  return std::string(rule.id) + " (" + severity_text(rule.severity) + "): " + rule.summary + "\n\n" +
         rule.explanation + "\n";
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
