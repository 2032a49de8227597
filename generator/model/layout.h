// How types contain each other: the order of their C++ definitions, and two kinds of impossible recursion.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/model.h"

namespace generator {

/// The type `from` contains the type `to` in its field or member number `field`, counting from 0.
struct Containment {
  std::size_t from = 0;
  std::size_t field = 0;
  std::size_t to = 0;
};

using Cycle = std::vector<Containment>;

struct Layout {
  /// Indices into `Model::types`: enums first, then each type after those it contains by value; if it
  /// has defaults of structs or unions, also after all types that it can contain but that cannot contain it.
  /// Otherwise in declaration order.
  std::vector<std::size_t> order;
};

/// Returns the type whose definition C++ needs to lay out `field`: the named type of the field or of its
/// Optional. Returns nullopt if the field is boxed, and for a List or Dict, whose elements are on the heap.
std::optional<std::size_t> held_by_value(const Field& field);

/// Returns the named type that every value with `field` must contain. Returns nullopt for an Optional, a
/// List, a Dict, and a field with a default. Boxing makes no difference.
std::optional<std::size_t> required(const Field& field);

/// Returns at most 100 cycles of types that contain themselves by value, so they cannot be laid out. If there
/// are fewer than 100, boxing the last edge of each returned cycle breaks all cycles.
std::vector<Cycle> by_value_cycles(const Model& model);

/// Returns at most 100 cycles of types that require themselves, so they have no finite value. A struct
/// requires all its required fields, and a union requires one member.
std::vector<Cycle> required_cycles(const Model& model);

std::vector<std::vector<std::size_t>> recursive_groups(const Model& model);

std::vector<bool> recursive_types(const Model& model);

/// Returns the order of definitions. The model must not have by-value cycles.
Layout layout(const Model& model);

}  // namespace generator
