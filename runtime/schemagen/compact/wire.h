// How C++ types are spelled in Thrift's compact protocol. All functions may be called from several threads at
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "schemagen/compact/type.h"
#include "schemagen/value/box.h"
#include "schemagen/value/map.h"
#include "schemagen/value/value.h"

namespace schemagen {

namespace detail {
template <WireType Type, std::size_t LeastBytes>
struct Wire {
  static constexpr WireType type = Type;
  /// What the smallest value takes as an item of a list or map.
  static constexpr std::size_t least_bytes = LeastBytes;
};
}  // namespace detail

/// Of generated structs and unions, which end in a byte, and of enums; others follow.
template <class T>
struct CompactWire : detail::Wire<std::is_enum_v<T> ? WireType::i32 : WireType::structure, 1> {};
template <>
struct CompactWire<bool> : detail::Wire<WireType::true_, 1> {};
template <>
struct CompactWire<std::int64_t> : detail::Wire<WireType::i64, 1> {};
template <>
struct CompactWire<double> : detail::Wire<WireType::floating, 8> {};
template <>
struct CompactWire<std::string> : detail::Wire<WireType::binary, 1> {};
template <>
struct CompactWire<Bytes> : detail::Wire<WireType::binary, 1> {};
template <>
struct CompactWire<Json> : detail::Wire<WireType::binary, 1> {};
template <class T>
struct CompactWire<std::vector<T>> : detail::Wire<WireType::list, 1> {};
template <class T>
struct CompactWire<Map<T>> : detail::Wire<WireType::map, 1> {};
template <class T>
struct CompactWire<Box<T>> : CompactWire<T> {};

}  // namespace schemagen
