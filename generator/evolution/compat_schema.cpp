#include <set>

#include "evolution/compat_checks.h"

namespace generator {
namespace {

using Types = std::set<std::size_t>;

Types as_set(const std::vector<std::size_t>& types) {
  return {types.begin(), types.end()};
}

/// Such changes often come in bulk.
template <typename Differs>
void report_unseen(TypeCheck& in, const std::string& what, Differs differs) {
  std::string names;
  Subject subject = in.type();
  for (const FieldPair& fields : in.pair.fields) {
    if (!differs(*fields.first, *fields.second)) continue;
    if (names.empty()) subject = in.changed(fields);
    names += (names.empty() ? "" : ", ") + in.new_path(fields.second->name);
  }
  if (names.empty()) return;
  subject.path = in.after.name;
  subject.allowances = &in.after.allowed;
  in.report.add(subject, what + " changed for " + names);
}

void report_unseen(TypeCheck& in, const std::string& what, bool differs) {
  if (differs) in.report.add(in.type(), what + " changed for " + quoted(in.after.name));
}

bool is_before(const Version& a, const Version& b) {
  return std::pair(a.major_, a.minor_) < std::pair(b.major_, b.minor_);
}

Subject about_version(const Scope& scope) {
  return about_schema(scope, "", scope.after.model.version_span, scope.before.model.version_span,
                      "the old version is here");
}

/// PyTorch's checker stops at the first error.
bool stops_before_version(const Scope& scope, const Report& report) {
  return scope.policy == Policy::pytorch && report.required(Bump::error) == Bump::error;
}

void suggest_version(const Scope& scope, Report& report, const std::string& message) {
  const Version next = next_version(scope.before.model.version, report.required(), scope.policy);
  report.add(about_version(scope), message)
      .suggest("write this version, or run `schemagen bump`",
               filled("version: {major: $, minor: $}", next.major_, next.minor_));
}

std::optional<Example> file_of(const Scope& scope, std::size_t root, Flow flow) {
  const std::string value = scope.examples.written(flow).of_type(root);
  if (value.size() > kLongestExample) return std::nullopt;
  const auto partner = scope.match.partner[root];
  const bool is_root = partner && as_set(roots_of(scope.after.model)).count(*partner) != 0;
  return Example{flow, scope.before.model.types[root].name,
                 is_root ? scope.after.model.types[*partner].name : "", value};
}

void report_unused(const Scope& scope, Report& report, const std::vector<Allowance>& allowed,
                   const std::string& path, const std::string& where) {
  for (const Allowance& allowance : allowed) {
    if (report.is_used(allowance) || allowance.rule == "SUPPRESSION_UNUSED") continue;
    report
        .add(about_schema(scope, path, allowance.span, {}, ""),
             filled("'$' is allowed $, but no finding matches", allowance.rule, where))
        .suggest("remove the entry");
  }
}

}  // namespace

std::vector<std::size_t> roots_of(const Model& model) {
  if (!model.roots.empty()) return model.roots;
  std::vector<bool> is_used(model.types.size(), false);
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    for (const Field& field : model.types[i].fields) {
      for (const std::size_t named : all_named_in(field.type)) {
        if (named != i) is_used[named] = true;
      }
    }
  }
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < model.types.size(); ++i) {
    if (!is_used[i] && !model.types[i].is_enum()) roots.push_back(i);
  }
  return roots;
}

void root_added(const Scope& scope, Report& report) {
  if (scope.before.model.roots.empty()) return;
  Types old_roots;
  for (const std::size_t root : scope.before.model.roots) {
    if (const auto partner = scope.match.partner[root]) old_roots.insert(*partner);
  }
  for (const std::size_t root : scope.after.model.roots) {
    if (old_roots.count(root) != 0) continue;
    const Definition& type = scope.after.model.types[root];
    const Subject subject =
        about_schema(scope, type.name, scope.after.model.roots_span, scope.before.model.roots_span, "");
    report.add(subject, "'$' was added to the roots", type.name);
  }
}

void root_removed(const Scope& scope, Report& report) {
  const Types roots = as_set(scope.after.model.roots);
  for (const std::size_t root : roots_of(scope.before.model)) {
    const auto partner = scope.match.partner[root];
    // A schema without roots, or with its first list of roots, removes none.
    const bool are_named = !roots.empty() && !scope.before.model.roots.empty();
    if (partner && (!are_named || roots.count(*partner) != 0)) continue;
    const Definition& type = scope.before.model.types[root];
    const Subject subject =
        about_schema(scope, type.name, scope.after.model.roots_span, type.span, "it was here");
    Finding& finding = report.add(subject, "'$' $: files with this root can no longer be read", type.name,
                                  partner ? "is no longer a root" : "was removed");
    finding.example = file_of(scope, root, Flow::new_reads_old_json);
    finding.suggest("keep the root, or, if no such files exist, allow the finding in the schema",
                    partner ? "" : "allow: [{rule: ROOT_REMOVED, reason: \"...\"}]");
  }
}

void root_renamed(const Scope& scope, Report& report) {
  const Types roots = as_set(roots_of(scope.after.model));
  for (const std::size_t root : roots_of(scope.before.model)) {
    const auto partner = scope.match.partner[root];
    if (!partner || roots.count(*partner) == 0) continue;
    const Definition& from = scope.before.model.types[root];
    const Definition& to = scope.after.model.types[*partner];
    if (from.name == to.name) continue;
    const Subject subject = {to.name, &to.allowed, scope.after.at(to.span), scope.before.at(from.span)};
    Finding& finding = report.add(
        subject, "the root '$' was renamed to '$', but binary files contain its name", from.name, to.name);
    finding.example = file_of(scope, root, Flow::new_reads_old_binary);
    finding.suggest("keep the name");
  }
}

void constant_added(const Scope& scope, Report& report) {
  for (const Constant& constant : scope.after.model.constants) {
    if (find_named(scope.before.model.constants, constant.name) != nullptr) continue;
    report.add(about_schema(scope, constant.name, constant.span, {}, ""), "constant '$' was added",
               constant.name);
  }
}

void constant_removed(const Scope& scope, Report& report) {
  for (const Constant& constant : scope.before.model.constants) {
    if (find_named(scope.after.model.constants, constant.name) != nullptr) continue;
    report.add(about_schema(scope, constant.name, {}, constant.span, "it was here"),
               "constant '$' was removed", constant.name);
  }
}

void constant_changed(const Scope& scope, Report& report) {
  for (const Constant& after : scope.after.model.constants) {
    const Constant* const before = find_named(scope.before.model.constants, after.name);
    if (before == nullptr || before->value == after.value) continue;
    report.add(about_schema(scope, after.name, after.span, before->span, "it was here"),
               "constant '$' changed from $ to $", after.name, before->value, after.value);
  }
}

void doc_changed(TypeCheck& in) {
  report_unseen(in, "the doc",
                [](const Field& a, const Field& b) { return a.doc != b.doc || a.since != b.since; });
  report_unseen(in, "the doc", in.before.doc != in.after.doc);
}

void deprecated_changed(TypeCheck& in) {
  report_unseen(in, "'deprecated'",
                [](const Field& a, const Field& b) { return a.deprecated != b.deprecated; });
}

void cpp_attribute_changed(TypeCheck& in) {
  report_unseen(in, "'boxed' or 'cpp_name'", [](const Field& a, const Field& b) {
    return a.boxed != b.boxed || a.cpp_name != b.cpp_name;
  });
  report_unseen(in, "'states_version'",
                [](const Field& a, const Field& b) { return a.states_version != b.states_version; });
  report_unseen(in, "'cpp_name'", in.before.cpp_name != in.after.cpp_name);
}

void schema_renamed(const Scope& scope, Report& report) {
  const std::string& before = scope.before.model.name;
  const std::string& after = scope.after.model.name;
  if (before == after) return;
  const Subject subject = about_schema(scope, "", scope.after.model.name_span, scope.before.model.name_span,
                                       "the old name is here");
  Finding& finding = report.add(
      subject, "the schema was renamed from '$' to '$', but binary files contain its name", before, after);
  for (const std::size_t root : roots_of(scope.before.model)) {
    if (!finding.example) finding.example = file_of(scope, root, Flow::new_reads_old_binary);
  }
  finding.suggest("keep the name");
}

void suppression_unused(const Scope& scope, Report& report) {
  if (scope.policy == Policy::pytorch) return;
  const Model& model = scope.after.model;
  report_unused(scope, report, model.allowed, "", "in the schema");
  for (const Definition& type : model.types) {
    report_unused(scope, report, type.allowed, type.name, "in " + quoted(type.name));
    for (const Field& field : type.fields) {
      const std::string path = type.name + "." + field.name;
      report_unused(scope, report, field.allowed, path, "in " + quoted(path));
    }
  }
}

void version_not_bumped(const Scope& scope, Report& report) {
  if (stops_before_version(scope, report)) return;
  const Version before = scope.before.model.version;
  const Version after = scope.after.model.version;
  const Bump required = report.required();
  const Version next = next_version(before, required, scope.policy);
  if (required == Bump::none || is_before(after, before) || !is_before(after, next)) return;
  const std::string is_now = is_before(before, after)
                                 ? "went from " + spelled(before) + " to " + spelled(after)
                                 : "is still " + spelled(after);
  suggest_version(scope, report,
                  "the version " + is_now + ", but the changes require a new " +
                      std::string(name_of(required)) + " version: " + spelled(next));
}

void version_downgraded(const Scope& scope, Report& report) {
  const Version before = scope.before.model.version;
  const Version after = scope.after.model.version;
  if (stops_before_version(scope, report) || !is_before(after, before)) return;
  suggest_version(scope, report, "the version went down from " + spelled(before) + " to " + spelled(after));
}

void version_skipped(const Scope& scope, Report& report) {
  if (stops_before_version(scope, report)) return;
  const Version before = scope.before.model.version;
  const Version after = scope.after.model.version;
  const Bump required = report.required();
  const Version next = next_version(before, required, scope.policy);
  if (required == Bump::none || !is_before(next, after)) return;
  // A new major version may start at minor 0, or at 1 as in PyTorch.
  const bool is_next_major = after.major_ == before.major_ + 1 && after.minor_ <= 1;
  if (scope.policy != Policy::pytorch && is_next_major) return;
  Finding& finding = report.add(about_version(scope), "the version went from " + spelled(before) + " to " +
                                                          spelled(after) + ", skipping " + spelled(next));
  if (after.major_ > before.major_ + 1 && scope.policy != Policy::pytorch) finding.level = Level::warning;
}

}  // namespace generator
