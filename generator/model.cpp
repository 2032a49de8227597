#include "model.h"

#include <algorithm>

namespace schemagen {

const std::vector<Field>& Definition::fields() const {
  static const std::vector<Field> none;
  if (const auto* as_struct = std::get_if<Struct>(&body)) return as_struct->fields;
  if (const auto* as_union = std::get_if<Union>(&body)) return as_union->members;
  return none;
}

std::optional<std::size_t> Model::find(std::string_view type_name) const {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const Definition& type) { return type.name == type_name; });
  if (found == types.end()) return std::nullopt;
  return static_cast<std::size_t>(found - types.begin());
}

}  // namespace schemagen
