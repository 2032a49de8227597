// Parts of messages: lists of names, suggestions, and texts of unknown length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace generator {

using Names = std::vector<std::string_view>;

using schemagen::did_you_mean;
using schemagen::kMaxCandidates;
using schemagen::nearest_name;

// A pointer, because a call of a function could also mean std::quoted().
inline constexpr auto* quoted = schemagen::quoted;

inline std::string filled_in(std::string_view pattern, const std::vector<std::string>& values) {
  constexpr std::string_view kName = "'$'";
  std::string out;
  auto value = values.begin();
  while (!pattern.empty()) {
    const bool is_name = pattern.substr(0, kName.size()) == kName;
    const bool is_value = is_name || pattern.front() == '$';
    out += is_name ? quoted(*value) : is_value ? *value : std::string(1, pattern.front());
    value += is_value ? 1 : 0;
    pattern.remove_prefix(is_name ? kName.size() : 1);
  }
  return out;
}

/// Returns the pattern with a value, which is a text or an integer, in place of each `$`. `'$'` quotes it.
template <typename... Values>
std::string filled(std::string_view pattern, const Values&... values) {
  const auto text_of = [](const auto& value) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>) {
      return std::to_string(value);
    } else {
      return std::string(value);
    }
  };
  return filled_in(pattern, {text_of(values)...});
}

/// Returns the first item with this name, or null.
template <typename Items>
auto find_named(Items& items, std::string_view name) -> decltype(std::data(items)) {
  for (auto& item : items) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

/// Returns the word for an enumerator, of one word for each.
template <typename Enum>
std::string_view word_of(Enum enumerator, std::initializer_list<std::string_view> words) {
  return words.begin()[static_cast<std::size_t>(enumerator)];
}

/// Returns the names of the items, which must outlive them.
template <typename Items>
Names names_of(const Items& items) {
  Names names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

template <typename Items, typename Item>
bool contains(const Items& items, const Item& item) {
  return std::find(std::begin(items), std::end(items), item) != std::end(items);
}

/// Joins what `spell` returns for each item.
template <typename Items, typename Spell>
std::string joined(const Items& items, std::string_view between, const Spell& spell) {
  std::string out;
  bool is_first = true;
  for (const auto& item : items) {
    out.append(std::exchange(is_first, false) ? "" : between).append(spell(item));
  }
  return out;
}

template <typename Word>
std::string joined(const std::vector<Word>& words, std::string_view between) {
  return joined(words, between, [](const Word& word) { return word; });
}

inline constexpr std::size_t kMaxListed = 20;  // keeps messages about large schemas readable

template <typename Word>
std::string first_of(const std::vector<Word>& words) {
  if (words.size() <= kMaxListed) return joined(words, ", ");
  return joined(std::vector<Word>(words.begin(), words.begin() + kMaxListed), ", ") + ", ...";
}

/// Returns a suggestion for `name`, or `otherwise` if no candidate is near.
inline std::string hint_for(std::string_view name, const Names& candidates, std::string otherwise) {
  std::string near = did_you_mean(name, candidates);
  return near.empty() ? std::move(otherwise) : near;
}

/// Returns the text in printable characters, without what exceeds 500 bytes.
inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 500;
  return schemagen::printable_start(text, {}, kMost);
}

}  // namespace generator
