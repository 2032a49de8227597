// Defines the wire types of Thrift Compact, the mapping from C++ types to wire types, and tables that
// describe a schema's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "schemagen/base/map.h"
#include "schemagen/base/value.h"

namespace schemagen {

/// The type of a value in a payload. It is stored in the low half of the header of a field or list. A map has
/// one type for its keys and one for its values.
enum class WireType : std::uint8_t {
  stop = 0,
  true_ = 1,   // in a field: the value true; for items: the type bool
  false_ = 2,  // in a field: the value false; for items: also the type bool
  i8 = 3,
  i16 = 4,
  i32 = 5,
  i64 = 6,
  floating = 7,
  binary = 8,
  list = 9,
  set = 10,
  map = 11,
  structure = 12,  // also used for unions
  uuid = 13,       // used by Apache Thrift; fbthrift uses this number for 32-bit floats
};

/// Returns the name of the type, as used in messages.
std::string_view name_of(WireType type);

/// Whether a field can be absent.
enum class Presence : std::uint8_t {
  optional,   // if absent, the field is null
  defaulted,  // if absent, the field has its default, which a canonical writer always writes
  required,
};

// Not a loop, because compilers merge the bytes into a word only if there is no loop.
inline std::uint64_t little_endian_word(const unsigned char* bytes) {
  const auto byte = [bytes](unsigned i) { return std::uint64_t{bytes[i]} << (8 * i); };
  return byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
}
inline void put_little_endian(unsigned char* bytes, std::uint64_t word) {
  const auto put = [bytes, word](unsigned i) { bytes[i] = static_cast<unsigned char>(word >> (8 * i)); };
  put(0), put(1), put(2), put(3), put(4), put(5), put(6), put(7);
}

inline std::int64_t unzigzag(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
}

struct CompactType;
struct SchemaIdentity;

/// A field of a struct, or a member of a union.
struct CompactField {
  std::string_view name;
  std::int16_t id;
  Presence presence;
  // The struct or union type of the field, or of its items if it is a list or map; null for other types.
  const CompactType* type;
};

/// A struct or union, as described by generated tables.
struct CompactType {
  std::string_view name;
  const CompactField* fields;  // sorted by id, in ascending order
  std::uint32_t count;
  const SchemaIdentity* schema;

  /// Returns the field with this `id`, or null if there is none.
  const CompactField* find(std::int32_t id) const;
};

namespace detail {

template <class T>
inline constexpr bool kIsList = std::is_same_v<T, ByteList>;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;

template <class T>
constexpr WireType wire_type_of() noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return WireType::true_;
  } else if constexpr (std::is_floating_point_v<T>) {
    return WireType::floating;
  } else if constexpr (std::is_integral_v<T>) {
    // Integers in Thrift are signed, so each unsigned type uses the next larger signed type. There is no
    // larger type for uint64, so its bit pattern is stored as an int64.
    constexpr std::size_t kBytes = sizeof(T) * (std::is_signed_v<T> ? 1 : 2);
    return kBytes == 1   ? WireType::i8
           : kBytes == 2 ? WireType::i16
           : kBytes == 4 ? WireType::i32
                         : WireType::i64;
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Bytes> ||
                       std::is_same_v<T, Json>) {
    return WireType::binary;
  } else if constexpr (kIsList<T>) {
    return WireType::list;
  } else {
    return std::is_enum_v<T> ? WireType::i32 : WireType::structure;
  }
}

}  // namespace detail

/// The wire type of T, and the minimum size of a value as an item of a list or map. Generated structs and
/// unions end with a stop byte.
template <class T>
struct CompactWire {
  static constexpr WireType type = detail::wire_type_of<T>();
  static constexpr std::size_t least_bytes = type == WireType::floating ? 8 : 1;
};
template <class T, class Key>
struct CompactWire<Map<T, Key>> {
  static constexpr WireType type = WireType::map;
  static constexpr std::size_t least_bytes = 1;
};
template <class T>
struct CompactWire<Box<T>> : CompactWire<T> {};
template <class T>
struct CompactWire<std::optional<T>> : CompactWire<T> {};

}  // namespace schemagen
