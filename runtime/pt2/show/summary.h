// What a program is, in numbers and names. All functions may be called from several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

/// An input that the caller passes, or an output that the caller gets.
struct SummaryValue {
  std::string name;                     // of the value; a literal as Python writes it
  std::string type;                     // see type_text() and tensor_type_text(); empty for literals
  std::optional<std::string> constant;  // of an input whose value the export fixed: the literal
};

/// Tensors of one kind that a program has.
struct TensorCount {
  std::size_t tensors = 0;
  std::int64_t elements = 0;  // of those whose size is known
  std::int64_t bytes = 0;     // of those whose size is known
  std::size_t unsized = 0;    // tensors with symbolic sizes, without a known dtype, or that are in no table
};

/// Kinds and operators with how often they occur.
using Counts = std::vector<std::pair<std::string, std::size_t>>;

struct ProgramSummary {
  std::vector<SummaryValue> user_inputs;
  std::vector<SummaryValue> user_outputs;
  Counts other_inputs;   // by kind as in InputSpec, in its order: {"parameter", 4}
  Counts other_outputs;  // by kind as in OutputSpec, in its order

  // Tensors that share their storage are counted each.
  TensorCount parameters;
  TensorCount buffers;                 // persistent: those of the state dict
  TensorCount non_persistent_buffers;  // kept among the constants
  TensorCount constants;

  std::size_t nodes = 0;      // those of subgraphs included
  std::size_t subgraphs = 0;  // at all depths
  Counts operators;           // of all graphs: the most frequent first, then by name
};

/// The summary of `program`. Inputs and outputs that the signature does not have are left out.
ProgramSummary summarize(const ExportedProgram& program);

/// How many nodes `graph` and its subgraphs have.
std::size_t count_nodes(const Graph& graph);

}  // namespace pt2
