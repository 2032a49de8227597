// Names as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "schemagen/value/map.h"

namespace pt2 {

/// Numbers names from 0 in the order in which they are first met. Keeps views: a name must outlive this, and
/// stay as it is and where it is.
class NameNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// The number of `name`, which gets the next one if it is new.
  std::uint32_t number(std::string_view name) {
    return numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  /// The number of `name`; kNone if it has none.
  std::uint32_t find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? kNone : found->second;
  }

  std::size_t size() const noexcept { return numbers_.size(); }
  void reserve(std::size_t names) { numbers_.reserve(names); }

 private:
  struct Hash {
    std::size_t operator()(std::string_view name) const noexcept {
      return static_cast<std::size_t>(schemagen::hash_key(name));
    }
  };
  std::unordered_map<std::string_view, std::uint32_t, Hash> numbers_;
};

}  // namespace pt2
