#pragma once

#include <algorithm>
#include <functional>
#include <set>

#include "evolution/compat_match.h"
#include "evolution/example.h"
#include "front/resolve_steps.h"

namespace generator {

/// The types of earlier releases by name.
class History {
 public:
  explicit History(const std::vector<Release>& releases);

  const std::vector<Release>& releases() const { return releases_; }
  const Definition* find(std::size_t release, std::string_view type_name) const;

 private:
  const std::vector<Release>& releases_;
  std::vector<std::map<std::string_view, const Definition*>> types_;
};

/// The two things to compare: two whole schemas, or one pair of types if a field now refers to a different
/// type.
struct Scope {
  const Release& before;
  const Release& after;
  const History& earlier;
  Policy policy;
  const Match& match;
  const Examples& examples;
  std::vector<const TypePair*> pairs;
  std::string prefix;

  bool is_whole() const { return prefix.empty(); }
  bool is_new_major() const { return before.model.version.major_ != after.model.version.major_; }
};

/// In bytes.
inline constexpr std::size_t kLongestExample = 400;

class Report {
 public:
  explicit Report(Policy policy) : policy_(policy) {}

  void check(const Rule& rule, const Scope& scope);
  /// The rule's check can change the result until it adds the next finding. The policy applies at the end of
  /// the check.
  Finding& add(const Subject& subject, const std::string& message);
  /// Fills the values into a pattern for filled().
  template <typename First, typename... More>
  Finding& add(const Subject& subject, std::string_view pattern, const First& first, const More&... more) {
    return add(subject, filled(pattern, first, more...));
  }

  /// Findings that are allowed or that no version resolves do not count.
  Bump required(Bump most = Bump::major) const { return required_bump(findings_, most); }
  bool is_used(const Allowance& allowance) const { return used_.count(&allowance) != 0; }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void finish(Finding& finding);
  void apply_policy(Finding& finding) const;
  void limit_to_effects(Finding& finding) const;

  Policy policy_;
  const Rule* rule_ = nullptr;
  std::vector<Finding> findings_;
  std::set<const Allowance*> used_;
};

/// An earlier use of an id, a name or a number.
struct OldUse {
  std::string what;
  std::string when;
  Place place;
  bool is_reserved = false;

  std::string text() const { return (is_reserved ? " was " : " belonged to ") + what + when; }
};

/// A function that makes the JSON to add to a finding for a direction in which data breaks: a value of the
/// pair's old type for new readers, and otherwise a value of its new type.
using MakeExample = std::function<std::optional<std::string>(Flow flow, const SmallValues& values)>;
MakeExample with_field(const Definition& type, const Field& field);

/// A rule's check of a pair of types.
struct TypeCheck {
  const Scope& scope;
  Report& report;
  const TypePair& pair;
  const Definition& before = *pair.old_type;
  const Definition& after = *pair.new_type;
  std::optional<FreeNumbers> free{};

  /// Returns a number that neither type nor an earlier release has used.
  std::int32_t free_number();

  std::string old_path(std::string_view member) const;
  std::string new_path(std::string_view member) const;

  bool json_has_names() const { return before.is_named_in_json && after.is_named_in_json; }

  // The subject of a finding.
  Subject type() const;
  Subject changed(const FieldPair& fields) const;
  Subject added(const Field& field) const { return changed(FieldPair{nullptr, &field}); }
  Subject removed(const Field& field) const { return changed(FieldPair{&field, nullptr}); }

  OldUse reserved() const;
  /// Adds a finding about an item that has what an earlier one had.
  Finding& add_reuse(Subject subject, const OldUse& use, const std::string& message) const;
  void set_example(Finding& finding, const MakeExample& make) const;
};

/// Null if nothing was found.
struct EarlierField {
  const Release* release = nullptr;
  const Field* item = nullptr;
};

/// Searches the newest earlier releases first, but only those with the same major version, because readers
/// reject others.
template <typename IsWanted>
EarlierField find_in_history(const TypeCheck& in, IsWanted is_wanted) {
  if (!in.scope.is_whole()) return {};
  for (std::size_t i = 0; i < in.scope.earlier.releases().size(); ++i) {
    const Release& release = in.scope.earlier.releases()[i];
    if (release.model.version.major_ != in.scope.after.model.version.major_) continue;
    const Definition* const type = in.scope.earlier.find(i, in.before.name);
    if (type == nullptr || type->is_enum() != in.after.is_enum()) continue;
    const std::vector<Field>& members = type->members();
    const auto found = std::find_if(members.begin(), members.end(), is_wanted);
    if (found != members.end()) return {&release, &*found};
  }
  return {};
}

/// The places are in the two schemas; unknown ones name only the files.
Subject about_schema(const Scope& scope, const std::string& path, const Span& after, const Span& before,
                     const std::string& before_text);

/// Returns the roots or, if the schema lists none, the types that no other type refers to.
std::vector<std::size_t> roots_of(const Model& model);

/// Turns the finding into a warning if the major version is new: readers reject files with a different major
/// version, so later mistakes cannot do harm.
void only_warn_in_new_major(const Scope& scope, Finding& finding);

std::string noun_of(const Definition& owner);
/// Returns the value of an absent field, e.g. "null" or "[]", or an empty string if the field is required.
std::string absent_value(const Field& field);

std::string reserved_line(const Definition& type, std::set<std::int32_t> ids, std::set<std::string> names);
/// For example, `name: {id: 10, type: str}`.
std::string field_line(const Model& model, const Field& field, std::string_view name, std::int32_t id);
/// Returns the line of a field with `attribute`, e.g. `cpp_name: x`.
std::string field_line(const Model& model, const Field& field, std::string_view name,
                       const std::string& attribute);

}  // namespace generator
