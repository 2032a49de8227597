// How values of all types but generated ones are read, by either reader. All functions may be called from
// several threads at once, each with a reader of its own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "schemagen/json/plain_reader.h"
#include "schemagen/json/tape_reader.h"
#include "schemagen/value/box.h"
#include "schemagen/value/map.h"
#include "schemagen/value/value.h"

namespace schemagen {

template <class In>
void read_json(In& in, bool& out) {
  out = in.boolean();
}
template <class In>
void read_json(In& in, std::int64_t& out) {
  out = in.integer();
}
template <class In>
void read_json(In& in, double& out) {
  out = in.floating();
}
template <class In>
void read_json(In& in, std::string& out) {
  const std::string_view value = in.string();
  constexpr std::size_t kShort = 15;
  if (value.size() <= kShort) {
    out.assign(value.data(), value.size());
  } else {
    // Made anew: a construction is faster than an assignment, which has to look at what is there.
    out = std::string(value);
  }
}
template <class In>
void read_json(In& in, Json& out) {
  out.text.assign(in.raw());
}
template <class In>
void read_json(In& in, Bytes& out) {
  out = in.bytes();
}
template <class In>
void read_json(In& in, Unit&) {
  in.empty_list();
}
template <class In, class T>
void read_json(In& in, std::vector<T>& out) {
  in.list(out);
}
template <class In>
void read_json(In& in, std::vector<bool>& out) {
  in.booleans(out);
}
template <class In, class T>
void read_json(In& in, Map<T>& out) {
  in.map(out);
}

/// Enums are open: a number without a name is kept.
template <class In, class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void read_json(In& in, E& out) {
  static_assert(std::is_same_v<std::underlying_type_t<E>, std::int32_t>);
  const auto start = in.at();
  const std::int64_t number = in.integer();
  if (number < std::numeric_limits<std::int32_t>::min() ||
      number > std::numeric_limits<std::int32_t>::max()) {
    in.fail_at(start, "the enum number " + std::to_string(number) + " does not fit in 32 bits");
  }
  out = static_cast<E>(number);
}

template <class In, class T>
void read_json(In& in, Box<T>& out) {
  in.take_memory(1, sizeof(T));
  read_json(in, *out);
}

template <class In, class T>
void read_json(In& in, std::optional<T>& out) {
  if (in.take_null()) {
    out.reset();
  } else {
    read_json(in, out.emplace());
  }
}

}  // namespace schemagen
