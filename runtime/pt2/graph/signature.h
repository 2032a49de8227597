// Inputs and outputs of any kind in a uniform way, and the signature with torch.export's properties.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// The parts of a spec. Pointers refer to members of the spec and are null if its kind has no such part.
/// `Spec` is InputSpec or OutputSpec, const or not.
template <class Spec>
struct SpecParts {
  template <class T>
  using Part = std::conditional_t<std::is_const_v<Spec>, const T, T>;

  typename Spec::Kind kind = Spec::unset;
  /// The name of the graph's input or output. Null for a user's literal or list.
  Part<std::string>* name = nullptr;
  /// The value or literal of a user input or output.
  Part<Argument>* argument = nullptr;
  /// The name in the model, e.g. `layer.weight`; for a gradient or a new value, the name of the corresponding
  /// user input.
  Part<std::string>* target = nullptr;
  bool target_is_input = false;  // whether `target` is the name of a graph input
  /// The value of a user input that was fixed during export.
  Part<ConstantValue>* constant = nullptr;
  std::optional<bool> persistent;  // for a buffer
};

/// Returns the parts of `spec`, which must outlive them and keep its kind.
template <class Spec>
SpecParts<Spec> parts_of(Spec& spec);

extern template SpecParts<InputSpec> parts_of(InputSpec& spec);
extern template SpecParts<const InputSpec> parts_of(const InputSpec& spec);
extern template SpecParts<OutputSpec> parts_of(OutputSpec& spec);
extern template SpecParts<const OutputSpec> parts_of(const OutputSpec& spec);

/// Returns whether the caller passes the input or receives the output.
bool is_users(InputSpec::Kind kind) noexcept;
bool is_users(OutputSpec::Kind kind) noexcept;
/// Returns whether the output is the new value of a buffer, parameter or user input.
bool is_mutation(OutputSpec::Kind kind) noexcept;

/// An input that the caller passes, or an output that the caller receives.
struct UserValue {
  std::string name;        // of the value; empty for a constant
  ConstantValue constant;  // unset for a value, and for a list, which torch cannot load
};

/// Returns a literal as a constant; unset for values and lists.
ConstantValue constant_of(const Argument& literal);

/// The gradients among the outputs of a joint graph, by name of the graph output.
struct ExportBackwardSignature {
  schemagen::Map<std::string> gradients_to_parameters;   // to names in the model
  schemagen::Map<std::string> gradients_to_user_inputs;  // to names of graph inputs
  std::string loss_output;
};

/// A program's GraphSignature with the properties of torch.export.graph_signature.ExportGraphSignature, in
/// the same order. Maps go from names of graph inputs or outputs to names in the model; if a name occurs
/// twice, the last one counts. Look-ups are O(1). Everything else takes linear time at each call.
class ExportGraphSignature {
 public:
  using Names = std::vector<std::string>;
  using NameMap = schemagen::Map<std::string>;

  /// `signature` must outlive this object and not change.
  explicit ExportGraphSignature(const GraphSignature& signature);
  explicit ExportGraphSignature(const GraphSignature&&) = delete;

  const std::vector<SpecParts<const InputSpec>>& inputs() const { return inputs_; }
  const std::vector<SpecParts<const OutputSpec>>& outputs() const { return outputs_; }

  /// Returns the name in the model of a graph input, e.g. `layer.weight`; null if there is no such input, or
  /// if it is a user input or token.
  const std::string* target_of_input(std::string_view input) const;

  /// Returns the first graph input for the parameter, buffer, constant or object with this name in the model,
  /// or null.
  const std::string* input_of_target(std::string_view target) const;

  Names parameters() const;
  Names buffers() const;
  Names non_persistent_buffers() const;
  Names lifted_tensor_constants() const;
  Names lifted_custom_objs() const;
  std::vector<UserValue> user_inputs() const;
  std::vector<UserValue> user_outputs() const;  // including the loss
  NameMap inputs_to_parameters() const;
  NameMap inputs_to_buffers() const;
  NameMap buffers_to_mutate() const;
  NameMap parameters_to_mutate() const;
  NameMap user_inputs_to_mutate() const;
  NameMap inputs_to_lifted_tensor_constants() const;
  NameMap inputs_to_lifted_custom_objs() const;
  /// Returns nullopt if there is no loss. Throws DataError if there are two.
  std::optional<ExportBackwardSignature> backward_signature() const;
  Names input_tokens() const;
  Names output_tokens() const;
  // torch's assertion_dep_token is left out because it is always None.

  /// Returns torch's text: a line `name: KIND target='...' persistent=True` for each input and output. Names
  /// are escaped, so a line break in a name cannot start a new line.
  std::string text() const;

 private:
  std::vector<SpecParts<const InputSpec>> inputs_;
  std::vector<SpecParts<const OutputSpec>> outputs_;
  schemagen::Map<const std::string*> targets_;  // by name of the input
  schemagen::Map<const std::string*> names_;    // by target
};

/// Renames a value everywhere in the signature. Unlike torch's method, this also renames targets of gradients
/// and mutations, and inputs that were fixed during export.
void replace_all_uses(GraphSignature& signature, std::string_view old_name, std::string_view new_name);

/// A use of a value that is replaced by another value.
struct Replacement {
  std::string_view old_name;
  std::string_view new_name;
  bool old_is_input = false;    // whether the old value is a graph input
  bool user_is_output = false;  // whether the use is a graph output
};

/// Returns a function that updates `signature` when uses of values are replaced; call it for each use. Names
/// of inputs change only with `replace_inputs`. Like torch's get_replace_hook(). `signature` must outlive the
/// function.
std::function<void(const Replacement&)> replace_hook(GraphSignature& signature, bool replace_inputs = false);

}  // namespace pt2
