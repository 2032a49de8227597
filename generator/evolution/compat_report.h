// What the functions behind the rules work with: what they look at, and where their findings go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evolution/compat.h"
#include "evolution/compat_match.h"

namespace generator {

/// The types of earlier releases by name, as a schema may have very many.
class History {
 public:
  /// `releases`, the newest first, must outlive this.
  explicit History(const std::vector<Release>& releases);

  const std::vector<Release>& releases() const { return releases_; }
  /// Null if the release, an index into them, has no such type.
  const Definition* find(std::size_t release, std::string_view type_name) const;

 private:
  const std::vector<Release>& releases_;
  std::vector<std::map<std::string_view, const Definition*>> types_;
};

/// What a rule looks at: all of two schemas, or only a pair of types that stand in each other's place.
struct Scope {
  const Release& before;
  const Release& after;
  const History& earlier;
  Policy policy;
  const Match& match;
  std::vector<const TypePair*> pairs;
  std::string prefix;  // of a pair alone: the path of the field that leads to it; else empty

  bool is_whole() const { return prefix.empty(); }
  bool is_new_major() const { return before.model.version.major_ != after.model.version.major_; }
};

/// What a finding is about.
struct Subject {
  std::string path;
  const std::vector<Allowance>* allowed;  // where the new schema would allow it
  Place after;
  Place before;
  std::string before_text = "it was here";
};

/// Takes the findings of one rule after the other, as the policy sees them.
class Report {
 public:
  explicit Report(Policy policy) : policy_(policy) {}

  /// The rule that the next findings are of.
  void begin(const Rule& rule) { rule_ = &rule; }
  /// A finding of the rule, with what the rule says about all of its findings.
  Finding make(const Subject& subject, const std::string& message) const;
  /// Adds a finding, unless the policy does not see such changes.
  void add(const Subject& subject, Finding finding);
  void add(const Subject& subject, const std::string& message) { add(subject, make(subject, message)); }

  /// The version that the findings so far need; those that are allowed and those that no version makes
  /// right are left out.
  Bump required() const;
  /// Whether there is one that no version makes right.
  bool is_refused() const;
  bool is_used(const Allowance& allowance) const { return used_.count(&allowance) != 0; }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void apply_policy(Finding& finding) const;

  Policy policy_;
  const Rule* rule_ = nullptr;
  std::vector<Finding> findings_;
  std::set<const Allowance*> used_;
};

// ---- subjects: the path, the places and the allowances of what a finding is about ----

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

/// The types that files begin with: the roots, or where the schema names none, the types that no other
/// refers to.
std::vector<std::size_t> roots_of(const Model& model);

/// An error about what could go wrong later is a warning in a new major version: there everything starts
/// afresh, as readers refuse files of another one.
Finding only_warning_in_new_major(const Scope& scope, Finding finding);

// ---- words for messages ----

/// "field" or "member", as the type is a struct or a union.
std::string noun_of(const Definition& owner);
/// `'Node.name'` in quotes.
std::string quoted_path(const Definition& owner, std::string_view member);
/// What a reader takes for a field that is not there: "null", "[]"; empty if it must be there.
std::string absent_value(const Field& field);

// ---- text to paste ----

/// The line `reserved: {...}` of the new type with what it reserves already and these.
std::string reserved_line(const Definition& type, std::vector<std::int32_t> ids,
                          std::vector<std::string> names);
/// The ids of a type, or numbers of an enum, that no release in the scope uses or reserves, one after the
/// other.
class FreeNumbers {
 public:
  /// Both must outlive this.
  FreeNumbers(const Scope& scope, const TypePair& pair) : scope_(scope), pair_(pair) {}
  /// Each time another one. Ids that rise in steps of ten go on to do so.
  std::int32_t next();

 private:
  void find_used();

  const Scope& scope_;
  const TypePair& pair_;
  std::set<std::int64_t> used_;  // found when the first one is asked for
  std::int64_t step_ = 0;
  std::int64_t max_ = 0;
};
/// `name: {id: 10, type: str}`.
std::string field_line(const Model& model, const Field& field, std::string_view name, std::int32_t id);
/// `type: "List[int]"`, in quotes where YAML needs them.
std::string type_text(const Model& model, const Type& type);

// ---- earlier releases ----

/// The newest of the old release and the earlier ones of the new schema's major version in which `wanted`
/// finds something in the type called `type_name`, and what it found; {null, null} if there is none.
/// Before a new major version everything starts afresh: readers refuse the files of another.
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
