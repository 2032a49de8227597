// How types contain each other: the order of their C++ definitions, and two kinds of impossible recursion.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/model.h"

namespace generator {

/// `types[from]` contains `types[to]` in its field or member number `field`.
struct Containment {
  std::size_t from = 0;
  std::size_t field = 0;
  std::size_t to = 0;
};

/// A cycle of types: each `to` is the next `from`, and the last `to` the first `from`.
using Cycle = std::vector<Containment>;

/// The order of C++ definitions.
struct Layout {
  /// Indices into `Model::types`: enums first, then each type after those it contains by value. With defaults
  /// of structs or unions, also after all types that it can contain but that cannot contain it. Otherwise in
  /// declaration order.
  std::vector<std::size_t> order;
};

/// Returns the type whose definition C++ needs to lay out `field`: the named type of the field or of its
/// Optional. None if it is boxed, or a List or Dict, whose elements are on the heap.
std::optional<std::size_t> held_by_value(const Field& field);

/// Returns the named type that every value of a type with `field` must contain. None for an Optional, a List,
/// a Dict, or a field with a default. A box makes no difference.
std::optional<std::size_t> required(const Field& field);

/// Returns cycles of types that contain themselves by value, which cannot be laid out. At most 100. If there
/// are fewer, boxing the last edge of each breaks all cycles.
std::vector<Cycle> by_value_cycles(const Model& model);

/// Returns cycles of types that require themselves and so have no finite value: a struct needs all required
/// fields, a union one member. At most 100.
std::vector<Cycle> required_cycles(const Model& model);

/// Returns the strongly connected groups of types as indices into `Model::types`, each after the groups that
/// it refers to.
std::vector<std::vector<std::size_t>> recursive_groups(const Model& model);

/// Returns which types can contain themselves, directly or indirectly.
std::vector<bool> recursive_types(const Model& model);

/// Returns the order of definitions of a model without by-value cycles.
Layout layout(const Model& model);

}  // namespace generator
