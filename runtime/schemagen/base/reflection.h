// A schema as constant data, for code that works with every schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schemagen {

/// A field of a struct, a member of a union, or a value of an enum.
struct ReflectedField {
  std::string_view name;  // as in the schema and in JSON
  std::int32_t id;        // or, for an enum, the value's number
  std::uint32_t type;     // index into Reflection::types; for an enum value, the index of its enum
};

/// A type that the schema defines, or the type of a field.
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
  std::string_view name;         // as the schema spells it: "Node", "List[Node]"
  const ReflectedField* fields;  // in the schema's order; null if there are none
  std::uint32_t field_count;
  std::uint32_t element;          // list, map, optional: index into Reflection::types; otherwise 0
  std::uint32_t key = kTextKeys;  // map: index of the key type

  static constexpr std::uint32_t kTextKeys = 0xffffffff;  // keys are strings

  /// Returns the field, member or value called `field_name`, or null.
  constexpr const ReflectedField* named(std::string_view field_name) const {
    for (std::uint32_t i = 0; i < field_count; ++i) {
      if (fields[i].name == field_name) return fields + i;
    }
    return nullptr;
  }
  /// Returns the field or member with this id, or the value with this number, or null.
  constexpr const ReflectedField* numbered(std::int32_t id) const {
    for (std::uint32_t i = 0; i < field_count; ++i) {
      if (fields[i].id == id) return fields + i;
    }
    return nullptr;
  }
};

/// A whole schema. The types that it defines come first, in its order.
struct Reflection {
  std::string_view name;
  std::int32_t major;
  std::int32_t minor;
  const ReflectedType* types;
  std::uint32_t type_count;

  /// Returns the index of the type that the schema spells `type_name`, or `type_count` if there is none.
  constexpr std::uint32_t find(std::string_view type_name) const {
    std::uint32_t index = 0;
    while (index < type_count && types[index].name != type_name) ++index;
    return index;
  }
};

}  // namespace schemagen
