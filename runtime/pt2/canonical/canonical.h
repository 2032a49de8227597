// Canonical forms and content hashes of programs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

enum class CanonicalForm {
  /// The output of torch 2.13's canonicalize. Its to_json() equals torch's dump byte for byte, bugs included.
  ///
  /// Inputs and outputs are sorted by kind, nodes topologically by operator, argument names and ranks of
  /// their operands. Values become `_0`, `_1`, ..., subgraphs `_g0`, ... in each graph, and nodes lose their
  /// metadata. The form is not canonical: nodes that differ only in literals keep their relative order;
  /// symbols, names of nodes, and names in dicts and in `module_call_graph` are unchanged; the graph module's
  /// metadata and named tuples are lost; values already named like `_1` can lose their table entries.
  ///
  /// Throws DataError where torch raises: for a program without outputs, an undefined name, or an argument
  /// `as_optional_tensor`. Source: canonicalize() and _canonicalize_graph() in
  /// torch/_export/serde/serialize.py (PyTorch 2.13).
  torch,

  /// Names by position of their definition. The computation and the order of nodes, inputs, outputs and
  /// modules are unchanged. Idempotent.
  ///
  /// In each graph, values become `_0`, `_1`, ... in order of definition: inputs (constant ones included),
  /// then results of nodes, then undefined names, then names that occur only in value tables. A node with a
  /// single result has its name; other nodes become `n` and their index; subgraphs `_g0`, `_g1`, ... in order
  /// of use. Symbols become `s0`, `s1`, ... in the order of the values that have them; unbacked and float
  /// symbols keep their prefix: `u0`, `zf0`, `zuf0`. Operands of commutative functions are sorted.
  ///
  /// Value tables, constraints, metadata, opset, dicts and fields of named tuples are sorted by key, guards
  /// by text. Keys of the weights, strings and comments are not renamed.
  names,

  /// Like `names`, with the nodes in an order that depends only on structure: see node_order.h. Programs that
  /// differ only in names and in the order of independent nodes have the same normal form. Idempotent.
  ///
  /// Throws DataError if a value is defined twice or used before its definition.
  normal,
};

/// Whether to keep what records a program's origin: `torch_version`, and in the nodes' metadata
/// `stack_trace`, `nn_module_stack`, `source_fn_stack`, `torch_fn` and `from_node`. The form torch ignores
/// this option: it drops all node metadata and keeps the version.
enum class Provenance { drop, keep };

/// Returns `program` in a canonical form. Throws DataError if it has none.
ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form,
                             Provenance provenance = Provenance::drop);

/// The original names of a graph's values and subgraphs, by their new names.
struct OriginalNames {
  schemagen::Map<std::string> names;
  std::map<std::size_t, std::vector<OriginalNames>> subgraphs;  // by index of the node that takes them
};

/// A program in normal form with the names that its file used.
struct NormalProgram {
  ExportedProgram program;
  OriginalNames names;  // of the top graph
};

/// Returns the normal form of `program` with its original names. Nodes that call unknown operators keep their
/// order. Throws DataError if there is no normal form.
NormalProgram normalize(ExportedProgram program, const OperatorSet& operators = {});

/// Returns the JSON of the normal form without provenance. It is the same for all programs with the same
/// nodes, whatever their names and order. Throws DataError if the program uses an undefined name.
std::string content_text(ExportedProgram program);

/// Returns the SHA-256 of content_text(): `sha256:` and 64 lower-case digits. Weights are not hashed.
std::string content_hash(ExportedProgram program);

}  // namespace pt2
