#include "evolution/compat.h"

#include <tuple>

#include "evolution/compat_checks.h"
#include "evolution/likeness.h"

namespace generator {
namespace {

void sort_findings(std::vector<Finding>& findings) {
  const auto rank = [](const Finding& finding) {
    return std::tuple(is_about_version(*finding.rule), finding.allowed.has_value(),
                      static_cast<int>(Level::error) - static_cast<int>(finding.level));
  };
  const auto place = [](const Finding& finding) {
    return std::tuple(finding.after.span.file, finding.after.span.line, finding.after.span.column,
                      finding.before.span.line);
  };
  std::stable_sort(findings.begin(), findings.end(), [&](const Finding& a, const Finding& b) {
    return std::pair(rank(a), place(a)) < std::pair(rank(b), place(b));
  });
}

/// Two fields exchanged ids, or two enum members their numbers: the form is unchanged, the meaning is not.
bool has_moved(const TypePair& pair, Form form) {
  const auto has_other_number = [](const FieldPair& both) { return both.first->id != both.second->id; };
  return (form == Form::binary || pair.new_type->is_enum()) &&
         std::any_of(pair.fields.begin(), pair.fields.end(), has_other_number);
}

std::vector<bool> unchanged_types(const Model& before, const Model& after, const Match& types, Form form) {
  const Likeness classes = classify(before, after, form);
  std::vector<bool> unchanged(before.types.size(), true);
  std::vector<std::size_t> changed;
  const auto note_changed = [&](std::size_t type) {
    if (unchanged[type]) changed.push_back(type);
    unchanged[type] = false;
  };
  for (const TypePair& pair : types.pairs) {
    if (classes.before[pair.before] != classes.after[pair.after] || has_moved(pair, form))
      note_changed(pair.before);
  }
  std::vector<std::vector<std::size_t>> users(before.types.size());
  for (std::size_t type = 0; type < before.types.size(); ++type) {
    for (const Field& field : before.types[type].fields) {
      for (const std::size_t held : all_named_in(field.type)) users[held].push_back(type);
    }
  }
  while (!changed.empty()) {
    const std::size_t type = changed.back();
    changed.pop_back();
    for (const std::size_t user : users[type]) note_changed(user);
  }
  return unchanged;
}

std::vector<RootEquality> compare_roots(const Model& before, const Model& after) {
  const Match types = match(before, after, Renames::found);
  const std::vector<bool> json = unchanged_types(before, after, types, Form::json);
  const std::vector<bool> binary = unchanged_types(before, after, types, Form::binary);
  std::vector<RootEquality> result;
  for (const std::size_t root : roots_of(before)) {
    const auto partner = types.partner[root];
    if (!partner) continue;
    const std::string& name = after.types[*partner].name;
    // Binary files begin with both names.
    const bool is_called_so = before.name == after.name && before.types[root].name == name;
    result.push_back({name, json[root], binary[root] && is_called_so});
  }
  return result;
}

}  // namespace

std::vector<Finding> compare(const Release& before, const Release& after, const std::vector<Release>& earlier,
                             Policy policy) {
  const Renames renames = policy == Policy::pytorch ? Renames::ignored : Renames::found;
  const Match types = match(before.model, after.model, renames);
  const History history(earlier);
  const Examples examples{SmallValues(before.model), SmallValues(after.model)};
  Scope scope = {before, after, history, policy, types, examples, {}, {}};
  for (const TypePair& pair : types.pairs) scope.pairs.push_back(&pair);
  Report report(policy);
  for (const Rule& rule : rules()) report.check(rule, scope);
  std::vector<Finding> findings = report.take();
  sort_findings(findings);
  return findings;
}

Bump required_bump(const std::vector<Finding>& findings, Bump most) {
  Bump required = Bump::none;
  for (const Finding& finding : findings) {
    if (!finding.allowed && finding.bump <= most) required = std::max(required, finding.bump);
  }
  return required;
}

Comparison compared(const Release& before, const Release& after, const std::vector<Release>& earlier,
                    Policy policy) {
  Comparison result;
  result.policy = policy;
  result.findings = compare(before, after, earlier, policy);
  result.required = required_bump(result.findings, Bump::error);
  result.version_suffices =
      std::none_of(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
        return !finding.allowed && is_about_version(*finding.rule) && finding.level == Level::error;
      });
  const Bump needed = required_bump(result.findings, Bump::major);
  result.suggested = next_version(before.model.version, needed, policy);
  result.hash_before = schema_hash(normal_form(before.model));
  result.hash_after = schema_hash(normal_form(after.model));
  result.roots = compare_roots(before.model, after.model);
  return result;
}

std::size_t Comparison::count(Level level) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.level == level && !finding.allowed; }));
}

std::size_t Comparison::count_allowed() const {
  return static_cast<std::size_t>(std::count_if(
      findings.begin(), findings.end(), [](const Finding& finding) { return finding.allowed.has_value(); }));
}

Version next_version(Version version, Bump bump, Policy policy) {
  switch (bump) {
    case Bump::none:
    case Bump::error:
      return version;
    case Bump::minor:
      return {version.major_, version.minor_ + 1};
    case Bump::major:
      break;
  }
  return {version.major_ + 1, policy == Policy::pytorch ? 1 : 0};
}

}  // namespace generator
