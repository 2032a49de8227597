// The types of Thrift's compact protocol, and what is known of a schema's types beside their codecs. All
// functions may be called from several threads at once.
#pragma once

#include <cstdint>
#include <string_view>

namespace schemagen {

/// The type of a value as the payload spells it: the low half of a field's header, or of a list's; a map has
/// one for its keys and one for its values.
enum class WireType : std::uint8_t {
  stop = 0,
  true_ = 1,   // of a field: the value itself; of items: bool
  false_ = 2,  // likewise
  i8 = 3,
  i16 = 4,
  i32 = 5,
  i64 = 6,
  floating = 7,
  binary = 8,
  list = 9,
  set = 10,
  map = 11,
  structure = 12,  // also unions
  uuid = 13,       // Apache's; fbthrift has 32-bit floats there
};

/// The name that messages give it.
std::string_view name_of(WireType type);

/// Whether a struct may lack a field.
enum class Presence : std::uint8_t {
  optional,   // absent is null
  defaulted,  // absent is the default, which a canonical writer writes
  required,
};

struct CompactType;
struct SchemaIdentity;

/// One field of a struct or member of a union.
struct CompactField {
  std::string_view name;
  std::int16_t id;
  Presence presence;
  const CompactType* type;  // the struct or union that it holds, in lists and maps too; null: none
};

/// A struct or union of a schema, as generated tables have it.
struct CompactType {
  std::string_view name;
  const CompactField* fields;  // by ascending id
  std::uint32_t count;
  std::uint32_t optional_from;  // from here on all fields are optional
  const SchemaIdentity* schema;

  /// The field with `id`, or null.
  const CompactField* find(std::int32_t id) const;
};

}  // namespace schemagen
