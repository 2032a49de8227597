#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evolution/compat.h"
#include "evolution/compat_match.h"
#include "evolution/example.h"

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

/// A function that makes the JSON to add to a finding for a direction in which data breaks: a value of the
/// pair's old type for new readers, and otherwise a value of its new type.
using MakeExample = std::function<std::optional<std::string>(Flow flow, const SmallValues& values)>;
MakeExample with_field(const Definition& type, const Field& field);
void set_example(const Scope& scope, const TypePair& pair, Finding& finding, const MakeExample& make);

struct Subject {
  std::string path;
  const std::vector<Allowance>* allowed;
  Place after;
  Place before;
  std::string before_text = "it was here";
};

class Report {
 public:
  explicit Report(Policy policy) : policy_(policy) {}

  void begin(const Rule& rule) { rule_ = &rule; }
  Finding make(const Subject& subject, const std::string& message) const;
  void add(const Subject& subject, Finding finding);
  void add(const Subject& subject, const std::string& message) { add(subject, make(subject, message)); }

  /// Findings that are allowed or that no version resolves do not count.
  Bump required() const;
  bool is_refused() const;
  bool is_used(const Allowance& allowance) const { return used_.count(&allowance) != 0; }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void apply_policy(Finding& finding) const;
  void limit_to_effects(Finding& finding) const;

  Policy policy_;
  const Rule* rule_ = nullptr;
  std::vector<Finding> findings_;
  std::set<const Allowance*> used_;
};

Subject whole_schema(const Scope& scope);
Subject about_type(const Scope& scope, const TypePair& pair);
Subject about_field(const Scope& scope, const TypePair& pair, const FieldPair& fields);
Subject about_added(const Scope& scope, const TypePair& pair, const Field& field);
Subject about_removed(const Scope& scope, const TypePair& pair, const Field& field);
Subject about_value(const Scope& scope, const TypePair& pair, const ValuePair& values);
Subject about_added(const Scope& scope, const TypePair& pair, const EnumValue& value);
Subject about_removed(const Scope& scope, const TypePair& pair, const EnumValue& value);
Subject about_old_type(const Scope& scope, const Definition& type);
Subject about_new_type(const Scope& scope, const Definition& type);

/// Returns the roots or, if the schema lists none, the types that no other type refers to.
std::vector<std::size_t> roots_of(const Model& model);

/// Turns the finding into a warning if the major version is new: readers reject files with a different major
/// version, so later mistakes cannot do harm.
Finding only_warning_in_new_major(const Scope& scope, Finding finding);

std::string noun_of(const Definition& owner);
std::string quoted_path(const Definition& owner, std::string_view member);
/// Returns the value of an absent field, e.g. "null" or "[]", or an empty string if the field is required.
std::string absent_value(const Field& field);

std::string reserved_line(const Definition& type, std::vector<std::int32_t> ids,
                          std::vector<std::string> names);
class FreeNumbers {
 public:
  FreeNumbers(const Scope& scope, const TypePair& pair) : scope_(scope), pair_(pair) {}
  std::int32_t next();

 private:
  void find_used();

  const Scope& scope_;
  const TypePair& pair_;
  std::set<std::int64_t> used_;
  std::int64_t step_ = 0;
  std::int64_t max_ = 0;
};
/// For example, `name: {id: 10, type: str}`.
std::string field_line(const Model& model, const Field& field, std::string_view name, std::int32_t id);
/// Returns the type, e.g. `"List[int]"`, in quotes where YAML needs them.
std::string type_text(const Model& model, const Type& type);

/// Searches the newest earlier releases first, but only those with the same major version, because readers
/// reject others. Returns {null, null} if nothing is found.
template <typename Item, typename Wanted>
std::pair<const Release*, const Item*> find_in_history(const Scope& scope, std::string_view type_name,
                                                       Wanted wanted) {
  for (std::size_t i = 0; i < scope.earlier.releases().size(); ++i) {
    const Release& release = scope.earlier.releases()[i];
    if (release.model.version.major_ != scope.after.model.version.major_) continue;
    const Definition* const type = scope.earlier.find(i, type_name);
    if (type == nullptr) continue;
    if (const Item* item = wanted(*type)) return {&release, item};
  }
  return {nullptr, nullptr};
}

}  // namespace generator
