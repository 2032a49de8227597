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
    const MemberIndex fields(new_model.types[after].fields);
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
    const std::vector<Field>& members = before.members();
    const MemberIndex index(after.members());
    const auto kept = std::count_if(members.begin(), members.end(),
                                    [&](const Field& member) { return index.named(member.name) != nullptr; });
    return members.empty() ? after.fields.empty()
                           : kept > 0 && 2 * static_cast<std::size_t>(kept) >= members.size();
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

}  // namespace

TypePair match_members(const Model& before, const Model& after, std::size_t old_type, std::size_t new_type,
                       const Match& partners, Renames renames) {
  TypePair pair;
  pair.before = old_type;
  pair.after = new_type;
  pair.old_type = &before.types[old_type];
  pair.new_type = &after.types[new_type];
  if (!pair.has_same_kind()) return pair;
  pair.old_fields = MemberIndex(pair.old_type->members());
  pair.new_fields = MemberIndex(pair.new_type->members());
  std::set<const Field*> kept;
  for (const Field& to : pair.new_type->members()) {
    const Field* from = pair.old_fields.named(to.name);
    if (from == nullptr && renames == Renames::found) {
      from = pair.old_fields.numbered(to.id);
      const bool is_renamed = from != nullptr && pair.new_fields.named(from->name) == nullptr &&
                              corresponds(from->type, to.type, partners);
      if (!is_renamed) from = nullptr;
    }
    kept.insert(from);
    if (from == nullptr) {
      pair.added.push_back(&to);
    } else {
      pair.fields.emplace_back(from, &to);
    }
  }
  for (const Field& from : pair.old_type->members()) {
    if (kept.count(&from) == 0) pair.removed.push_back(&from);
  }
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
