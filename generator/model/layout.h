#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/model.h"

namespace generator {

/// In its field or member number `field`, from 0.
struct Containment {
  std::size_t from = 0;
  std::size_t field = 0;
  std::size_t to = 0;
};

using Cycle = std::vector<Containment>;

struct Layout {
  /// Indices into `Model::types`: enums, then each type after those it contains by value; with defaults of
  /// structs or unions, also after all types that it can contain but that cannot contain it. Otherwise in
  /// declaration order.
  std::vector<std::size_t> order;
};

/// The type whose definition C++ needs to lay out `field`: its named type, also in an Optional. nullopt for
/// boxes, and for List and Dict, whose elements are on the heap.
std::optional<std::size_t> held_by_value(const Field& field);

/// The named type that every value with `field` must contain, boxed or not. nullopt for an Optional, a List,
/// a Dict, and a field with a default.
std::optional<std::size_t> required(const Field& field);

/// Returns at most 100 cycles of types that cannot be laid out. If there are fewer, boxing the last edge of
/// each breaks all.
std::vector<Cycle> by_value_cycles(const Model& model);

/// Returns at most 100 cycles of types without a finite value. A struct requires all its required fields, a
/// union one member.
std::vector<Cycle> required_cycles(const Model& model);

std::vector<std::vector<std::size_t>> recursive_groups(const Model& model);

std::vector<bool> recursive_types(const Model& model);

/// The model must not have by-value cycles.
Layout layout(const Model& model);

}  // namespace generator
