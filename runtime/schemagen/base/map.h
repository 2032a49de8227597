// Defines an insertion-ordered map, whose keys are strings, integers or enums, and a set of strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace schemagen {

/// The finalizer of splitmix64: every input bit affects every output bit.
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns a 64-bit hash of `key`. The hash differs from run to run, so no document can force collisions.
std::uint64_t hash_key(std::string_view key) noexcept;

/// Always throws UsageError. Not inline, because headers can be compiled without exceptions.
[[noreturn]] void missing_key(std::string_view key);

namespace detail {
/// Defines how to hash, compare and look up keys of this type.
template <class Key>
struct MapKey {
  using View = Key;
  static std::uint64_t hash(Key key) noexcept {
    return hash_key({reinterpret_cast<const char*>(&key), sizeof key});
  }
  static std::string text(Key key) {
    using Number = std::conditional_t<std::is_enum_v<Key>, std::int32_t, Key>;
    return std::to_string(static_cast<Number>(key));
  }
};
template <>
struct MapKey<std::string> {
  using View = std::string_view;
  static std::uint64_t hash(std::string_view key) noexcept { return hash_key(key); }
  static std::string_view text(std::string_view key) noexcept { return key; }
};

/// A view; the map does not own the bytes.
template <>
struct MapKey<std::string_view> : MapKey<std::string> {};
}  // namespace detail

/// An entry of a Map: a constant key and its value. Use `auto& [key, value] = entry` to name both. Entries
/// can be copied only explicitly, so a range-based for loop by value does not compile.
template <class T, class Key = std::string>
class MapEntry {
 public:
  /// Leaves the value at its default.
  template <class K, std::enable_if_t<std::is_constructible_v<Key, K>, int> = 0>
  explicit MapEntry(K&& key) : key_(std::forward<K>(key)) {}
  MapEntry(Key key, T new_value) : value(std::move(new_value)), key_(std::move(key)) {}
  explicit MapEntry(const MapEntry& other) = default;
  MapEntry(MapEntry&& other) noexcept = default;
  MapEntry& operator=(const MapEntry&) = delete;
  ~MapEntry() = default;

  const Key& key() const noexcept { return key_; }

  template <std::size_t Index>
  auto& get() noexcept {
    if constexpr (Index == 0) {
      return std::as_const(key_);
    } else {
      return value;
    }
  }
  template <std::size_t Index>
  const auto& get() const noexcept {
    if constexpr (Index == 0) {
      return key_;
    } else {
      return value;
    }
  }

  T value{};

 private:
  Key key_;
};

/// A map that iterates in insertion order and looks up keys in O(1) time. Keys cannot be changed in place.
/// Iterators are pointers to entries and are valid until an entry is added or removed. T can be an incomplete
/// type where a Map is declared.
///
///     for (auto& [name, meta] : graph.tensor_values) ...     // name: const std::string&, meta: T&
///     if (const TensorMeta* meta = graph.tensor_values.find("x")) ...
template <class T, class Key = std::string>
class Map {
  using KeyView = typename detail::MapKey<Key>::View;

 public:
  using key_type = Key;
  using mapped_type = T;
  using value_type = MapEntry<T, Key>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = value_type&;
  using const_reference = const value_type&;
  using iterator = value_type*;
  using const_iterator = const value_type*;

  /// The most memory that an entry takes, apart from the memory that its key and value own. A table that has
  /// just grown has eight slots per entry.
  static constexpr std::size_t kBytesPerEntry = sizeof(value_type) + 8 * sizeof(std::uint32_t);
  /// The most heap blocks that a map uses: one for its entries, and one for a table.
  static constexpr std::size_t kBlocks = 2;

  Map() noexcept = default;
  /// Creates a map with these entries. If a key occurs more than once, the first entry wins.
  Map(std::initializer_list<value_type> entries) {
    reserve(entries.size());
    for (const value_type& entry : entries) insert(entry.key(), entry.value);
  }
  Map(const Map& other) : items_(other.items_) { rebuild(); }
  Map(Map&& other) noexcept = default;
  Map& operator=(const Map& other) {
    if (this != &other) *this = Map(other);
    return *this;
  }
  Map& operator=(Map&& other) noexcept {
    Map taken(std::move(other));  // move before destroying the old value: `other` could be part of it
    items_.swap(taken.items_);
    slots_.swap(taken.slots_);
    return *this;
  }
  ~Map() = default;

  std::size_t size() const noexcept { return items_.size(); }
  bool empty() const noexcept { return items_.empty(); }
  void reserve(std::size_t n) { items_.reserve(n); }
  void clear() noexcept {
    items_.clear();
    slots_.clear();
  }

  iterator begin() noexcept { return items_.data(); }
  iterator end() noexcept { return items_.data() + items_.size(); }
  const_iterator begin() const noexcept { return items_.data(); }
  const_iterator end() const noexcept { return items_.data() + items_.size(); }

  /// Returns the entry for `key`, or end() if there is none.
  iterator find_entry(KeyView key) noexcept {
    const std::size_t i = index_of(key);
    return i == kNone ? end() : begin() + i;
  }
  const_iterator find_entry(KeyView key) const noexcept { return const_cast<Map*>(this)->find_entry(key); }
  /// Returns the value for `key`, or null if there is none.
  T* find(KeyView key) noexcept {
    const std::size_t i = index_of(key);
    return i == kNone ? nullptr : &items_[i].value;
  }
  const T* find(KeyView key) const noexcept { return const_cast<Map*>(this)->find(key); }
  bool contains(KeyView key) const noexcept { return index_of(key) != kNone; }
  /// Returns 1 if `key` is present, and 0 otherwise.
  std::size_t count(KeyView key) const noexcept { return contains(key) ? 1 : 0; }

  /// Returns the value for `key`. Throws UsageError if `key` is missing.
  T& at(KeyView key) {
    if (T* value = find(key)) return *value;
    missing_key(detail::MapKey<Key>::text(key));
  }
  const T& at(KeyView key) const { return const_cast<Map*>(this)->at(key); }

  /// Returns the value for `key`. If `key` is new, first adds it at the end.
  T& operator[](KeyView key) { return *add(key, key).first; }

  /// If `key` is new, adds it at the end with a default value. Returns the key's value and whether the key
  /// was new.
  std::pair<T*, bool> try_emplace(Key key) {
    const KeyView view = key;
    return add(view, std::move(key));
  }

  /// If `key` is new, adds it at the end with `value`; otherwise changes nothing. Returns the key's entry and
  /// whether the key was new.
  std::pair<iterator, bool> insert(Key key, T value) {
    if (const iterator found = find_entry(key); found != end()) return {found, false};
    *try_emplace(std::move(key)).first = std::move(value);
    return {end() - 1, true};
  }

  /// Makes `key` the key of the entry at `index` and returns the entry's value. Readers that overwrite all
  /// entries in order use this function. If the entry already has this key, keeps the value so that its
  /// memory can be reused; otherwise removes the entry and all entries after it, and adds a new one. Returns
  /// null if an earlier entry has the key.
  T* place(std::size_t index, KeyView key) {
    if (index < items_.size()) {
      if (items_[index].key() == key) return &items_[index].value;
      keep_first(index);
    }
    const auto [value, is_new] = add(key, key);
    return is_new ? value : nullptr;
  }
  /// Removes all entries after the first `count`. Takes linear time.
  void keep_first(std::size_t count) {
    if (count >= items_.size()) return;
    while (items_.size() > count) items_.pop_back();
    rebuild();
  }

  /// Removes `key` and its value. Returns whether the key was present. Takes linear time.
  bool erase(KeyView key) {
    const std::size_t i = index_of(key);
    if (i == kNone) return false;
    std::vector<value_type> kept;
    kept.reserve(items_.size() - 1);
    for (value_type& item : items_) {
      if (&item != &items_[i]) kept.push_back(std::move(item));
    }
    items_.swap(kept);
    rebuild();
    return true;
  }

  /// Returns whether both maps have the same keys, in any order, with equal values.
  friend bool operator==(const Map& a, const Map& b) {
    if (a.size() != b.size()) return false;
    for (const value_type& item : a.items_) {
      const T* other = b.find(item.key());
      if (other == nullptr || !(item.value == *other)) return false;
    }
    return true;
  }
  friend bool operator!=(const Map& a, const Map& b) { return !(a == b); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kLinear = 8;  // up to this size, a linear scan is as fast as a table

  template <class K>
  std::pair<T*, bool> add(KeyView key, K&& own) {
    if (slots_.empty()) {
      const std::size_t found = index_of(key);
      if (found != kNone) return {&items_[found].value, false};
      items_.emplace_back(std::forward<K>(own));
      if (items_.size() > kLinear) rebuild();
    } else {
      std::uint32_t& slot = slot_of(key);
      if (slot != 0) return {&items_[slot - 1].value, false};
      items_.emplace_back(std::forward<K>(own));
      slot = static_cast<std::uint32_t>(items_.size());
      if (items_.size() * 2 > slots_.size()) rebuild();
    }
    return {&items_.back().value, true};
  }

  std::size_t index_of(KeyView key) const noexcept {
    if (slots_.empty()) {
      for (std::size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].key() == key) return i;
      }
      return kNone;
    }
    const std::uint32_t slot = const_cast<Map*>(this)->slot_of(key);
    return slot == 0 ? kNone : slot - 1;
  }

  /// Returns the slot that refers to `key`, or the free slot where `key` belongs.
  std::uint32_t& slot_of(KeyView key) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t s = static_cast<std::size_t>(detail::MapKey<Key>::hash(key)) & mask;
    while (slots_[s] != 0 && items_[slots_[s] - 1].key() != key) s = (s + 1) & mask;
    return slots_[s];
  }

  void rebuild() {
    slots_.clear();
    if (items_.size() <= kLinear) return;
    std::size_t n = 32;
    while (n < items_.size() * 4 || n < items_.capacity() * 2) n *= 2;
    slots_.resize(n);
    for (std::size_t i = 0; i < items_.size(); ++i)
      slot_of(items_[i].key()) = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<value_type> items_;
  // Open addressing: a slot contains an index plus 1, or 0 if it is free. Small maps have no table, because a
  // program has one small map per node.
  std::vector<std::uint32_t> slots_;
};

/// A set of strings. Like Map, and unlike std::unordered_set, this class is safe against deliberate
/// collisions. To store strings from files, use a Map, a Set or a sorted container.
class Set {
 public:
  /// Adds a string. Returns whether it is new.
  bool insert(std::string_view text) {
    const std::size_t before = texts_.size();
    texts_[text];
    return texts_.size() != before;
  }
  bool contains(std::string_view text) const noexcept { return texts_.contains(text); }
  bool empty() const noexcept { return texts_.empty(); }

 private:
  Map<bool> texts_;
};

}  // namespace schemagen

/// Supports structured bindings of entries.
template <class T, class Key>
struct std::tuple_size<schemagen::MapEntry<T, Key>> : std::integral_constant<std::size_t, 2> {};
template <class T, class Key>
struct std::tuple_element<0, schemagen::MapEntry<T, Key>> {
  using type = const Key;
};
template <class T, class Key>
struct std::tuple_element<1, schemagen::MapEntry<T, Key>> {
  using type = T;
};
