// How the types of a schema hold each other: the order of their C++ definitions, and the two ways
// in which a recursion can be impossible.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/model.h"

namespace generator {

/// `types[from]` holds `types[to]` in its field (or union member) number `field`.
struct Containment {
  std::size_t from = 0;
  std::size_t field = 0;
  std::size_t to = 0;
};

/// A way from a type back to itself: each `to` is the next one's `from`, the last `to` the first `from`.
using Cycle = std::vector<Containment>;

/// The order in which C++ can define the types.
struct Layout {
  /// Indices into `Model::types`: enums first, then each type after all that it holds by value, and where
  /// there are defaults of structs or unions, after all that it can hold but what can hold it; otherwise as
  /// declared.
  std::vector<std::size_t> order;
};

/// The type whose definition C++ must have seen before it can lay out `field`: the named type of a
/// field that is one or an Optional of one; none if it is boxed, or a List or a Dict, whose elements
/// live on the heap.
std::optional<std::size_t> held_by_value(const Field& field);

/// The named type that every value of a type with `field` must hold; none for an Optional, a List, a
/// Dict or a field with a default. A box changes nothing here.
std::optional<std::size_t> required(const Field& field);

/// Ways in which types contain themselves by value, which no compiler can lay out.
/// Limits: at most 100 are returned. If there are fewer, boxing the last edge of each leaves none.
std::vector<Cycle> by_value_cycles(const Model& model);

/// Ways in which types require a value of themselves, so that they have no finite value: a struct
/// needs all of its required fields, a union any one of its members.
/// Limits: at most 100 are returned.
std::vector<Cycle> required_cycles(const Model& model);

/// The types, as indices into `Model::types`, in groups of those that can all hold each other, in whatever
/// way; each group after those that its types hold.
std::vector<std::vector<std::size_t>> recursive_groups(const Model& model);

/// Which types can hold values of themselves, in whatever way.
std::vector<bool> recursive_types(const Model& model);

/// The order of definitions for a model without by-value cycles.
Layout layout(const Model& model);

}  // namespace generator
