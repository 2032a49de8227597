#include "pt2/upgrade/upgrade.h"

#include <algorithm>

#include "pt2/schema_info.h"
#include "pt2/upgrade/upgrade_steps.h"
#include "pt2/versions/document_version.h"
#include "pt2/versions/released_schemas.h"
#include "pt2/versions/version.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/value_path.h"
#include "schemagen/tree/dom.h"
#include "schemagen/tree/upgrade.h"
#include "schemagen/tree/walk.h"

namespace pt2 {
namespace {

using schemagen::DomValue;

constexpr std::string_view kRoot = "ExportedProgram";
constexpr SchemaVersion kHead = {kSchemaMajor, kSchemaMinor};

const schemagen::Reflection& schema_for(const schemagen::Version& version) {
  const SchemaVersion from{version.major, version.minor};
  if (const schemagen::Reflection* const schema = released_schema_for(from)) return *schema;
  throw schemagen::DataError("upgrade step: no release of torch wrote version " + version_text(from));
}

/// The result refers to `notes` and to the arrays.
std::vector<schemagen::UpgradeStep> all_steps(const UpgradeSteps& extra, const UpgradeNotes& notes) {
  std::vector<schemagen::UpgradeStep> steps;
  for (const UpgradeSteps& some : {shipped_upgrade_steps(), extra}) {
    for (std::size_t i = 0; i < some.count; ++i) {
      const UpgradeStep& step = some.first[i];
      steps.push_back({{step.from.major, step.from.minor},
                       step.type,
                       [&step, &notes](DomValue& value, const schemagen::UpgradeContext& context) {
                         step.apply(value, UpgradeContext(step.from, context.path(), notes));
                       }});
    }
  }
  return steps;
}

/// Readers disagree on which of two equal names counts, and a step could drop either.
void require_unique_keys(const DomValue& value) {
  if (const DomValue::List* const items = value.list()) {
    for (const DomValue& item : *items) require_unique_keys(item);
  }
  const DomValue::Object* const members = value.object();
  if (members == nullptr) return;
  std::vector<std::string_view> keys;
  for (const schemagen::DomMember& member : *members) {
    keys.push_back(member.name.view());
    require_unique_keys(member.value);
  }
  std::sort(keys.begin(), keys.end());
  const auto duplicate = std::adjacent_find(keys.begin(), keys.end());
  if (duplicate == keys.end()) return;
  throw schemagen::DataError("duplicate key " + schemagen::quoted(*duplicate) + " in an object");
}

/// Schemas 1 and 2 had a number. Steps see the struct of the others.
DomValue& version_in(DomValue& dom, const SchemaVersion& version) {
  DomValue& stated = *dom.find("schema_version");
  if (stated.object() == nullptr)
    stated = DomValue::Object{{"major", version.major}, {"minor", version.minor}};
  return stated;
}

void require_upgradable(const SchemaVersion& version) {
  require_readable(version, Encoding::json);
  if (support_for(version) != VersionSupport::newer_minor) return;
  throw schemagen::DataError("cannot upgrade version " + version_text(version) + ": expected " +
                                 version_text(kHead) + " or earlier; use a newer release of this library",
                             "schema_version");
}

}  // namespace

void UpgradeContext::report(std::string_view what, std::string_view member) const {
  if (notes_.changes == nullptr) return;
  std::string path = path_.text();
  if (!member.empty()) schemagen::append_key(path, member);
  notes_.changes->push_back({from_, schemagen::shortened(std::move(path)), std::string(what)});
}

TensorMeta UpgradeContext::read_constant(const std::string& name, std::string file) const {
  if (!notes_.read_constant) throw schemagen::DataError("reading it requires a read_constant callback");
  return notes_.read_constant(name, std::move(file), notes_.limits);
}

void UpgradeContext::fail(std::string reason) const {
  throw schemagen::DataError(std::move(reason), path_.text());
}

UpgradedDocument upgrade_document(const schemagen::JsonDocument& document, const UpgradeOptions& options,
                                  const ReadConstant& read_constant) {
  const SchemaVersion version = document_version(document);
  require_upgradable(version);
  UpgradedDocument result;
  UpgradeNotes notes{options.report_changes ? &result.changes : nullptr, read_constant, document.limits()};
  notes.limits.memory_bytes = document.memory_left();
  DomValue dom = schemagen::to_dom(document);
  require_unique_keys(dom);
  version_in(dom, version);
  schemagen::apply_upgrade_steps(dom, kRoot, {version.major, version.minor},
                                 all_steps(options.extra_steps, notes), schema_for);
  if (version != kHead) {
    DomValue& stated = version_in(dom, version);
    stated.set("major", kHead.major);
    stated.set("minor", kHead.minor);
    UpgradeContext(version, {}, notes)
        .report("changed from " + version_text(version) + " to " + version_text(kHead), "schema_version");
  }
  result.text = schemagen::dom_text(dom);
  return result;
}

}  // namespace pt2
