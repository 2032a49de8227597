// Canonical forms: of the many ways to write a program, one; and what a program hashes to.
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
  /// What torch 2.13's canonicalize makes of a program; to_json() of it is what torch dumps, byte for byte,
  /// bugs
  /// included.
  ///
  /// Inputs and outputs are sorted by what they stand for, nodes topologically by operator, argument names
  /// and
  /// ranks of their operands, values are `_0`, `_1`, ..., subgraphs `_g0`, ... in each graph, nodes lose
  /// their
  /// metadata. It is not canonical: of nodes that differ in literals only, the one that stood first stays
  /// first; names in dicts, of nodes and in `module_call_graph`, and symbols stay as they are; the graph
  /// module's metadata and named tuples are lost; values whose names look like `_1` already can lose their
  /// entries in the tables.
  ///
  /// Errors: DataError where torch raises, e.g. for a program without outputs, a name that is not defined, or
  /// an argument `as_optional_tensor`. Source: canonicalize() and _canonicalize_graph(),
  /// torch/_export/serde/serialize.py (PyTorch 2.13).
  torch,

  /// Names that say nothing but where a thing is first defined. What the program computes, and the order of
  /// its
  /// nodes, inputs, outputs and modules, stay as they are. Applied again, changes nothing.
  ///
  /// In each graph, values are `_0`, `_1`, ... in the order of definition: inputs, then results of nodes;
  /// then
  /// names that nothing defines, then those that only value tables have. An input that is a constant counts
  /// among
  /// them. Nodes are called like their one result, else `n` and their index; subgraphs `_g0`, `_g1`, ... in
  /// the
  /// order of use. Symbols are `s0`, `s1`, ... in the order in which values are defined that have them; those
  /// that torch takes for unbacked or for floats keep that: `u0`, `zf0`, `zuf0`. Sums and other commutative
  /// expressions are put in order.
  ///
  /// Sorted by key: value tables, constraints, metadata, opset, dicts, fields of named tuples; guards by
  /// text.
  /// Names of parameters and other keys of the weights, texts and comments are not renamed.
  names,

  /// The form `names` with the nodes in an order that only the structure decides: see node_order.h. Programs
  /// have
  /// the same normal form if they differ in nothing but names and the order of nodes that do not depend on
  /// each
  /// other. Applied again, changes nothing.
  ///
  /// Errors: DataError if a value is defined twice, or used before it is defined.
  normal,
};

/// What becomes of the record of where a program came from: `torch_version`, and in the nodes' metadata
/// `stack_trace`, `nn_module_stack`, `source_fn_stack`, `torch_fn` and `from_node`. The form torch drops all
/// metadata of nodes and keeps the version, whatever is asked for.
enum class Provenance { drop, keep };

/// `program` in a canonical form. Errors: DataError if it has no such form.
ExportedProgram canonicalize(ExportedProgram program, CanonicalForm form,
                             Provenance provenance = Provenance::drop);

/// Of a graph: the old names of its values and subgraphs, by the new ones, and the same of its subgraphs.
struct OriginalNames {
  schemagen::Map<std::string> names;
  std::map<std::size_t, std::vector<OriginalNames>> subgraphs;  // by index of the node
};

/// A program in its normal form that still knows the names of its file.
struct NormalProgram {
  ExportedProgram program;
  OriginalNames names;  // of its graph
};

/// The normal form of `program`, and its names. Nodes that call what `operators` does not know stay in their
/// order. Errors: DataError if it has none.
NormalProgram normalize(ExportedProgram program, const OperatorSet& operators = {});

/// The JSON of the program's form normal without its provenance: the same for all programs
/// that compute the same by the same nodes, however they are named and ordered.
/// Errors: DataError if a name is used that nothing defines: what such a program computes cannot be told, nor
/// whether another one computes the same.
std::string content_text(ExportedProgram program);

/// The SHA-256 of content_text(): `sha256:` and 64 lower-case digits. Weights are not hashed.
std::string content_hash(ExportedProgram program);

}  // namespace pt2
