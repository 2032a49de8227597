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

class MemberIndex {
 public:
  MemberIndex() = default;
  explicit MemberIndex(const std::vector<Field>& members) {
    for (const Field& member : members) {
      by_name_.emplace(member.name, &member);
      by_number_.emplace(member.id, &member);
    }
  }

  const Field* named(std::string_view name) const { return find(by_name_, name); }
  const Field* numbered(std::int32_t number) const { return find(by_number_, number); }

 private:
  template <typename Map, typename Key>
  static const Field* find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : found->second;
  }

  std::map<std::string_view, const Field*> by_name_;
  std::map<std::int32_t, const Field*> by_number_;
};

/// The fields are members if the types are unions or enums. If their kinds differ, there are none.
struct TypePair {
  std::size_t before = 0;
  std::size_t after = 0;
  const Definition* old_type = nullptr;
  const Definition* new_type = nullptr;
  std::vector<FieldPair> fields;
  std::vector<const Field*> added;
  std::vector<const Field*> removed;
  MemberIndex old_fields;
  MemberIndex new_fields;

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
