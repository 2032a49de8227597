#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"
#include "text/message.h"
#include "text/source_lines.h"

namespace generator {

enum class Level : std::uint8_t {
  note,
  warning,   // may break something
  breaking,  // requires a new major version
  error,     // must be fixed, or resolved by the version in `Finding::bump`
};

enum class Bump : std::uint8_t { none, minor, major, error };

enum class Verdict : std::uint8_t {
  yes,      // always, with the same meaning
  depends,  // on the values, or on how the reader treats unknown fields
  no,       // values are rejected or misread
};

enum class Flow : std::uint8_t {
  new_reads_old_json,
  old_reads_new_json,
  new_reads_old_binary,
  old_reads_new_binary
};

/// "Backward" means that a new reader reads old data, and "forward" means the reverse. Assumes our readers,
/// which are strict but skip unknown fields of a newer minor version that are null or empty. Also assumes
/// open enums and Thrift Compact.
struct Effects {
  Verdict json_backward = Verdict::yes;
  Verdict json_forward = Verdict::yes;
  Verdict binary_backward = Verdict::yes;
  Verdict binary_forward = Verdict::yes;
  Verdict source = Verdict::yes;
};

/// By Flow, and then `source`.
inline constexpr Verdict Effects::*kEffects[] = {&Effects::json_backward, &Effects::json_forward,
                                                 &Effects::binary_backward, &Effects::binary_forward,
                                                 &Effects::source};

/// Those that lose data first come first in findings.
inline constexpr Flow kFlows[] = {Flow::new_reads_old_json, Flow::new_reads_old_binary,
                                  Flow::old_reads_new_json, Flow::old_reads_new_binary};

inline constexpr Verdict Effects::*effect_on(Flow flow) {
  return kEffects[static_cast<std::size_t>(flow)];
}

inline bool is_backward(Flow flow) {
  return flow == Flow::new_reads_old_json || flow == Flow::new_reads_old_binary;
}
inline bool is_json(Flow flow) {
  return flow == Flow::new_reads_old_json || flow == Flow::old_reads_new_json;
}

struct Example {
  Flow flow = Flow::new_reads_old_json;
  std::string type;       // in the schema that writes it
  std::string read_type;  // in the schema that reads it; empty if that schema lacks the type
  std::string value;      // JSON, even if only binary data breaks
};

enum class Policy : std::uint8_t {
  full,  // checks old and new readers of JSON and binary data
  backward,
  pytorch,  // PyTorch's own checker, which ignores ids and values of defaults, and compares the spelling of
            // types
};

enum class TorchVerdict : std::uint8_t { unseen, minor, major, error, wrong_version };

struct Place {
  std::string file;
  Span span;
};

struct Release {
  std::string file;
  std::string text;
  Model model;
  std::vector<SourceText> imported = {};  // indexed by Span::file, from 1

  Place at(const Span& span) const { return {span.file == 0 ? file : imported.at(span.file - 1).file, span}; }
};

struct Rule;

/// The part of a schema that a finding describes.
struct Subject {
  std::string path;
  const std::vector<Allowance>* allowances;
  Place after;                              // in the new schema: the element, or its former parent
  Place before;                             // in an older schema: the element, or its parent
  std::string before_text = "it was here";  // label of `before`; empty to hide it
};

struct Finding : Subject {
  const Rule* rule = nullptr;
  Level level = Level::note;
  std::string message;  // lower case, no full stop, names in single quotes
  Effects effects;
  Bump bump = Bump::none;
  std::string fix{};
  std::string paste{};
  std::optional<Example> example{};
  std::vector<Finding> causes{};
  std::optional<std::string> allowed{};

  void suggest(std::string fix_, std::string paste_ = {}) {
    fix = std::move(fix_);
    paste = std::move(paste_);
  }
};

struct Scope;
class Report;

/// The facts that findings depend on; the rest of a rule is text for people.
struct RuleRow {
  std::string_view id;  // e.g. FIELD_ADDED_REQUIRED
  Level level;
  Effects effects;
  Bump bump;
  Bump bump_backward;
  TorchVerdict torch;
  void (*check)(const Scope&, Report&);
};

struct Rule : RuleRow {
  std::string purpose;
  std::string why;
  std::string_view example;
  std::string fix;
};

const std::vector<Rule>& rules();

const Rule* find_rule(std::string_view id);

Names rule_ids();

bool is_about_version(const Rule& rule);

/// The findings are sorted, most severe first. `earlier` is searched for ids and names that are used again
/// with a different meaning.
std::vector<Finding> compare(const Release& before, const Release& after, const std::vector<Release>& earlier,
                             Policy policy);

/// Returns the highest bump that is at most `most`, without findings that are allowed.
Bump required_bump(const std::vector<Finding>& findings, Bump most);

struct RootEquality {
  std::string root;
  bool json = false;
  bool binary = false;
};

struct Comparison {
  Policy policy = Policy::full;
  std::vector<Finding> findings;
  Bump required = Bump::none;
  Version suggested;  // the smallest sufficient version above the old one
  bool version_suffices = true;
  std::string hash_before;
  std::string hash_after;
  std::vector<RootEquality> roots;

  std::size_t count(Level level) const;
  std::size_t count_allowed() const;
};

Comparison compared(const Release& before, const Release& after, const std::vector<Release>& earlier,
                    Policy policy);

/// Returns `version` increased by `bump`. With Policy::pytorch, minor versions start at 1.
Version next_version(Version version, Bump bump, Policy policy);

inline std::string_view name_of(Level level) {
  return word_of(level, {"note", "warning", "breaking", "error"});
}
inline std::string_view name_of(Bump bump) {
  return word_of(bump, {"none", "minor", "major", "error"});
}
inline std::string_view name_of(Verdict verdict) {
  return word_of(verdict, {"yes", "depends", "no"});
}
inline std::string_view name_of(Flow flow) {
  return word_of(
      flow, {"new_reads_old_json", "old_reads_new_json", "new_reads_old_binary", "old_reads_new_binary"});
}
inline std::string_view name_of(Policy policy) {
  return word_of(policy, {"full", "backward", "pytorch"});
}
inline std::string_view name_of(TorchVerdict verdict) {
  return word_of(verdict, {"unseen", "minor", "major", "error", "error"});
}

}  // namespace generator
