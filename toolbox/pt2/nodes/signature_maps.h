// A signature from what is known of a graph's inputs and outputs by name.
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
  std::string name;  // of an input that is a literal; of no use for all others, which are named by `argument`
};

/// What AOTAutograd knows of a graph; the keys of maps are names of inputs or outputs.
struct SignatureMaps {
  std::vector<SignatureValue> inputs;   // in the order of the graph
  std::vector<SignatureValue> outputs;  // tokens and mutations first
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
  std::string loss_output;  // empty: none
  std::set<std::string> input_tokens;
  std::set<std::string> output_tokens;
};

/// The specs, as torch's _sig_to_specs and _convert_to_export_graph_signature make them: an output is a
/// mutation by its place, among the first as many as there are mutations and tokens. What is not a tensor is
/// the user's. Errors: DataError if a tensor is in none of the maps.
GraphSignature signature_from_maps(const SignatureMaps& maps);

}  // namespace pt2
