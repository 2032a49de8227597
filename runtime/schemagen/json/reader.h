// Reads values of all types except generated ones, using either reader. Included by generated code.
#pragma once

#include <limits>

#include "schemagen/json/fast_reader.h"
#include "schemagen/json/tape_reader.h"

namespace schemagen {

template <class In, class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void read_json(In& in, T& out) {
  using Bounds = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    out = in.boolean();
  } else if constexpr (std::is_same_v<T, double>) {
    out = in.floating();
  } else if constexpr (std::is_same_v<T, float>) {
    out = in.single();
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    out = in.integer();
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    out = in.natural();
  } else {
    out = static_cast<T>(in.integer(Bounds::min(), Bounds::max()));
  }
}
template <class In>
void read_json(In& in, std::string& out) {
  const std::string_view value = in.string();
  constexpr std::size_t kShort = 15;
  if (value.size() > kShort) in.take_memory(1, MemoryBudget::kPerBlock);
  if (value.size() <= out.capacity()) {
    out.assign(value.data(), value.size());
  } else {
    // Constructing is faster than assigning, because assigning has to inspect the old string.
    out = std::string(value);
  }
}
template <class In>
void read_json(In& in, Json& out) {
  const std::string_view text = in.raw();
  in.take_memory(1, MemoryBudget::beside_string(text.size()));
  out.text.assign(text);
}
template <class In>
void read_json(In& in, Bytes& out) {
  in.take_memory(1, MemoryBudget::kPerBlock);
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
void read_json(In& in, ByteList& out) {
  in.list(out);
}
template <class In, class T, class Key>
void read_json(In& in, Map<T, Key>& out) {
  in.map(out);
}

/// Reads an enum. Accepts numbers even if JSON spells the enum by name, and even if they have no name.
template <class In, class E, std::enable_if_t<std::is_enum_v<E>, int> = 0>
void read_json(In& in, E& out) {
  static_assert(std::is_same_v<std::underlying_type_t<E>, std::int32_t>);
  const auto start = in.at();
  if constexpr (detail::kIsNamedInJson<E>) {
    if (in.is_string()) {
      const ReflectedType& names = json_names(static_cast<const E*>(nullptr));
      const std::string_view name = in.name();
      const ReflectedField* const member = names.named(name);
      if (member == nullptr) in.fail_no_member(start, names, name);
      out = static_cast<E>(member->id);
      return;
    }
  }
  const std::int64_t number = in.integer();
  if (number < (std::numeric_limits<std::int32_t>::min)() ||
      number > (std::numeric_limits<std::int32_t>::max)()) {
    in.fail_at(start, "the enum number " + std::to_string(number) + " does not fit in 32 bits");
  }
  out = static_cast<E>(number);
}

template <class In, class T>
void read_json(In& in, Box<T>& out) {
  in.take_memory(1, sizeof(T) + MemoryBudget::kPerBlock);
  read_json(in, out.filled());
}

template <class In, class T>
void read_json(In& in, std::optional<T>& out) {
  if (in.take_null()) {
    out.reset();
  } else {
    read_json(in, out ? *out : out.emplace());
  }
}

}  // namespace schemagen
