#include "pt2/versions/version.h"

#include <algorithm>
#include <iterator>

#include "pt2/schema_info.h"
#include "pt2/versions/releases.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

constexpr std::string_view kArchiveVersion = "0";

/// Whether a release wrote the version, or a later one of its major.
bool is_older_release(const SchemaVersion& version) {
  return std::any_of(std::begin(kReleases), std::end(kReleases), [&](const Release& release) {
    return release.schema.major == version.major && version.minor <= release.schema.minor;
  });
}

std::string head_text() {
  return version_text({kSchemaMajor, kSchemaMinor});
}

/// What is said of every version that cannot be read.
std::string readable_versions() {
  return "only 1, 2, 5.x, 7.x and " + std::to_string(kSchemaMajor) + ".x (up to " + head_text() +
         " in full) can";
}

std::string refusal(const SchemaVersion& version, VersionSupport support) {
  const std::string what =
      "version " + version_text(version) + " cannot be read, " + readable_versions() + ": ";
  if (support == VersionSupport::newer_major) {
    return what + "it is newer than this reader; use a newer one, or save the program with torch " +
           latest_torch() + " or earlier";
  }
  return what + "no release of torch wrote it; export the model again with torch 2.6 or later";
}

std::string binary_refusal(const SchemaVersion& version) {
  return "the file is of schema " + version_text(version) +
         ", and binary files are read by their own major version only, here " + head_text() +
         (version.major < kSchemaMajor
              ? ": have the library that wrote it convert it to JSON, and upgrade that"
              : ": a newer library reads it");
}

}  // namespace

std::string version_text(const SchemaVersion& version) {
  const std::string first = std::to_string(version.major);
  const bool has_minor = version.major > 2 || version.major == 0 || version.minor != 0;
  return has_minor ? first + "." + std::to_string(version.minor) : first;
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

void require_readable_archive(std::string_view archive_version) {
  if (archive_version == kArchiveVersion) return;
  throw schemagen::DataError("the archive's archive_version is " + schemagen::quoted(archive_version) +
                             ", only '" + std::string(kArchiveVersion) +
                             "' can be read: save the program again, with torch 2.8 to " + latest_torch());
}

void check_opset(const ExportedProgram& program, const schemagen::Map<std::int64_t>& supported) {
  for (const auto& [name, version] : program.opset_version) {
    const std::int64_t* const newest = supported.find(name);
    if (newest == nullptr || version <= *newest) continue;
    std::string path = "opset_version";
    schemagen::append_key(path, name);
    throw schemagen::DataError("the program needs operator set " + schemagen::quoted(name) + " " +
                                   std::to_string(version) + ", and the newest that is supported is " +
                                   std::to_string(*newest) +
                                   ": use a newer runtime, or export the model with an older torch",
                               path);
  }
}

}  // namespace pt2
