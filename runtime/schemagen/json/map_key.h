// Supports map keys that are integers or enums in the schema but strings in JSON.
#pragma once

#include <charconv>
#include <limits>
#include <system_error>

#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/reflection.h"
#include "schemagen/json/json.h"

namespace schemagen {

namespace detail {
/// Returns the number that a key spells. Returns nullopt if the number is out of range, or if its spelling is
/// not canonical (for example, if it has a leading zero, a plus sign or a blank).
template <class Int>
std::optional<Int> number_of_key(std::string_view text) noexcept {
  Int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr std::size_t kMostDigits = 24;
  char again[kMostDigits];
  const auto written = std::to_chars(again, again + kMostDigits, number);
  if (error != std::errc() || std::string_view(again, static_cast<std::size_t>(written.ptr - again)) != text)
    return std::nullopt;
  return number;
}

/// Returns the map key that the document spells as `text` at `at`. Throws whatever `in` throws.
template <class Key, class In, class At>
typename MapKey<Key>::View key_of_map(In& in, At at, std::string_view text) {
  if constexpr (std::is_same_v<Key, std::string>) {
    in.check_length(at, text.size());
    in.take_memory(1, MemoryBudget::beside_string(text.size()));
    return text;
  } else {
    using Number = std::conditional_t<std::is_enum_v<Key>, std::int32_t, Key>;
    if (const auto number = number_of_key<Number>(text)) return static_cast<Key>(*number);
    if constexpr (kIsNamedInJson<Key>) {
      const ReflectedType& names = json_names(static_cast<const Key*>(nullptr));
      const ReflectedField* const member = names.named(text);
      if (member == nullptr) in.fail_no_member(at, names, text);
      return static_cast<Key>(member->id);
    } else {
      constexpr int kBits = std::numeric_limits<Number>::digits + (std::is_signed_v<Number> ? 1 : 0);
      in.fail_at(at, "expected a canonical " + std::to_string(kBits) + "-bit integer key, found " +
                         schemagen::quoted(text));
    }
  }
}
}  // namespace detail

}  // namespace schemagen
