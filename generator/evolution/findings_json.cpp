#include "evolution/findings.h"
#include "text/json_text.h"
#include "text/source_place.h"

namespace generator {
namespace {

void write_version(JsonText& json, Version version) {
  json.object([&] {
    json.key("major").number(version.major_);
    json.key("minor").number(version.minor_);
  });
}

void write_release(JsonText& json, const Release& release, const std::string& hash) {
  json.object([&] {
    json.key("file").string(release.file);
    json.key("name").string(release.model.name);
    write_version(json.key("version"), release.model.version);
    json.key("hash").string(hash);
  });
}

void write_place_or_null(JsonText& json, std::string_view key, const Place& place) {
  json.key(key);
  if (!place.file.empty()) return write_place(json, place.file, place.span);
  json.null();
}

void write_finding(JsonText& json, const Finding& finding) {
  json.object([&] {
    json.key("rule").string(finding.rule->id);
    json.key("level").string(name_of(finding.level));
    json.key("path").string(finding.path);
    json.key("message").string(finding.message);
    write_place_or_null(json, "new", finding.after);
    write_place_or_null(json, "old", finding.before);
    write_effects(json.key("effects"), finding.effects);
    json.key("bump").string(name_of(finding.bump));
    json.key("fix").string_or_null(finding.fix);
    json.key("paste").string_or_null(finding.paste);
    json.key("allowed").string_or_null(finding.allowed.value_or(""));
    json.key("causes").array(finding.causes, [&](const Finding& cause) { write_finding(json, cause); });
    json.key("example");
    if (!finding.example) {
      json.null();
      return;
    }
    json.object([&] {
      json.key("flow").string(name_of(finding.example->flow));
      json.key("type").string(finding.example->type);
      json.key("value").string(finding.example->value);
    });
  });
}

void write_counts(JsonText& json, const Comparison& comparison) {
  json.object([&] {
    for (const Level level : {Level::error, Level::breaking, Level::warning, Level::note}) {
      json.key(name_of(level)).number(comparison.count(level));
    }
    json.key("allowed").number(comparison.count_allowed());
  });
}

}  // namespace

void write_effects(JsonText& json, const Effects& effects) {
  json.object([&] {
    for (const Flow flow : {Flow::new_reads_old_json, Flow::old_reads_new_json, Flow::new_reads_old_binary,
                            Flow::old_reads_new_binary})
      json.key(name_of(flow)).string(name_of(effects.*effect_on(flow)));
    json.key("source").string(name_of(effects.source));
  });
}

std::string findings_as_json(const Findings& findings) {
  const Comparison& comparison = findings.comparison;
  JsonText json;
  json.object([&] {
    json.key("format").string("schemagen-diff 1");
    json.key("policy").string(name_of(comparison.policy));
    write_release(json.key("old"), findings.before, comparison.hash_before);
    write_release(json.key("new"), findings.after, comparison.hash_after);
    json.key("bump").string(name_of(comparison.required));
    write_version(json.key("suggested_version"), comparison.suggested);
    json.key("version_suffices").boolean(comparison.version_suffices);
    json.key("roots").array(comparison.roots, [&](const RootEquality& root) {
      json.object([&] {
        json.key("root").string(root.root);
        json.key("json_unchanged").boolean(root.json);
        json.key("binary_unchanged").boolean(root.binary);
      });
    });
    write_counts(json.key("counts"), comparison);
    json.key("findings").array(comparison.findings, [&](const Finding& finding) {
      write_finding(json, finding);
    });
  });
  return json.take();
}

}  // namespace generator
