// A map from strings that remembers the order in which its keys came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schemagen {

/// Spreads over 64 bits; differs from run to run, so that no document can be made to collide.
std::uint64_t hash_key(std::string_view key) noexcept;

/// Throws UsageError. Not in this header, which may be compiled without exceptions.
[[noreturn]] void missing_key(std::string_view key);

namespace detail {
/// A table of numbers, or none.
class Slots {
 public:
  Slots() noexcept = default;
  explicit Slots(std::size_t count) : numbers_(new std::vector<std::uint32_t>(count)) {}
  Slots(Slots&& other) noexcept : numbers_(std::exchange(other.numbers_, nullptr)) {}
  Slots& operator=(Slots&& other) noexcept {
    std::swap(numbers_, other.numbers_);
    return *this;
  }
  ~Slots() { delete numbers_; }

  /// Null: there is none.
  std::vector<std::uint32_t>* numbers() const noexcept { return numbers_; }

 private:
  std::vector<std::uint32_t>* numbers_ = nullptr;
};
}  // namespace detail

/// An insertion-ordered map: iteration gives the entries in the order in which they were added, look-up
/// by key is O(1). Keys cannot be changed in place. T may be incomplete where a Map
/// is declared.
///
///     for (auto [name, meta] : graph.tensor_values) ...     // name: const std::string&, meta: T&
///     if (const TensorMeta* meta = graph.tensor_values.find("x")) ...
template <class T>
class Map {
  struct Item {
    explicit Item(std::string new_key) noexcept : key(std::move(new_key)) {}
    std::string key;
    T value{};
  };

  template <class V, class Base>
  class Iterator {
   public:
    struct Entry {
      const std::string& key;
      V& value;
    };
    explicit Iterator(Base at) noexcept : at_(at) {}
    Entry operator*() const noexcept { return {at_->key, at_->value}; }
    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }
    friend bool operator!=(const Iterator& a, const Iterator& b) noexcept { return a.at_ != b.at_; }

   private:
    Base at_;
  };

 public:
  /// About what an entry takes in memory, beside what its key and value hold themselves.
  static constexpr std::size_t kBytesPerEntry = sizeof(Item) + 4 * sizeof(std::uint32_t);

  Map() noexcept = default;
  Map(const Map& other) : items_(other.items_) { rebuild(); }
  Map(Map&& other) noexcept = default;
  Map& operator=(const Map& other) {
    if (this != &other) *this = Map(other);
    return *this;
  }
  Map& operator=(Map&& other) noexcept {
    Map taken(std::move(other));  // first, as `other` may be part of an old value
    items_.swap(taken.items_);
    std::swap(slots_, taken.slots_);
    return *this;
  }
  ~Map() = default;

  std::size_t size() const noexcept { return items_.size(); }
  bool empty() const noexcept { return items_.empty(); }
  void reserve(std::size_t n) { items_.reserve(n); }
  void clear() noexcept {
    items_.clear();
    slots_ = {};
  }

  auto begin() noexcept { return Iterator<T, Item*>(items_.data()); }
  auto end() noexcept { return Iterator<T, Item*>(items_.data() + items_.size()); }
  auto begin() const noexcept { return Iterator<const T, const Item*>(items_.data()); }
  auto end() const noexcept { return Iterator<const T, const Item*>(items_.data() + items_.size()); }

  /// The value of `key`, or null.
  T* find(std::string_view key) noexcept {
    const std::size_t i = index_of(key);
    return i == kNone ? nullptr : &items_[i].value;
  }
  const T* find(std::string_view key) const noexcept { return const_cast<Map*>(this)->find(key); }
  bool contains(std::string_view key) const noexcept { return index_of(key) != kNone; }

  /// The value of `key`. Errors: UsageError.
  T& at(std::string_view key) {
    if (T* value = find(key)) return *value;
    missing_key(key);
  }
  const T& at(std::string_view key) const { return const_cast<Map*>(this)->at(key); }

  /// The value of `key`, which is added at the end if it is new.
  T& operator[](std::string_view key) { return *try_emplace(std::string(key)).first; }

  /// Adds `key` at the end with a default value, if it is new; the value, and whether it is new.
  std::pair<T*, bool> try_emplace(std::string key) {
    if (slots_.numbers() == nullptr) {
      const std::size_t found = index_of(key);
      if (found != kNone) return {&items_[found].value, false};
      items_.emplace_back(std::move(key));
      if (items_.size() > kLinear) rebuild();
    } else {
      std::uint32_t& slot = slot_of(key);
      if (slot != 0) return {&items_[slot - 1].value, false};
      items_.emplace_back(std::move(key));
      slot = static_cast<std::uint32_t>(items_.size());
      if (items_.size() * 2 > slots_.numbers()->size()) rebuild();
    }
    return {&items_.back().value, true};
  }

  /// Removes `key`; whether it was there. O(n).
  bool erase(std::string_view key) {
    const std::size_t i = index_of(key);
    if (i == kNone) return false;
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(i));
    rebuild();
    return true;
  }

  /// Equal keys have equal values; the order does not matter.
  friend bool operator==(const Map& a, const Map& b) {
    if (a.size() != b.size()) return false;
    for (const Item& item : a.items_) {
      const T* other = b.find(item.key);
      if (other == nullptr || !(item.value == *other)) return false;
    }
    return true;
  }
  friend bool operator!=(const Map& a, const Map& b) { return !(a == b); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kLinear = 8;  // up to here a scan is as fast as a table

  std::size_t index_of(std::string_view key) const noexcept {
    if (slots_.numbers() == nullptr) {
      for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].key == key) return i;
      }
      return kNone;
    }
    const std::uint32_t slot = slot_of(key);
    return slot == 0 ? kNone : slot - 1;
  }

  /// The slot that holds `key`, or the free one where it would be put.
  std::uint32_t& slot_of(std::string_view key) const noexcept {
    std::vector<std::uint32_t>& slots = *slots_.numbers();
    const std::size_t mask = slots.size() - 1;
    std::size_t s = static_cast<std::size_t>(hash_key(key)) & mask;
    while (slots[s] != 0 && items_[slots[s] - 1].key != key) s = (s + 1) & mask;
    return slots[s];
  }

  void rebuild() {
    slots_ = {};
    if (items_.size() <= kLinear) return;
    std::size_t n = 32;
    while (n < items_.size() * 4 || n < items_.capacity() * 2) n *= 2;
    slots_ = detail::Slots(n);
    for (std::size_t i = 0; i < items_.size(); ++i)
      slot_of(items_[i].key) = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<Item> items_;
  // Open addressing: index + 1, 0 is free. None for small maps, of which a program has one per node.
  detail::Slots slots_;
};

}  // namespace schemagen
