#include "schemagen/base/schema_version.h"

#include "schemagen/base/quote.h"

namespace schemagen {

std::string version_text(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

std::optional<std::string> why_unreadable(const SchemaIdentity& own, std::string_view type,
                                          const Version& version) {
  if (version.major == own.version.major) return std::nullopt;
  return "cannot read " + quoted(type) + " of schema " + version_text(version) + " with code for schema " +
         version_text(own.version) + "; hint: use code for major version " + std::to_string(version.major);
}

UnknownFields unknown_fields_for(const SchemaIdentity& own, const Version& version, UnknownFields asked) {
  const bool is_newer_minor = version.major == own.version.major && version.minor > own.version.minor;
  return is_newer_minor && asked == UnknownFields::error ? UnknownFields::skip_empty : asked;
}

}  // namespace schemagen
