#include "evolution/findings.h"
#include "text/source_place.h"

namespace generator {
namespace {

void write_version(JsonText& json, Version version) {
  json.object("major", version.major_, "minor", version.minor_);
}

void write_release(JsonText& json, const Release& release, const std::string& hash) {
  json.object(
      "file", release.file, "name", release.model.name, "version",
      [&] { write_version(json, release.model.version); }, "hash", hash);
}

void write_place_or_null(JsonText& json, std::string_view key, const Place& place) {
  json.key(key);
  if (!place.file.empty()) return write_place(json, place.file, place.span);
  json.null();
}

void write_finding(JsonText& json, const Finding& finding) {
  json.object([&] {
    json.members("rule", finding.rule->id, "level", name_of(finding.level), "path", finding.path, "message",
                 finding.message);
    write_place_or_null(json, "new", finding.after);
    write_place_or_null(json, "old", finding.before);
    write_effects(json.key("effects"), finding.effects);
    json.members("bump", name_of(finding.bump));
    json.key("fix").string_or_null(finding.fix);
    json.key("paste").string_or_null(finding.paste);
    json.key("allowed").string_or_null(finding.allowed.value_or(""));
    json.key("causes").array(finding.causes, [&](const Finding& cause) { write_finding(json, cause); });
    json.key("example");
    if (const auto& example = finding.example)
      json.object("flow", name_of(example->flow), "type", example->type, "value", example->value);
    else
      json.null();
  });
}

void write_counts(JsonText& json, const Comparison& comparison) {
  json.object([&] {
    for (const Level level : {Level::error, Level::breaking, Level::warning, Level::note}) {
      json.members(name_of(level), comparison.count(level));
    }
    json.members("allowed", comparison.count_allowed());
  });
}

}  // namespace

void write_effects(JsonText& json, const Effects& effects) {
  json.object([&] {
    for (const Flow flow : {Flow::new_reads_old_json, Flow::old_reads_new_json, Flow::new_reads_old_binary,
                            Flow::old_reads_new_binary})
      json.members(name_of(flow), name_of(effects.*effect_on(flow)));
    json.members("source", name_of(effects.source));
  });
}

std::string findings_as_json(const Findings& findings) {
  const Comparison& comparison = findings.comparison;
  JsonText json;
  json.object("format", "schemagen-diff 1", "policy", name_of(comparison.policy), [&] {
    write_release(json.key("old"), findings.before, comparison.hash_before);
    write_release(json.key("new"), findings.after, comparison.hash_after);
    json.members("bump", name_of(comparison.required));
    write_version(json.key("suggested_version"), comparison.suggested);
    json.members("version_suffices", comparison.version_suffices);
    json.key("roots").array(comparison.roots, [&](const RootEquality& root) {
      json.object("root", root.root, "json_unchanged", root.json, "binary_unchanged", root.binary);
    });
    write_counts(json.key("counts"), comparison);
    json.key("findings").array(comparison.findings, [&](const Finding& finding) {
      write_finding(json, finding);
    });
  });
  return json.take();
}

}  // namespace generator
