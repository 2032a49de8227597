// Provides uniform access to inputs and outputs of every kind, and a class with the properties of
// torch.export's graph signature.
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

/// The parts of an input or output spec. Pointers refer to members of the spec; a pointer is null if specs of
/// this kind have no such part. `Spec` is InputSpec or OutputSpec, either of which can be const.
template <class Spec>
struct SpecParts {
  template <class T>
  using Part = std::conditional_t<std::is_const_v<Spec>, const T, T>;

  typename Spec::Kind kind = Spec::unset;
  /// The name of the graph's input or output. Null for a literal or list that the user passes or receives.
  Part<std::string>* name = nullptr;
  /// The value or literal of a user input or output.
  Part<Argument>* argument = nullptr;
  /// The name in the model, e.g. `layer.weight`. For the gradient or the new value of a user input, this is
  /// the input's name.
  Part<std::string>* target = nullptr;
  bool target_is_input = false;  // whether `target` is the name of a graph input
  /// The value of a user input that was fixed during export.
  Part<ConstantValue>* constant = nullptr;
  std::optional<bool> persistent;  // set for buffers: whether the buffer is in the state dict
};

/// Returns the parts of `spec`. They are valid while `spec` exists and keeps its kind.
template <class Spec>
SpecParts<Spec> parts_of(Spec& spec);

extern template SpecParts<InputSpec> parts_of(InputSpec& spec);
extern template SpecParts<const InputSpec> parts_of(const InputSpec& spec);
extern template SpecParts<OutputSpec> parts_of(OutputSpec& spec);
extern template SpecParts<const OutputSpec> parts_of(const OutputSpec& spec);

struct SpecKind {
  const char* torch_name;
  int torch_rank;  // Returns the rank by which torch's canonicalize sorts; -1 for unset.
};

SpecKind spec_kind(InputSpec::Kind kind) noexcept;
SpecKind spec_kind(OutputSpec::Kind kind) noexcept;

/// Returns whether the caller of the program passes inputs (or receives outputs) of this kind.
bool is_users(InputSpec::Kind kind) noexcept;
bool is_users(OutputSpec::Kind kind) noexcept;
/// Returns whether outputs of this kind are new values of buffers, parameters or user inputs.
bool is_mutation(OutputSpec::Kind kind) noexcept;

/// An input that the caller passes, or an output that the caller receives.
struct UserValue {
  std::string name;        // the value's name; empty for a literal or a list
  ConstantValue constant;  // the literal; unset for a named value and for a list, which torch cannot load
};

/// Returns a literal as a constant. The result is unset for a named value or a list.
ConstantValue constant_of(const Argument& literal);

/// The gradients among the outputs of a joint (forward and backward) graph. The keys are names of graph
/// outputs.
struct ExportBackwardSignature {
  schemagen::Map<std::string> gradients_to_parameters;   // the values are names in the model
  schemagen::Map<std::string> gradients_to_user_inputs;  // the values are names of graph inputs
  std::string loss_output;
};

/// A view of a program's GraphSignature with the properties of
/// torch.export.graph_signature.ExportGraphSignature, in the same order. The keys of each map are names of
/// graph inputs or outputs, and the values are names in the model. If a name occurs twice, its last
/// occurrence wins. target_of_input() and input_of_target() take O(1) time; all other functions take linear
/// time per call.
class ExportGraphSignature {
 public:
  using Names = std::vector<std::string>;
  using NameMap = schemagen::Map<std::string>;

  /// Creates a view of `signature`, which must outlive this object and must not change.
  explicit ExportGraphSignature(const GraphSignature& signature);
  explicit ExportGraphSignature(const GraphSignature&&) = delete;

  const std::vector<SpecParts<const InputSpec>>& inputs() const { return inputs_; }
  const std::vector<SpecParts<const OutputSpec>>& outputs() const { return outputs_; }

  /// Returns the model's name for a graph input, e.g. `layer.weight`. Returns null if there is no such input,
  /// or if the input is a user input or a token.
  const std::string* target_of_input(std::string_view input) const;

  /// Returns the first graph input for the parameter, buffer, constant or object that the model calls
  /// `target`, or null.
  const std::string* input_of_target(std::string_view target) const;

  Names parameters() const { return targets(InputSpec::parameter); }
  Names buffers() const { return targets(InputSpec::buffer); }
  Names non_persistent_buffers() const;
  Names lifted_tensor_constants() const { return targets(InputSpec::tensor_constant); }
  Names lifted_custom_objs() const { return targets(InputSpec::custom_obj); }
  std::vector<UserValue> user_inputs() const;
  std::vector<UserValue> user_outputs() const;  // including the loss
  NameMap inputs_to_parameters() const { return names_to_targets(inputs_, InputSpec::parameter); }
  NameMap inputs_to_buffers() const { return names_to_targets(inputs_, InputSpec::buffer); }
  NameMap buffers_to_mutate() const { return names_to_targets(outputs_, OutputSpec::buffer_mutation); }
  NameMap parameters_to_mutate() const { return names_to_targets(outputs_, OutputSpec::parameter_mutation); }
  NameMap user_inputs_to_mutate() const {
    return names_to_targets(outputs_, OutputSpec::user_input_mutation);
  }
  NameMap inputs_to_lifted_tensor_constants() const {
    return names_to_targets(inputs_, InputSpec::tensor_constant);
  }
  NameMap inputs_to_lifted_custom_objs() const { return names_to_targets(inputs_, InputSpec::custom_obj); }
  /// Returns the gradients, or nullopt if there is no loss output. Throws DataError if there are two loss
  /// outputs.
  std::optional<ExportBackwardSignature> backward_signature() const;
  Names input_tokens() const { return names(inputs_, InputSpec::token); }
  Names output_tokens() const { return names(outputs_, OutputSpec::token); }
  // torch's assertion_dep_token is missing here because it is always None.

  /// Returns the signature as text, in the form that torch prints: for each input and output, a line such as
  /// `name: KIND target='...' persistent=True`. Names are escaped, so a line break in a name cannot start a
  /// new line.
  std::string text() const;

 private:
  Names targets(InputSpec::Kind kind) const;
  template <class Parts, class Kind>
  static Names names(const std::vector<Parts>& specs, Kind kind) {
    Names names;
    for (const Parts& parts : specs) {
      if (parts.kind == kind) names.push_back(*parts.name);
    }
    return names;
  }
  template <class Parts, class Kind>
  static NameMap names_to_targets(const std::vector<Parts>& specs, Kind kind) {
    NameMap map;
    for (const Parts& parts : specs) {
      if (parts.kind == kind) map[*parts.name] = *parts.target;
    }
    return map;
  }

  std::vector<SpecParts<const InputSpec>> inputs_;
  std::vector<SpecParts<const OutputSpec>> outputs_;
  schemagen::Map<const std::string*> targets_;  // the keys are names of inputs
  schemagen::Map<const std::string*> names_;    // the keys are targets
};

/// Renames a value everywhere in the signature. Unlike torch's method, also renames targets of gradients and
/// mutations, and inputs that were fixed during export.
void replace_all_uses(GraphSignature& signature, std::string_view old_name, std::string_view new_name);

/// A use of a value that is being replaced by another value.
struct Replacement {
  std::string_view old_name;
  std::string_view new_name;
  bool old_is_input = false;    // whether the old value is a graph input
  bool user_is_output = false;  // whether the use is a graph output
};

/// Returns a function that updates `signature` when uses of values are replaced, like the hook that torch's
/// get_replace_hook() returns. Call the function for each replaced use. It renames inputs only if
/// `replace_inputs` is true. `signature` must outlive the function.
std::function<void(const Replacement&)> replace_hook(GraphSignature& signature, bool replace_inputs = false);

}  // namespace pt2
