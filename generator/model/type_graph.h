#pragma once

#include "model/model.h"

namespace generator {

/// How a type contains another. If several apply, the last in this enum counts: `Optional[List[T]]` is a
/// list.
enum class Holding : std::uint8_t { by_value, optional, map, list, boxed };
inline constexpr Holding kHoldings[] = {Holding::by_value, Holding::optional, Holding::map, Holding::list,
                                        Holding::boxed};

std::string_view name_of(Holding holding);

/// An edge for all fields of `from` that contain `to` in the same way. Types are indices into `Model::types`.
struct Arc {
  std::size_t from = 0;
  std::size_t to = 0;
  Holding holding = Holding::by_value;
  std::vector<std::size_t> fields;
};

std::vector<Arc> arcs(const Model& model);

std::string field_names(const Model& model, const Arc& arc);

}  // namespace generator
