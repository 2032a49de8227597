#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"

namespace generator {

enum class Renames { found, ignored };

using FieldPair = std::pair<const Field*, const Field*>;
using ValuePair = std::pair<const EnumValue*, const EnumValue*>;

inline std::int32_t number_of(const Field& field) {
  return field.id;
}
inline std::int32_t number_of(const EnumValue& value) {
  return value.number;
}

template <typename Item>
class MemberIndex {
 public:
  MemberIndex() = default;
  explicit MemberIndex(const std::vector<Item>& items) {
    for (const Item& item : items) {
      by_name_.emplace(item.name, &item);
      by_number_.emplace(number_of(item), &item);
    }
  }

  const Item* named(std::string_view name) const { return find(by_name_, name); }
  const Item* numbered(std::int32_t number) const { return find(by_number_, number); }

 private:
  template <typename Map, typename Key>
  static const Item* find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : found->second;
  }

  std::map<std::string_view, const Item*> by_name_;
  std::map<std::int32_t, const Item*> by_number_;
};

struct TypePair {
  std::size_t before = 0;
  std::size_t after = 0;
  const Definition* old_type = nullptr;
  const Definition* new_type = nullptr;
  std::vector<FieldPair> fields;
  std::vector<const Field*> added;
  std::vector<const Field*> removed;
  std::vector<ValuePair> values;
  std::vector<const EnumValue*> added_values;
  std::vector<const EnumValue*> removed_values;

  MemberIndex<Field> old_fields;
  MemberIndex<Field> new_fields;
  MemberIndex<EnumValue> old_values;
  MemberIndex<EnumValue> new_values;

  bool has_same_kind() const { return old_type->kind == new_type->kind; }
};

struct Match {
  std::vector<TypePair> pairs;
  std::vector<std::size_t> added;
  std::vector<std::size_t> removed;
  std::vector<std::optional<std::size_t>> partner;
};

/// Matches types and fields by name. Renames::found also matches similar types in the same places, and fields
/// with the same id and type.
Match match(const Model& before, const Model& after, Renames renames);

TypePair match_members(const Model& before, const Model& after, std::size_t old_type, std::size_t new_type,
                       const Match& partners, Renames renames);

/// Types that match count as equal.
bool corresponds(const Type& before, const Type& after, const Match& match);

}  // namespace generator
