#include "pt2/versions/version.h"

#include <algorithm>
#include <tuple>

#include "pt2/versions/releases.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

constexpr std::string_view kArchiveVersion = "0";

/// Whether a release wrote this version, or a later one with the same major version.
bool is_older_release(const SchemaVersion& version) {
  return std::any_of(std::begin(kReleases), std::end(kReleases), [&](const Release& release) {
    return release.schema.major == version.major && version.minor <= release.schema.minor;
  });
}

/// Schemas 1 and 2 had no minor versions.
bool has_minor(std::int64_t major) {
  return major != 1 && major != 2;
}

/// Names all versions with this major version.
std::string major_text(std::int64_t major) {
  return std::to_string(major) + (has_minor(major) ? ".x" : "");
}

std::string current_versions() {
  return major_text(kSchemaMajor) + " (up to " + version_text({kSchemaMajor, kSchemaMinor}) + " in full)";
}

/// Returns the first release with the current major version, which the last row of kReleases has.
std::string first_torch() {
  const Release* const first =
      std::find_if(std::begin(kReleases), std::end(kReleases),
                   [](const Release& release) { return release.schema.major == kSchemaMajor; });
  return "2." + std::to_string(first->torch_minor);
}

std::string refusal(const SchemaVersion& version, VersionSupport support) {
  const std::string what = "cannot read schema version " + version_text(version) + ": expected " +
                           older_majors() + " or " + current_versions() + "; ";
  if (support == VersionSupport::newer_major) {
    return what + "use a newer release of this library, or save the program with torch " + latest_torch() +
           " or earlier";
  }
  return what + "no release of torch wrote it: export the model again with torch " + first_torch() +
         " or later";
}

std::string binary_refusal(const SchemaVersion& version) {
  return "cannot read binary schema version " + version_text(version) + ": expected " + current_versions() +
         "; " +
         (version.major < kSchemaMajor
              ? "convert the file to JSON with the library that wrote it, and upgrade the JSON"
              : "use a newer release of this library");
}

}  // namespace

std::string version_text(const SchemaVersion& version) {
  const std::string first = std::to_string(version.major);
  return has_minor(version.major) || version.minor != 0 ? first + "." + std::to_string(version.minor) : first;
}

bool is_before(const SchemaVersion& a, const SchemaVersion& b) {
  return std::tie(a.major, a.minor) < std::tie(b.major, b.minor);
}

std::string older_majors() {
  std::string text;
  const Release* last = nullptr;
  for (const Release& release : kReleases) {
    const std::int64_t major = release.schema.major;
    if (major == kSchemaMajor || (last != nullptr && last->schema.major == major)) continue;
    text += (last == nullptr ? "" : ", ") + major_text(major);
    last = &release;
  }
  return text;
}

VersionSupport support_for(const SchemaVersion& version) {
  if (version.major == kSchemaMajor) {
    return version.minor <= kSchemaMinor ? VersionSupport::readable : VersionSupport::newer_minor;
  }
  if (version.major > kSchemaMajor) return VersionSupport::newer_major;
  return is_older_release(version) ? VersionSupport::older_release : VersionSupport::never_released;
}

std::optional<std::string> why_unreadable(const SchemaVersion& version, Encoding encoding) {
  const VersionSupport support = support_for(version);
  if (support == VersionSupport::readable || support == VersionSupport::newer_minor) return std::nullopt;
  if (encoding == Encoding::binary) return binary_refusal(version);
  if (support == VersionSupport::older_release) return std::nullopt;
  return refusal(version, support);
}

void require_readable(const SchemaVersion& version, Encoding encoding) {
  if (const std::optional<std::string> reason = why_unreadable(version, encoding)) {
    throw schemagen::DataError(*reason, "schema_version");
  }
}

bool has_pt2_archives(const SchemaVersion& version) {
  return !is_before(version, {8, 8});
}

bool has_raw_weights(const SchemaVersion& version) {
  return !is_before(version, {8, 14});
}

void require_readable_archive(std::string_view archive_version) {
  if (archive_version == kArchiveVersion) return;
  throw schemagen::DataError("archive_version: expected '" + std::string(kArchiveVersion) + "', got " +
                             schemagen::quoted(archive_version) +
                             "; save the program again with torch 2.8 to " + latest_torch());
}

void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported) {
  for (const auto& [name, version] : program.opset_version) {
    const std::int64_t* const newest = supported.find(name);
    if (newest == nullptr || version <= *newest) continue;
    std::string path = "opset_version";
    schemagen::append_key(path, name);
    throw schemagen::DataError("operator set " + schemagen::quoted(name) + ": expected version " +
                                   std::to_string(*newest) + " or earlier, got " + std::to_string(version) +
                                   "; use a newer runtime, or export the model with an older torch",
                               path);
  }
}

}  // namespace pt2
