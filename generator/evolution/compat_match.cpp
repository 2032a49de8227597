#include "evolution/compat_match.h"

#include <algorithm>
#include <set>

#include "evolution/likeness.h"

namespace generator {
namespace {

struct TypeMatcher {
  const Model& old_model;
  const Model& new_model;
  std::vector<std::optional<std::size_t>> partner =
      std::vector<std::optional<std::size_t>>(old_model.types.size());
  std::vector<bool> taken = std::vector<bool>(new_model.types.size(), false);
  std::vector<std::size_t> paired{};

  std::vector<std::optional<std::size_t>> run(Renames renames) {
    std::map<std::string_view, std::size_t> new_names;
    for (std::size_t i = 0; i < new_model.types.size(); ++i) new_names.emplace(new_model.types[i].name, i);
    for (std::size_t i = 0; i < old_model.types.size(); ++i) {
      const auto found = new_names.find(old_model.types[i].name);
      if (found != new_names.end()) pair_up(i, found->second);
    }
    if (renames == Renames::ignored) return std::move(partner);
    // A pair can show that its fields' types were renamed.
    for (std::size_t i = 0; i < paired.size(); ++i) follow(paired[i], *partner[paired[i]]);
    match_equal_forms();
    return std::move(partner);
  }

  void pair_up(std::size_t before, std::size_t after) {
    partner[before] = after;
    taken[after] = true;
    paired.push_back(before);
  }

  void follow(std::size_t before, std::size_t after) {
    const MemberIndex<Field> fields(new_model.types[after].fields);
    for (const Field& field : old_model.types[before].fields) {
      const Field* const now = fields.named(field.name);
      if (now == nullptr) continue;
      const auto from = named_in(field.type);
      const auto to = named_in(now->type);
      if (from && to && is_rename(*from, *to)) pair_up(*from, *to);
    }
  }

  bool is_rename(std::size_t before, std::size_t after) const {
    return !partner[before] && !taken[after] && are_alike(old_model.types[before], new_model.types[after]);
  }

  static bool are_alike(const Definition& before, const Definition& after) {
    if (before.kind != after.kind) return false;
    std::size_t kept = 0;
    const MemberIndex<Field> fields(after.fields);
    for (const Field& field : before.fields) kept += fields.named(field.name) == nullptr ? 0 : 1;
    const MemberIndex<EnumValue> values(after.values);
    for (const EnumValue& value : before.values) kept += values.named(value.name) == nullptr ? 0 : 1;
    const std::size_t size = before.fields.size() + before.values.size();
    return size == 0 ? after.fields.empty() : kept > 0 && 2 * kept >= size;
  }

  /// Types without users count as renamed if exactly one new type has the same encoding.
  void match_equal_forms() {
    const Likeness classes = classify(old_model, new_model, Form::files);
    std::map<std::size_t, std::vector<std::size_t>> by_class;
    for (std::size_t i = 0; i < new_model.types.size(); ++i) {
      if (taken[i] || new_model.types[i].is_enum()) continue;
      by_class[classes.after[i]].push_back(i);
    }
    for (std::size_t i = 0; i < old_model.types.size(); ++i) {
      const auto found = by_class.find(classes.before[i]);
      if (found == by_class.end() || found->second.size() != 1) continue;
      if (is_rename(i, found->second.front())) pair_up(i, found->second.front());
    }
  }
};

template <typename Item, typename MayBeRenamed>
void match_items(const std::vector<Item>& before, const std::vector<Item>& after,
                 MemberIndex<Item>& old_index, MemberIndex<Item>& new_index, MayBeRenamed may_be_renamed,
                 std::vector<std::pair<const Item*, const Item*>>& pairs, std::vector<const Item*>& added,
                 std::vector<const Item*>& removed) {
  old_index = MemberIndex<Item>(before);
  new_index = MemberIndex<Item>(after);
  std::set<const Item*> kept;
  for (const Item& to : after) {
    const Item* from = old_index.named(to.name);
    if (from == nullptr) {
      from = old_index.numbered(number_of(to));
      if (from != nullptr && (new_index.named(from->name) != nullptr || !may_be_renamed(*from, to))) {
        from = nullptr;
      }
    }
    if (from == nullptr) {
      added.push_back(&to);
      continue;
    }
    pairs.emplace_back(from, &to);
    kept.insert(from);
  }
  for (const Item& from : before) {
    if (kept.count(&from) == 0) removed.push_back(&from);
  }
}

}  // namespace

TypePair match_members(const Model& before, const Model& after, std::size_t old_type, std::size_t new_type,
                       const Match& partners, Renames renames) {
  TypePair pair;
  pair.before = old_type;
  pair.after = new_type;
  pair.old_type = &before.types[old_type];
  pair.new_type = &after.types[new_type];
  if (!pair.has_same_kind()) return pair;
  match_items(
      pair.old_type->fields, pair.new_type->fields, pair.old_fields, pair.new_fields,
      [&](const Field& from, const Field& to) {
        return renames == Renames::found && corresponds(from.type, to.type, partners);
      },
      pair.fields, pair.added, pair.removed);
  match_items(
      pair.old_type->values, pair.new_type->values, pair.old_values, pair.new_values,
      [&](const EnumValue&, const EnumValue&) { return renames == Renames::found; }, pair.values,
      pair.added_values, pair.removed_values);
  return pair;
}

Match match(const Model& before, const Model& after, Renames renames) {
  Match result;
  result.partner = TypeMatcher{before, after}.run(renames);
  std::vector<std::optional<std::size_t>> origin(after.types.size());
  for (std::size_t i = 0; i < before.types.size(); ++i) {
    if (result.partner[i]) {
      origin[*result.partner[i]] = i;
    } else {
      result.removed.push_back(i);
    }
  }
  for (std::size_t i = 0; i < after.types.size(); ++i) {
    if (origin[i]) {
      result.pairs.push_back(match_members(before, after, *origin[i], i, result, renames));
    } else {
      result.added.push_back(i);
    }
  }
  return result;
}

bool corresponds(const Type& before, const Type& after, const Match& match) {
  if (before.kind != after.kind) return false;
  if (before.kind == Type::Kind::named) return match.partner[before.named] == after.named;
  return std::equal(before.args.begin(), before.args.end(), after.args.begin(), after.args.end(),
                    [&](const Type& a, const Type& b) { return corresponds(a, b, match); });
}

}  // namespace generator
