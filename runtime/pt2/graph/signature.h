// What the inputs and outputs of a program stand for: one view of specs of all kinds. All functions may be
// called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "pt2/types.h"

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

}  // namespace pt2
