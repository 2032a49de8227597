#include "pt2/version.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pt2/schema_info.h"
#include "pt2/zip.h"
#include "schemagen/error.h"

namespace pt2 {
namespace {

using schemagen::JsonDocument;
using schemagen::JsonTape;

/// The last minor of major 8 whose releases wrote bare NaN and Infinity: torch 2.6.
constexpr std::int64_t kLastMinorWithBareNonfinite = 2;

struct OldRelease {
  std::int64_t major_version;
  const char* torch;
};
constexpr OldRelease kOldReleases[] = {{1, "2.1"}, {2, "2.2"}, {5, "2.3 or 2.4"}, {7, "2.5"}};

const OldRelease* find_old_release(std::int64_t major_version) {
  for (const OldRelease& release : kOldReleases) {
    if (release.major_version == major_version) return &release;
  }
  return nullptr;
}

/// Index of the value of `key` in the object at `object`, 0 if there is none.
std::size_t find_member(const JsonTape& tape, std::size_t object, std::string_view key) {
  const std::size_t end = tape.after(object) - 1;
  for (std::size_t i = object + 1; i < end; i = tape.next(i + 1)) {
    if (tape.string(i) == key) return i + 1;
  }
  return 0;
}

/// The documents that stand next to programs in archives, by a key that only they have.
struct OtherDocument {
  const char* key;
  const char* what;
};
constexpr OtherDocument kOtherDocuments[] = {
    {"config", "a PayloadConfig, the table of an archive's weights or constants"},
    {"library_basename", "AOTInductorModelPickleData, which describes a compiled model"},
    {"nodes", "ExternKernelNodes, the operators that a compiled model calls"},
};

const char* name_of_other(JsonTape::Tag tag) {
  switch (tag) {
    case JsonTape::kArray:
      return "a list";
    case JsonTape::kString:
      return "a string";
    case JsonTape::kTrue:
    case JsonTape::kFalse:
      return "a bool";
    case JsonTape::kNull:
      return "null";
    case JsonTape::kInt64:
    case JsonTape::kUint64:
    case JsonTape::kDouble:
    case JsonTape::kBigInteger:
    case JsonTape::kBare:
    case JsonTape::kRoot:
    case JsonTape::kObject:
    case JsonTape::kObjectEnd:
    case JsonTape::kArrayEnd:
      break;
  }
  return "a number";
}

/// "'a', 'b' and 3 more"
std::string listed_keys(const JsonTape& tape, std::size_t object) {
  constexpr std::size_t kMostListed = 5;
  std::string text;
  std::size_t count = 0;
  const std::size_t end = tape.after(object) - 1;
  for (std::size_t i = object + 1; i < end; i = tape.next(i + 1)) {
    if (count < kMostListed) text += (count == 0 ? "" : ", ") + quoted_name(tape.string(i));
    ++count;
  }
  return count > kMostListed ? text + " and " + std::to_string(count - kMostListed) + " more" : text;
}

[[noreturn]] void refuse_other_document(const JsonDocument& document, const char* missing) {
  const JsonTape& tape = document.tape();
  const std::size_t root = JsonDocument::root();
  if (tape.count(root) == 0) document.fail(root, "this is no exported program, but an empty object");
  for (const OtherDocument& other : kOtherDocuments) {
    if (find_member(tape, root, other.key) != 0) {
      document.fail(root, std::string("this is no exported program, but ") + other.what);
    }
  }
  document.fail(root, std::string("this is no exported program: it has no '") + missing + "', but " +
                          listed_keys(tape, root));
}

/// Index of the value of `schema_version`.
std::size_t find_version_value(const JsonDocument& document) {
  const JsonTape& tape = document.tape();
  const std::size_t root = JsonDocument::root();
  if (tape.tag(root) != JsonTape::kObject) {
    document.fail(root, std::string("this is no exported program, but ") + name_of_other(tape.tag(root)));
  }
  const std::size_t value = find_member(tape, root, "schema_version");
  if (find_member(tape, root, "graph_module") == 0) refuse_other_document(document, "graph_module");
  if (value == 0) refuse_other_document(document, "schema_version");
  return value;
}

/// The number at `index` (0: there is none) if it is one that a version may have.
std::optional<std::int64_t> version_number(const JsonTape& tape, std::size_t index) {
  if (index == 0 || tape.tag(index) != JsonTape::kInt64) return std::nullopt;
  const std::int64_t number = tape.number<std::int64_t>(index);
  return number >= 0 ? std::optional(number) : std::nullopt;
}

/// "8.x", and how far it is known.
std::string readable_versions() {
  return std::to_string(kSchemaMajor) + ".x (up to " + version_text({kSchemaMajor, kSchemaMinor}) +
         " in full)";
}

std::string why_unreadable(const SchemaVersion& version, VersionSupport support) {
  const std::string what =
      "version " + version_text(version) + " cannot be read, only " + readable_versions() + " can: ";
  if (support == VersionSupport::newer_major) return what + "it is newer than this reader";
  if (support == VersionSupport::never_released) return what + "no release of torch wrote it";
  const std::string torch = find_old_release(version.major)->torch;
  return what + "torch " + torch +
         " wrote it; load it with that release, or export the model again with torch 2.6 or later";
}

}  // namespace

SchemaVersion document_version(const JsonDocument& document) {
  const std::size_t value = find_version_value(document);
  const JsonTape& tape = document.tape();
  if (const auto only = version_number(tape, value)) {
    return {*only, 0};
  }
  if (tape.tag(value) == JsonTape::kObject) {
    const auto first = version_number(tape, find_member(tape, value, "major"));
    const auto second = version_number(tape, find_member(tape, value, "minor"));
    if (first && second) return {*first, *second};
  }
  document.fail(value, R"(expected a version, such as {"major": 8, "minor": 20})");
}

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
  return find_old_release(version.major) != nullptr ? VersionSupport::older_release
                                                    : VersionSupport::never_released;
}

void check_readable(const SchemaVersion& version) {
  const VersionSupport support = support_for(version);
  if (support == VersionSupport::readable || support == VersionSupport::newer_minor) return;
  throw schemagen::DataError(why_unreadable(version, support), "schema_version");
}

schemagen::JsonReadOptions read_options_for(const JsonDocument& document,
                                            schemagen::JsonReadOptions options) {
  const SchemaVersion version = document_version(document);
  const VersionSupport support = support_for(version);
  switch (support) {
    case VersionSupport::readable:
      break;
    case VersionSupport::newer_minor:
      if (options.unknown_fields == schemagen::UnknownFields::error) {
        options.unknown_fields = schemagen::UnknownFields::skip_empty;
      }
      break;
    case VersionSupport::older_release:
    case VersionSupport::newer_major:
    case VersionSupport::never_released:
      document.fail(find_version_value(document), why_unreadable(version, support));
  }
  options.bare_nonfinite = options.bare_nonfinite || version.minor <= kLastMinorWithBareNonfinite;
  return options;
}

}  // namespace pt2
