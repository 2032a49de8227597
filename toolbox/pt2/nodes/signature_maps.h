// Builds a GraphSignature from AOTAutograd's maps of input and output names.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// An input or output of a graph.
struct SignatureValue {
  Argument argument;
  /// The name of an input that is a literal; otherwise empty, because `argument` contains the name.
  std::string name;
};

/// AOTAutograd's maps for a graph. Their keys are names of graph inputs or outputs.
struct SignatureMaps {
  std::vector<SignatureValue> inputs;   // in graph order
  std::vector<SignatureValue> outputs;  // with tokens and mutations first
  std::set<std::string> user_inputs;
  std::set<std::string> user_outputs;
  schemagen::Map<std::string> inputs_to_parameters;
  schemagen::Map<std::string> inputs_to_buffers;
  std::set<std::string> non_persistent_buffers;  // names in the model
  schemagen::Map<std::string> buffers_to_mutate;
  schemagen::Map<std::string> parameters_to_mutate;
  schemagen::Map<std::string> user_inputs_to_mutate;
  schemagen::Map<std::string> gradients_to_parameters;
  schemagen::Map<std::string> gradients_to_user_inputs;
  std::string loss_output;  // empty if there is no loss
  std::set<std::string> input_tokens;
  std::set<std::string> output_tokens;
};

/// Returns the same specs as torch's _sig_to_specs and _convert_to_export_graph_signature. If there are N
/// mutations and tokens in total, the first N outputs are treated as mutations. Inputs and outputs other than
/// tensors become user inputs and outputs. Throws DataError if a tensor is not in any of the maps.
GraphSignature signature_from_maps(const SignatureMaps& maps);

}  // namespace pt2
