// What the inputs and outputs of a program stand for: one view of specs of all kinds, and the signature as
// torch.export offers it.
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

/// The parts of a spec of any kind. Pointers point into the spec, and are null where its kind has no such
/// part. `Spec` is InputSpec or OutputSpec, const or not.
template <class Spec>
struct SpecParts {
  template <class T>
  using Part = std::conditional_t<std::is_const_v<Spec>, const T, T>;

  typename Spec::Kind kind = Spec::unset;
  /// The input or output of the graph. Null for a user's literal, or list.
  Part<std::string>* name = nullptr;
  /// Of a user input or output: the value or literal.
  Part<Argument>* argument = nullptr;
  /// What it stands for: a name in the model, e.g. `layer.weight`, or the user input whose gradient or new
  /// value this is.
  Part<std::string>* target = nullptr;
  bool target_is_input = false;  // `target` is the name of a graph input
  /// Of a user input whose value the export fixed.
  Part<ConstantValue>* constant = nullptr;
  std::optional<bool> persistent;  // of a buffer
};

/// The parts of `spec`, which must outlive them and keep its kind.
template <class Spec>
SpecParts<Spec> parts_of(Spec& spec);

extern template SpecParts<InputSpec> parts_of(InputSpec& spec);
extern template SpecParts<const InputSpec> parts_of(const InputSpec& spec);
extern template SpecParts<OutputSpec> parts_of(OutputSpec& spec);
extern template SpecParts<const OutputSpec> parts_of(const OutputSpec& spec);

/// Whether the caller gives or gets it: a leaf of the trees by which the program is called.
bool is_users(InputSpec::Kind kind) noexcept;
bool is_users(OutputSpec::Kind kind) noexcept;
/// Whether it is the new value of a buffer, a parameter, or what the caller gave.
bool is_mutation(OutputSpec::Kind kind) noexcept;

/// An input that the caller passes, or an output that the caller gets.
struct UserValue {
  std::string name;        // of the value; empty if it is a constant
  ConstantValue constant;  // unset if it is a value; also of a list, which torch does not load
};

/// The constant that a literal is; unset for values and lists.
ConstantValue constant_of(const Argument& literal);

/// Which outputs of a joint graph are gradients. The keys are names of graph outputs.
struct ExportBackwardSignature {
  schemagen::Map<std::string> gradients_to_parameters;   // to names in the model
  schemagen::Map<std::string> gradients_to_user_inputs;  // to names of graph inputs
  std::string loss_output;
};

/// A view of a program's GraphSignature with the properties of torch.export.graph_signature's class of the
/// same name, in the same order. Maps are from names of graph inputs or outputs to what they stand for; where
/// a name comes twice, the last one counts. Look-ups are O(1), everything else is linear and made anew at
/// each call.
class ExportGraphSignature {
 public:
  using Names = std::vector<std::string>;
  using NameMap = schemagen::Map<std::string>;

  /// `signature` must outlive this, and stay as it is.
  explicit ExportGraphSignature(const GraphSignature& signature);
  explicit ExportGraphSignature(const GraphSignature&&) = delete;

  const std::vector<SpecParts<const InputSpec>>& inputs() const { return inputs_; }
  const std::vector<SpecParts<const OutputSpec>>& outputs() const { return outputs_; }

  /// The name in the model of what the graph's input `input` is, e.g. `layer.weight`; null if there is no
  /// such input, or it is the user's or a token.
  const std::string* target_of_input(std::string_view input) const;

  /// The graph's input that stands for the parameter, buffer, constant or object of that name in the model,
  /// the first if there are several; null if none does.
  const std::string* input_of_target(std::string_view target) const;

  Names parameters() const;
  Names buffers() const;
  Names non_persistent_buffers() const;
  Names lifted_tensor_constants() const;
  Names lifted_custom_objs() const;
  std::vector<UserValue> user_inputs() const;
  std::vector<UserValue> user_outputs() const;  // the loss included
  NameMap inputs_to_parameters() const;
  NameMap inputs_to_buffers() const;
  NameMap buffers_to_mutate() const;
  NameMap parameters_to_mutate() const;
  NameMap user_inputs_to_mutate() const;
  NameMap inputs_to_lifted_tensor_constants() const;
  NameMap inputs_to_lifted_custom_objs() const;
  /// Nullopt without a loss. Errors: DataError if there are two.
  std::optional<ExportBackwardSignature> backward_signature() const;
  Names input_tokens() const;
  Names output_tokens() const;
  // torch's assertion_dep_token is always None, and not here.

  /// What torch prints of it: a line `name: KIND target='...' persistent=True` for each input and output.
  /// Names are printable: one with a line break does not begin a line.
  std::string text() const;

 private:
  std::vector<SpecParts<const InputSpec>> inputs_;
  std::vector<SpecParts<const OutputSpec>> outputs_;
  schemagen::Map<const std::string*> targets_;  // by name of the input
  schemagen::Map<const std::string*> names_;    // by target
};

/// Gives the value `old_name` the name `new_name` at all of its places in the signature, as torch's method of
/// that name does, and also where it is the target of a gradient or mutation, and the name of an input that
/// the export fixed.
void replace_all_uses(GraphSignature& signature, std::string_view old_name, std::string_view new_name);

/// One use of a value that is given to another value.
struct Replacement {
  std::string_view old_name;
  std::string_view new_name;
  bool old_is_input = false;    // the old value is an input of the graph
  bool user_is_output = false;  // the use is an output of the graph
};

/// What keeps `signature`, which must outlive it, up with a graph whose values are replaced: to be called for
/// each use. Of inputs the name is only replaced if `replace_inputs`. As torch's get_replace_hook().
std::function<void(const Replacement&)> replace_hook(GraphSignature& signature, bool replace_inputs = false);

}  // namespace pt2
