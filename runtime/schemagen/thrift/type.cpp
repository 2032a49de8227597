#include "schemagen/thrift/wire.h"

#include <algorithm>

namespace schemagen {

std::string_view name_of(WireType type) {
  switch (type) {
    case WireType::stop:
      return "stop";
    case WireType::true_:
    case WireType::false_:
      return "bool";
    case WireType::i8:
      return "i8";
    case WireType::i16:
      return "i16";
    case WireType::i32:
      return "i32";
    case WireType::i64:
      return "i64";
    case WireType::floating:
      return "double";
    case WireType::binary:
      return "string";
    case WireType::list:
      return "list";
    case WireType::set:
      return "set";
    case WireType::map:
      return "map";
    case WireType::structure:
      return "struct";
    case WireType::uuid:
      return "uuid";
  }
  return "unknown type";
}

const CompactField* CompactType::find(std::int32_t id) const {
  const CompactField* const end = fields + count;
  const CompactField* const found = std::lower_bound(
      fields, end, id, [](const CompactField& field, std::int32_t wanted) { return field.id < wanted; });
  return found != end && found->id == id ? found : nullptr;
}

}  // namespace schemagen
