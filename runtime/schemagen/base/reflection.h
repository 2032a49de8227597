// Describes a schema as constant data, for code that works with any schema.
#pragma once

#include <cstdint>
#include <string_view>

namespace schemagen {

/// A field of a struct, a member of a union, or a member of an enum.
struct ReflectedField {
  std::string_view name;  // the name in the schema and in JSON
  std::int32_t id;        // for a member of an enum, the member's number
  std::uint32_t type;     // index into Reflection::types; for an enum's member, the index of the enum
};

/// A type that the schema defines, or any other type that a field has.
struct ReflectedType {
  enum Kind : std::uint8_t {
    boolean,
    integer,
    floating,
    string,
    bytes,
    unit,
    any,
    list,
    map,
    optional,
    enumeration,
    structure,
    union_,
    int8,
    int16,
    int32,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
  };
  Kind kind;
  std::string_view name;         // as the schema spells it, e.g. "Node" or "List[Node]"
  const ReflectedField* fields;  // in the schema's order; null if the type has no fields
  std::uint32_t field_count;
  std::uint32_t element;  // list, map, optional: index of the element type in Reflection::types; otherwise 0
  std::uint32_t key = kTextKeys;  // map: index of the key type in Reflection::types

  static constexpr std::uint32_t kTextKeys = 0xffffffff;  // the keys are strings

  /// Returns the field or member called `field_name`, or null if there is none.
  constexpr const ReflectedField* named(std::string_view field_name) const {
    for (std::uint32_t i = 0; i < field_count; ++i) {
      if (fields[i].name == field_name) return fields + i;
    }
    return nullptr;
  }
  /// Returns the field or member with this id, or the enum's member with this number. Returns null if there
  /// is none.
  constexpr const ReflectedField* numbered(std::int32_t id) const {
    for (std::uint32_t i = 0; i < field_count; ++i) {
      if (fields[i].id == id) return fields + i;
    }
    return nullptr;
  }
};

/// A whole schema. The types that the schema defines come first, in the schema's order.
struct Reflection {
  std::string_view name;
  std::int32_t major;
  std::int32_t minor;
  const ReflectedType* types;
  std::uint32_t type_count;

  /// Returns the index of the type that the schema spells as `type_name`, or `type_count` if there is none.
  constexpr std::uint32_t find(std::string_view type_name) const {
    std::uint32_t index = 0;
    while (index < type_count && types[index].name != type_name) ++index;
    return index;
  }
};

}  // namespace schemagen
