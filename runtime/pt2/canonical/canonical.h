// Computes canonical forms and content hashes of programs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

enum class CanonicalForm {
  /// The form that canonicalize() of torch 2.13 returns. When this form is written with to_json(), the output
  /// equals torch's byte for byte, bugs included.
  ///
  /// Inputs and outputs are sorted by kind. Nodes are sorted topologically, and then by operator, argument
  /// names and the ranks of their operands. In each graph, values are renamed to `_0`, `_1` and so on, and
  /// subgraphs to `_g0`, `_g1` and so on. Nodes lose their metadata.
  ///
  /// Despite the name of torch's function, the form is not canonical. Nodes that differ only in literals keep
  /// their relative order. Symbols, names of nodes, and names in dicts and in `module_call_graph` do not
  /// change. The graph module's metadata and named tuples are lost. Values that already have a name like `_1`
  /// can lose their table entries.
  ///
  /// Throws DataError where torch raises an exception: if a program has no outputs, uses an undefined name,
  /// or has an `as_optional_tensor` argument. Source: canonicalize() and _canonicalize_graph() in
  /// torch/_export/serde/serialize.py (PyTorch 2.13).
  torch,

  /// A form in which everything is named by the position of its definition. The computation and the order of
  /// nodes, inputs, outputs and modules do not change. Idempotent.
  ///
  /// In each graph, values are renamed to `_0`, `_1` and so on, in order of definition: inputs (including
  /// constant inputs), then results of nodes, then undefined names, then names that occur only in value
  /// tables. A node with a single result gets the result's name; any other node is named `n` plus its index.
  /// Subgraphs are renamed to `_g0`, `_g1` and so on, in order of use. Symbols are renamed to `s0`, `s1` and
  /// so on, in the order of the values whose types use them; unbacked and float symbols keep their prefixes,
  /// as in `u0`, `zf0` and `zuf0`. Operands of commutative functions are sorted.
  ///
  /// Value tables, range constraints, metadata, the opset, dicts and the fields of named tuples are sorted by
  /// key; guards are sorted by their text. Weight names, strings and comments do not change.
  names,

  /// Like `names`, but nodes are also sorted into an order that depends only on the graph's structure; see
  /// stages.h. Programs that differ only in names and in the order of independent nodes have the same
  /// normal form. Idempotent.
  ///
  /// Throws DataError if a value is defined twice or used before its definition.
  normal,
};

/// Throws UsageError unless `name` is `torch`, `names` or `normal`.
CanonicalForm canonical_form_named(std::string_view name);

/// Whether to keep the fields that record a program's origin. These are `torch_version` and, in node
/// metadata, `stack_trace`, `nn_module_stack`, `source_fn_stack`, `torch_fn` and `from_node`.
/// CanonicalForm::torch ignores this option: it always drops node metadata and keeps the version.
enum class Provenance { drop, keep };

/// Returns `program` in the canonical form `form`. Throws DataError if the program has no such form.
ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form,
                             Provenance provenance = Provenance::drop);

/// Maps the new names of a graph's values and subgraphs to their original names.
struct OriginalNames {
  schemagen::Map<std::string> names;
  /// Maps a node's index to the names in the node's subgraphs.
  std::map<std::size_t, std::vector<OriginalNames>> subgraphs;
};

/// A program in normal form, and its original names.
struct NormalProgram {
  ExportedProgram program;
  OriginalNames names;                  // the names in the top-level graph
  schemagen::Map<std::string> symbols;  // the original names of symbols by their new ones
};

/// Returns the normal form of `program` and the original names. Nodes that call unknown operators keep their
/// relative order. Throws DataError if the program has no normal form.
NormalProgram normalize(ExportedProgram program, const OperatorSet& operators = {});

/// Returns the JSON of the normal form without provenance. This JSON is the same for programs that differ
/// only in names and in the order of independent nodes. Throws DataError if the program uses an undefined
/// name.
std::string content_text(ExportedProgram program);

/// Returns the SHA-256 hash of content_text() as `sha256:` followed by 64 lower-case hexadecimal digits.
/// Weights are not hashed.
std::string content_hash(ExportedProgram program);

}  // namespace pt2
