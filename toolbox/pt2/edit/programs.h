// Whole programs: with new names, on other devices, for other releases of PyTorch, cut to a part, without
// what they can do without, or two as one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

class ProgramFile;
struct LoadedProgram;

/// A name, and what takes its place.
struct NameChange {
  std::string old_name;
  std::string new_name;
};

/// Gives new names, all at once, so that two may be swapped. An old name is that of a value: an input, an
/// output or any other of the graph, or if the top graph has none of that name, of the one subgraph that has
/// it; or else what the model calls a parameter, buffer, constant or custom object, such as `layer.weight`.
/// Each is changed wherever the program names it: in arguments, tables, the signature and the signatures of
/// modules. What metadata and guards say stays, as it is about the model's source.
///
/// `weights`: the names that the program's archive has for tensors. Of a tensor that modules share, programs
/// know one name; the others are names in the model, too, that only the archive has.
///
/// Returns the changes that were of names in the model: an archive's tables of weights need them, too.
/// Errors: UsageError, and the program is as it was, if a name is not there, several subgraphs have it, or it
/// is given twice; a new name is taken, or is not one that Python could have.
std::vector<NameChange> rename(ExportedProgram& program, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});
/// The same of a program that was read: LoadedProgram::kept moves with the entries of tables that it is in.
std::vector<NameChange> rename(LoadedProgram& loaded, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights = {});

/// `cpu`, `cuda:1`, as torch.device() takes it. Errors: UsageError, if it is no such text.
Device parse_device(std::string_view text);

/// Which devices are changed, and to what.
struct DeviceChange {
  Device to;
  /// Null: all of them. Without an index, those of its type, whatever their index.
  std::optional<Device> from;
};

/// Changes the devices of all values, of the graph and its subgraphs, and of arguments that are devices, or
/// that name the type of a device as torch.autocast's do. Returns how many. What metadata and guards say
/// stays. Whether the operators exist on that device is not looked at.
std::size_t retarget(ExportedProgram& program, const DeviceChange& change);

/// The same for the tensors in a table of weights.
std::size_t retarget(PayloadConfig& config, const DeviceChange& change);

/// To which dtype a program goes, and what does not go with it.
struct DtypeChange {
  ScalarType to;  // float16, bfloat16, float32 or float64
  /// Names of weights and inputs that keep their dtypes, and of nodes (or what they give) that compute as
  /// before; of modules, whose weights and nodes all do.
  std::vector<std::string> keep = {};
};

/// What such a change did.
struct Retyped {
  std::size_t changed = 0;           // dtypes of values, and arguments that are dtypes
  std::size_t casts = 0;             // nodes that were put in
  std::vector<std::string> weights;  // whose bytes have to be converted, by what the model calls them
  std::vector<bool> keeps_input;     // of the user's tensors, in their order
  bool drops_samples = false;        // of an archive: they cannot be written without the code that reads them
};

/// Makes what is float16, bfloat16, float32 or float64 `change.to`: weights, inputs, values, and arguments
/// that are dtypes, `_to_copy(x, dtype=float32)` among them. Complex, whole and quantized numbers stay;
/// values are what infer_results() says. Where something else comes out, as what is kept or a float that
/// torch makes by default, nodes that are not kept are given copies of the dtype, and kept ones of what they
/// had. Literals that fill or bound are brought into the range of the dtype. torch.autocast() is switched off
/// for float32.
///
/// Errors: UsageError, and the program is as it was, if `keep` has a name that nothing has; with the nodes,
/// if some cannot be retyped and are not kept: there is no rule for what they give, the operator is not known
/// or quantizes, they would make complex numbers of 16 bits, look at bits, or write to what would be a copy.
Retyped retarget(ExportedProgram& program, const DtypeChange& change, const OperatorSet& operators = {});

/// The same of the model `model` (nullopt: the only one) of `file`, an archive, which is written to `out`
/// with its weights and sample inputs converted, see convert(); all else is copied byte for byte, and what a
/// newer schema added to the program is kept. Weights that no node uses are converted, too. Storages pass
/// through in parts. Errors: also UsageError if `file` is no archive, or weights that share a storage would
/// differ in their dtypes; DataError if its weights are pickled (torch up to 2.8), big-endian, or one to be
/// converted is of a class of its own.
Retyped retarget_archive(const ProgramFile& file, const DtypeChange& change,
                         const std::optional<std::string>& model, const ByteSink& out);

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

/// What the second program gets from the first: an output of one, by its name, is an input of the other.
struct Connection {
  std::string output;
  std::string input;
};

struct JoinedProgram {
  ExportedProgram program;
  /// Parameters, buffers, constants and objects of the second program that have other names now, as the first
  /// one has some of those names. Whoever writes an archive needs them for the second program's tensors.
  std::vector<NameChange> renamed;
};

/// `first`, and then `second` on what it gives: its user inputs are those of the first, then those of the
/// second that are not connected, its user outputs those of the first that are not connected, then those of
/// the second. Parameters, buffers and mutations are those of both; that two have one name does not make them
/// one. Values of the second get other names where the first has theirs, and so do symbols, but those that
/// stand for sizes which are connected become what the first has there, with what both know of their ranges.
/// A mutation of an input that is connected to what is no input is gone.
///
/// The trees of arguments and results stay where only one of the programs has some, and are flat tuples
/// otherwise; guards of the first stay where its arguments are those of the whole, those of the second do
/// not. Signatures of the second's modules do not come along.
///
/// Errors: UsageError: a connection names no user's output of the first or no user's input of the second, or
/// an input twice; what is connected is of another kind, dtype, rank or device, or has sizes that cannot be
/// those that are taken; opsets differ; a program has tokens, a loss or gradients. DataError of
/// parse_expression().
JoinedProgram join(const ExportedProgram& first, const ExportedProgram& second,
                   const std::vector<Connection>& connections);

/// The release of PyTorch whose calls `program` has, `2.6`: the one that it names or, as up to 2.4 none is
/// named, the first that wrote its schema; this also where it names a release of a later schema, as what was
/// downgraded does. `upgraded_from`: what that was, see LoadedProgram.
std::string release_of(const ExportedProgram& program,
                       const std::optional<SchemaVersion>& upgraded_from = std::nullopt);

/// What became of a call on its way to another release of PyTorch.
struct CallChange {
  std::string path;  // of the node: `graph_module.graph.nodes[3]`
  std::string
      what;  // such as "aten.foo.default: 'a' becomes 'b'"; "aten.foo.default has no argument 'c' in ..."
  bool is_done = false;  // false: it cannot be done, and the node is as it was
};

/// Makes calls of operators that release `from` of PyTorch has with other arguments than release `to`, both
/// as `2.6`, calls of the latter: arguments get other names or, if they have their default values, are left
/// out; what was left out is given where the default value is another one. What the releases have is as
/// find_operator() says; of types only tuples are looked at, which programs cannot give. Functions of
/// torch's modules that `to` cannot load calls of, as vmap leaves them, are refused; operators that only one
/// of them has are passed over, see supported_by_torch(), and so are calls that only `to` takes as they are.
/// Calls that neither takes, but the release of operator_releases().schemas, are taken for its own.
///
/// Returns what was changed, and what cannot be. O(nodes).
std::vector<CallChange> port_calls(ExportedProgram& program, std::string_view from, std::string_view to);

/// The same of a program that was loaded, from its release_of() to that of operator_releases().schemas; one
/// of that release or a later one stays as it is.
std::vector<CallChange> port_calls(LoadedProgram& loaded);

/// What can be left out of a program, or of the archive that it is in: torch loads and runs what stays.
enum class SlimPart {
  stack_traces,  // the metadata `stack_trace` of nodes
  metadata,      // all metadata of nodes, which torch.export.unflatten() needs, stack traces included
  samples,       // the sample inputs of archives: `example_inputs` of what torch loads is None
  unused,        // parameters, buffers and constants that nothing uses, and their bytes
  names,         // of values, nodes, subgraphs and symbols: see CanonicalForm::names
};

/// `stack-traces`, `metadata`, `samples`, `unused`, `names`
std::string_view name_of(SlimPart part);
inline constexpr SlimPart kSlimParts[] = {SlimPart::stack_traces, SlimPart::metadata, SlimPart::samples,
                                          SlimPart::unused, SlimPart::names};

/// Takes `part` out of `program`. Of `unused`, returns what the model calls the tensors that are gone: an
/// archive's tables of weights need not have them any more. What an output mutates or a module's signature
/// names is used. O(nodes). Errors: those of canonicalize().
std::vector<std::string> slim(ExportedProgram& program, SlimPart part);

struct SlimOptions {
  std::vector<SlimPart> parts;
  /// Puts in order what has none (tables of values and weights, metadata, guards, models, records) and
  /// numbers tensors anew, so that the same content gives the same bytes, whatever order it was written in.
  bool reproducible = false;
  std::optional<std::string> model;  // nullopt: all
};

struct SlimSaving {
  SlimPart part;
  std::uint64_t bytes = 0;  // of JSON and records, not compressed
};

/// Whether what a newer schema added to a program can stay: not where values are dropped or renamed, which it
/// may use.
bool can_keep_unknown(const SlimOptions& options);

/// Takes the parts out of `program`, one after the other in the order of the enumerators; what each saved, of
/// its JSON.
std::vector<SlimSaving> slim(ExportedProgram& program, const SlimOptions& options);
/// The same of what was read, with what was kept of it. Errors: also DataError, if something was that cannot
/// stay.
std::vector<SlimSaving> slim(LoadedProgram& loaded, const SlimOptions& options);

/// The same of the models of `file`, an archive, which is written to `out` without the parts; all else is
/// copied byte for byte, and what a newer schema added to programs is kept if it can be. Weights pass through
/// in parts. Errors: UsageError if it is no archive, or there is no such model; DataError if its weights are
/// pickled (torch up to 2.8): see write_raw_archive(); those of load_program() and ZipReader::copy().
std::vector<SlimSaving> slim_archive(const ProgramFile& file, const SlimOptions& options,
                                     const ByteSink& out);

/// A container of a class in the trees of inputs or outputs, and what it is now.
struct PlainContainer {
  std::string module;      // whose inputs or outputs; empty: the model's
  bool is_input = false;   // among the inputs, not the outputs
  std::string place;       // as Python finds it now: `args[0]['x']`, `kwargs['mask']`, `result[1]`
  std::string class_name;  // with which it was registered
  std::string type;        // now: `dict`, `tuple` or `list`
  /// What the class called its items, each as JSON: of a dict, its keys. Empty also where that is not known.
  std::vector<schemagen::Json> names;
};

struct PlainTrees {
  /// By module, the inputs first, containers before those in them.
  std::vector<PlainContainer> containers;
  /// Of guards_code, those that are gone, as they ask for an item whose name no tree knows.
  std::vector<std::string> guards;

  /// Whether the model is called with other containers than before.
  bool changes_call() const noexcept;
};

/// Has the trees of inputs and outputs, of the model and its modules, without classes, so that torch needs to
/// know none: what has names for its items (dataclasses, model outputs, caches) becomes a dict of them in
/// their order, a namedtuple and all else a tuple. Fields that were None, which have no items, are not in the
/// dict. The values stay, and their order; what else a class has in its context is gone. Tuples, lists,
/// dicts, OrderedDicts, defaultdicts and deques stay, unless their keys or defaults need a class. Guards ask
/// for the same items by their new places.
///
/// Sample inputs, which an archive holds beside the program, still are of the classes: if changes_call(),
/// leave them out, as slim_archive() does. Errors: DataError, and the program is
/// as it was, if a tree is malformed.
PlainTrees make_trees_plain(ExportedProgram& program);

}  // namespace pt2
