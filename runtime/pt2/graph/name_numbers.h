// Names as numbers. Several threads may read the same object at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schemagen/value/map.h"

namespace pt2 {

/// Numbers names from 0 in the order in which they are first met. Keeps views: a name must outlive this, and
/// stay as it is and where it is.
class NameNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// The number of `name`, which gets the next one if it is new.
  std::uint32_t number(std::string_view name) {
    if (2 * (names_.size() + 1) > slots_.size()) resize_slots(4 * (names_.size() + 2));
    const std::uint32_t hash = hash_of(name);
    Slot& slot = slots_[slot_of(name, hash)];
    if (slot.number == kNone) {
      slot = {hash, static_cast<std::uint32_t>(names_.size())};
      names_.push_back(name);
    }
    return slot.number;
  }

  /// The next number for a name that has one already. It is not found by its name.
  std::uint32_t number_again(std::string_view name) {
    names_.push_back(name);
    return static_cast<std::uint32_t>(names_.size() - 1);
  }

  /// The number of `name`; kNone if it was not added.
  std::uint32_t find(std::string_view name) const {
    return slots_.empty() ? kNone : slots_[slot_of(name, hash_of(name))].number;
  }

  std::string_view name(std::uint32_t number) const { return names_[number]; }
  std::size_t size() const noexcept { return names_.size(); }
  void reserve(std::size_t names) {
    names_.reserve(names);
    if (2 * names > slots_.size()) resize_slots(2 * names);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = kNone;  // kNone: free
  };

  static std::uint32_t hash_of(std::string_view name) {
    return static_cast<std::uint32_t>(schemagen::hash_key(name));
  }

  /// The slot that has `name`, or the free one where it would be put. There is a free one.
  std::size_t slot_of(std::string_view name, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].number != kNone && (slots_[at].hash != hash || names_[slots_[at].number] != name)) {
      at = (at + 1) & mask;
    }
    return at;
  }

  void resize_slots(std::size_t least) {
    std::size_t count = 16;
    while (count < least) count *= 2;
    std::vector<Slot> old(count);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number == kNone) continue;
      std::size_t at = slot.hash & (count - 1);
      while (slots_[at].number != kNone) at = (at + 1) & (count - 1);
      slots_[at] = slot;
    }
  }

  std::vector<std::string_view> names_;  // by number
  std::vector<Slot> slots_;              // as many as a power of two, half of them free
};

}  // namespace pt2
