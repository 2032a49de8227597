#include "schemagen/tree/upgrade.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "schemagen/base/quote.h"
#include "schemagen/tree/dom.h"
#include "schemagen/tree/walk.h"

namespace schemagen {
namespace {

bool is_before(const Version& a, const Version& b) {
  return std::tie(a.major, a.minor) < std::tie(b.major, b.minor);
}

/// Applies steps from one version.
void apply_steps(DomValue& document, std::string_view root, const std::vector<const UpgradeStep*>& all,
                 const Reflection& schema) {
  std::vector<bool> wanted(schema.type_count);
  std::vector<std::vector<const UpgradeStep*>> steps(schema.type_count);
  for (const UpgradeStep* const step : all) {
    const std::uint32_t type = schema.find(step->type);
    if (type == schema.type_count) {
      throw DataError("upgrade step: schema " + version_text(step->from) + " has no type " +
                      quoted(step->type));
    }
    wanted[type] = true;
    steps[type].push_back(step);
  }
  walk_document(schema, schema.find(root), wanted, document,
                [&](std::uint32_t type, DomValue& value, const WalkPath& path) {
                  for (const UpgradeStep* step : steps[type]) step->apply(value, UpgradeContext(path));
                });
}

[[noreturn]] void refuse(const Version& version, const Upgrades& upgrades, const std::string& why) {
  const Reflection& current = *upgrades.schemas.back();
  throw DataError("cannot upgrade schema version " + version_text(version) + " to " +
                      version_text({current.major, current.minor}) + ": " + why,
                  std::string(upgrades.version_field));
}

void require_steps(const Version& version, const Upgrades& upgrades) {
  const std::int64_t newest = upgrades.schemas.back()->major;
  if (version.major > newest) refuse(version, upgrades, "use newer code");
  bool is_released = false;
  for (const Reflection* const schema : upgrades.schemas) {
    const std::int64_t major = schema->major;
    is_released = is_released || major == version.major;
    if (major < version.major || major == newest) continue;
    const auto is_from = [&](const UpgradeStep& step) { return step.from.major == major; };
    if (std::any_of(upgrades.steps.begin(), upgrades.steps.end(), is_from)) continue;
    refuse(version, upgrades, "there is no upgrade step from major version " + std::to_string(major));
  }
  if (!is_released) refuse(version, upgrades, "no release has this major version");
}

}  // namespace

void UpgradeContext::fail(std::string reason) const {
  throw DataError(std::move(reason), path_.text());
}

void apply_upgrade_steps(DomValue& document, std::string_view root, const Version& version,
                         const std::vector<UpgradeStep>& steps,
                         const std::function<const Reflection&(const Version& version)>& schema_for) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<const UpgradeStep*>> by_version;
  for (const UpgradeStep& step : steps) {
    if (!is_before(step.from, version)) by_version[{step.from.major, step.from.minor}].push_back(&step);
  }
  for (const auto& [from, equal] : by_version)
    apply_steps(document, root, equal, schema_for({from.first, from.second}));
}

std::string upgraded_json(std::string_view json, const Upgrades& upgrades, const Limits& limits) {
  const JsonDocument document(json, {limits});
  const JsonTape& tape = document.tape();
  const std::size_t root = JsonDocument::root();
  const std::size_t stated =
      tape.tag(root) == JsonTape::kObject ? find_member(tape, root, upgrades.version_field) : 0;
  const std::optional<Version> version = stated_version(tape, stated);
  if (!version)
    document.fail(stated == 0 ? root : stated, "expected a version in " + quoted(upgrades.version_field));
  require_steps(*version, upgrades);
  DomValue dom = to_dom(document);
  const auto set_version = [&](std::int64_t major, std::int64_t minor) {
    DomValue& own = *dom.find(upgrades.version_field);
    own.set("major", major);
    own.set("minor", minor);
  };
  // A typed step reads the version that it expects.
  const auto schema_for = [&](const Version& from) -> const Reflection& {
    set_version(from.major, from.minor);
    for (const Reflection* const schema : upgrades.schemas) {
      if (schema->major == from.major && schema->minor >= from.minor) return *schema;
    }
    throw DataError("upgrade step: no release has version " + version_text(from));
  };
  apply_upgrade_steps(dom, upgrades.root, *version, upgrades.steps, schema_for);
  const Reflection& current = *upgrades.schemas.back();
  if (is_before(*version, {current.major, current.minor})) set_version(current.major, current.minor);
  return dom_text(dom);
}

void convert_json(DomValue& value, const UpgradeContext& context,
                  const std::function<std::string(const std::string& json)>& convert) {
  try {
    value = parse_dom(convert(dom_text(value))).value_or(DomValue());
  } catch (const DataError& error) {
    context.fail(error.what());
  }
}

}  // namespace schemagen
