// A schema as constant data: what code that works for any schema walks values by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schemagen {

/// A field of a struct, a member of a union, or a value of an enum.
struct ReflectedField {
  std::string_view name;  // as in the schema, and so in JSON
  std::int32_t id;        // the number, of a value of an enum
  std::uint32_t type;     // index into Reflection::types; the enum itself, of its values
};

/// A type that a schema defines, or one that its fields have.
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
  const ReflectedField* fields;  // in the schema's order; null: it has none
  std::uint32_t field_count;
  std::uint32_t element;          // list, map, optional: index into Reflection::types; else 0
  std::uint32_t key = kTextKeys;  // of a map: index of its keys' type

  static constexpr std::uint32_t kTextKeys = 0xffffffff;  // keys are strings

  /// The field, member or value of this name; null: there is none.
  constexpr const ReflectedField* named(std::string_view field_name) const {
    for (std::uint32_t i = 0; i < field_count; ++i) {
      if (fields[i].name == field_name) return fields + i;
    }
    return nullptr;
  }
  /// The field or member of this id, or the value of this number; null: there is none.
  constexpr const ReflectedField* numbered(std::int32_t id) const {
    for (std::uint32_t i = 0; i < field_count; ++i) {
      if (fields[i].id == id) return fields + i;
    }
    return nullptr;
  }
};

/// A whole schema, constant: for any number of threads. The types that it defines come first, in its order.
struct Reflection {
  std::string_view name;
  std::int32_t major;
  std::int32_t minor;
  const ReflectedType* types;
  std::uint32_t type_count;

  /// Index of the type that the schema spells so; `type_count` if there is none.
  constexpr std::uint32_t find(std::string_view type_name) const {
    std::uint32_t index = 0;
    while (index < type_count && types[index].name != type_name) ++index;
    return index;
  }
};

}  // namespace schemagen
