// What a change of a schema means for the files, readers and code that exist: findings about two schemas.
//
// Each kind of change is a rule. compat_rules.cpp lists the rules with what they break and why, and
// a function for each, of those in compat_checks.h, finds the change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "text/near_name.h"
#include "text/source_lines.h"

namespace generator {

/// How grave a finding is.
enum class Level : std::uint8_t {
  note,      // nothing to do
  warning,   // nothing breaks for sure, but it can surprise
  breaking,  // files or readers that exist break: needs a new major version
  error,     // is to be mended; where `Finding::bump` names a version, that makes it right, too
};

/// The version number that a change needs.
enum class Bump : std::uint8_t { none, minor, major, error };

/// Whether data can be read, or code compiled.
enum class Verdict : std::uint8_t {
  yes,      // always, with the same meaning
  depends,  // on the values, or on what the reader was told to do with what it does not know
  no,       // values are refused or misread
};

/// What a change does. Backward: a new reader reads old data; forward: an old reader reads new data.
/// The readers are ours: strict, but of a newer minor version they skip unknown fields that are null or
/// empty; enums are open; binary data is Thrift Compact.
struct Effects {
  Verdict json_backward = Verdict::yes;
  Verdict json_forward = Verdict::yes;
  Verdict binary_backward = Verdict::yes;
  Verdict binary_forward = Verdict::yes;
  Verdict source = Verdict::yes;  // code that was written for the old headers
};

/// Who is asked.
enum class Policy : std::uint8_t {
  full,      // readers old and new, of JSON and of binary data
  backward,  // new readers only
  pytorch,   // the checker that PyTorch has: no ids, no values of defaults, types by their spelling
};

/// What PyTorch's own checker makes of a change.
enum class TorchVerdict : std::uint8_t { unseen, minor, major, error, wrong_version };

/// A place in a release. Line 0: the release as a whole.
struct Place {
  std::string file;
  Span span;
};

/// A schema that takes part in a comparison.
struct Release {
  std::string file;  // as the user named it
  std::string text;  // its source, for excerpts
  Model model;
  std::vector<SourceText> imported = {};  // likewise, the files with the numbers (Span::file) from 1

  Place at(const Span& span) const { return {span.file == 0 ? file : imported.at(span.file - 1).file, span}; }
};

struct Rule;

struct Finding {
  const Rule* rule = nullptr;
  Level level = Level::note;
  std::string path;         // `Graph.nodes`; empty: the schema as a whole
  std::string message;      // lower case, no full stop, names in single quotes
  Place after;              // in the new schema: of the element, or of what it was a part of
  Place before;             // in the old one (or an older one still): of the same, or of what it belongs to
  std::string before_text;  // what is there, e.g. "it was here"; empty: nothing worth to show
  Effects effects;
  Bump bump = Bump::none;
  std::string fix;                     // what to do; may be empty
  std::string paste;                   // what to write for that in the schema; may be empty
  std::vector<Finding> causes;         // the differences inside, where a field refers to another type
  std::optional<std::string> allowed;  // the reason, where the schema allows it: then it does not count
};

struct Scope;
class Report;

/// One kind of change.
struct Rule {
  std::string_view id;       // a sentence in capitals
  std::string_view purpose;  // the same as a sentence for people
  Level level;
  Effects effects;
  Bump bump;           // by the policy `full`
  Bump bump_backward;  // by the policy `backward`
  TorchVerdict torch;
  std::string_view why;      // what goes wrong, or why nothing does
  std::string_view example;  // lines of a schema: `-` old, `+` new
  std::string_view fix;      // what to do
  void (*check)(const Scope&, Report&);
};

/// A range for `for`.
struct RuleTable {
  const Rule* first;
  std::size_t count;

  const Rule* begin() const { return first; }
  const Rule* end() const { return first + count; }
};

/// All rules, in the order in which they are listed and run.
RuleTable rules();

/// The rule with this id; null if there is none.
const Rule* find_rule(std::string_view id);

/// The ids of all rules, for suggestions.
Names rule_ids();

/// Whether the rule is about the version number, which follows from all other findings.
bool is_about_version(const Rule& rule);

/// All that differs between the release `before` and the schema `after`, the gravest first.
/// `earlier` are releases before `before`, for ids and names that come back with another meaning.
/// Findings hold no references to the schemas.
std::vector<Finding> compare(const Release& before, const Release& after, const std::vector<Release>& earlier,
                             Policy policy);

/// The type of a root and whether what its files look like is unchanged.
struct RootEquality {
  std::string root;
  bool json = false;
  bool binary = false;
};

/// What the findings amount to.
struct Comparison {
  Policy policy = Policy::full;
  std::vector<Finding> findings;
  Bump required = Bump::none;  // of the findings that are not allowed
  Version suggested;           // the next version after the old one that the changes need
  bool version_suffices = true;
  std::string hash_before;
  std::string hash_after;
  std::vector<RootEquality> roots;  // those that both schemas have

  /// How many findings of this level there are, without those that are allowed.
  std::size_t count(Level level) const;
  std::size_t count_allowed() const;
};

/// The findings of `compare` with their summary.
Comparison compared(const Release& before, const Release& after, const std::vector<Release>& earlier,
                    Policy policy);

/// The version after `version` that a change needs. PyTorch counts minor versions of a new major from 1.
Version next_version(Version version, Bump bump, Policy policy);

std::string_view name_of(Level level);
std::string_view name_of(Bump bump);
std::string_view name_of(Verdict verdict);
std::string_view name_of(Policy policy);
std::string_view name_of(TorchVerdict verdict);

}  // namespace generator
