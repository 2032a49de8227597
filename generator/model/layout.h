#pragma once

#include "model/model.h"

namespace generator {

/// The type `from` contains the type `to` in its field or member number `field`, counting from 0.
struct Containment {
  std::size_t from = 0;
  std::size_t field = 0;
  std::size_t to = 0;
};

using Cycle = std::vector<Containment>;

/// Returns the type whose definition C++ needs to lay out `field`: its named type, even in an Optional.
/// Returns nullopt for boxes, and for List and Dict, whose elements are on the heap.
std::optional<std::size_t> held_by_value(const Field& field);

/// Returns the named type that every value with `field` must contain, boxed or not. Returns nullopt for an
/// Optional, a List, a Dict, and a field with a default.
std::optional<std::size_t> required(const Field& field);

/// Returns at most 100 cycles of types that cannot be laid out. If there are fewer, boxing the last edge of
/// each cycle breaks all cycles.
std::vector<Cycle> by_value_cycles(const Model& model);

/// Returns at most 100 cycles of types without a finite value. A struct requires all its required fields, and
/// a union requires one member.
std::vector<Cycle> required_cycles(const Model& model);

std::vector<std::vector<std::size_t>> recursive_groups(const Model& model);

std::vector<bool> recursive_types(const Model& model);

/// Returns the order of definitions in C++, as indices into `Model::types`. Enums come first, and each type
/// comes after the types that it contains by value. If there are defaults of structs or unions, a type also
/// comes after all types that it can contain but that cannot contain it. Otherwise, types are in declaration
/// order. The model must not have by-value cycles.
std::vector<std::size_t> layout(const Model& model);

}  // namespace generator
