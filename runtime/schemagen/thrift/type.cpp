#include "schemagen/thrift/wire.h"

#include <algorithm>
#include <iterator>

namespace schemagen {

std::string_view name_of(WireType type) {
  constexpr std::string_view kNames[] = {"stop",   "bool",   "bool", "i8",  "i16", "i32",    "i64",
                                         "double", "string", "list", "set", "map", "struct", "uuid"};
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kNames) ? kNames[index] : "unknown type";
}

const CompactField* CompactType::find(std::int32_t id) const {
  const CompactField* const end = fields + count;
  const CompactField* const found = std::lower_bound(
      fields, end, id, [](const CompactField& field, std::int32_t wanted) { return field.id < wanted; });
  return found != end && found->id == id ? found : nullptr;
}

}  // namespace schemagen
