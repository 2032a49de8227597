#include "pt2/versions/document_version.h"

#include "pt2/schema_info.h"
#include "pt2/versions/version.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::JsonDocument;
using schemagen::JsonTape;

/// Each has a key that others lack.
constexpr std::pair<const char*, const char*> kOtherDocuments[] = {
    {"config", "a PayloadConfig, which lists an archive's weights or constants"},
    {"library_basename", "AOTInductorModelPickleData, which describes a compiled model"},
    {"nodes", "ExternKernelNodes, the operators that a compiled model calls"},
};

std::vector<std::string_view> keys_of(const JsonTape& tape, std::size_t object) {
  std::vector<std::string_view> keys;
  const std::size_t end = tape.after(object) - 1;
  for (std::size_t i = object + 1; i < end; i = tape.next(i + 1)) keys.push_back(tape.string(i));
  return keys;
}

[[noreturn]] void refuse_other_document(const JsonDocument& document, const char* missing) {
  const JsonTape& tape = document.tape();
  const std::size_t root = JsonDocument::root();
  if (tape.count(root) == 0) document.fail(root, "expected an exported program, got an empty object");
  for (const auto& [key, what] : kOtherDocuments) {
    if (schemagen::find_member(tape, root, key) != 0) {
      document.fail(root, std::string("expected an exported program, got ") + what);
    }
  }
  document.fail(root, std::string("expected an exported program with the key '") + missing +
                          "', found the keys " + schemagen::quoted_list(keys_of(tape, root)));
}

std::size_t find_version_value(const JsonDocument& document) {
  const JsonTape& tape = document.tape();
  const std::size_t root = JsonDocument::root();
  if (tape.tag(root) != JsonTape::kObject) {
    document.fail(root, std::string("expected an exported program, got ") +
                            (tape.is_number(root) ? "a number" : schemagen::name_of(tape.tag(root))));
  }
  const std::size_t value = schemagen::find_member(tape, root, "schema_version");
  if (schemagen::find_member(tape, root, "graph_module") == 0)
    refuse_other_document(document, "graph_module");
  if (value == 0) refuse_other_document(document, "schema_version");
  return value;
}

}  // namespace

bool has_bare_nonfinite(const SchemaVersion& version) {
  constexpr std::int64_t kMajor = 8;
  constexpr std::int64_t kLastMinor = 2;
  return version.major < kMajor || (version.major == kMajor && version.minor <= kLastMinor);
}

bool has_pickles(const SchemaVersion& version) {
  return version.major == 1;
}

SchemaVersion document_version(const JsonDocument& document) {
  const std::size_t value = find_version_value(document);
  const auto version = schemagen::stated_version(document.tape(), value);
  if (version && version->major >= 0 && version->minor >= 0) {
    return {version->major, version->minor};
  }
  document.fail(value, "expected a version, such as {\"major\": " + std::to_string(kSchemaMajor) +
                           ", \"minor\": " + std::to_string(kSchemaMinor) + "}");
}

schemagen::JsonReadOptions read_options_for(const JsonDocument& document, const SchemaVersion& version,
                                            schemagen::JsonReadOptions options,
                                            schemagen::UnknownFields newer_fields) {
  if (const std::optional<std::string> reason = why_unreadable(version, Encoding::json)) {
    document.fail(find_version_value(document), *reason);
  }
  if (support_for(version) == VersionSupport::newer_minor &&
      options.unknown_fields == schemagen::UnknownFields::error) {
    options.unknown_fields = newer_fields;
  }
  options.bare_nonfinite = options.bare_nonfinite || has_bare_nonfinite(version);
  return options;
}

schemagen::DataError of_version(const schemagen::DataError& error, const SchemaVersion& version) {
  if (support_for(version) != VersionSupport::newer_minor) return error;
  std::string reason = error.reason();
  const bool is_unknown = error.fault().is_unknown_field;
  if (!error.fault().names_versions) {
    reason += "; written with schema " + version_text(version) + ", read with schema " +
              version_text({kSchemaMajor, kSchemaMinor});
  }
  if (is_unknown) reason += ": use a newer release, or skip or keep unknown fields";
  return schemagen::DataError(reason, error.path(), error.place(), {is_unknown, true});
}

}  // namespace pt2
