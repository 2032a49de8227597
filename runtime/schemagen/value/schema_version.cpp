#include "schemagen/value/schema_version.h"

#include "schemagen/value/quote.h"

namespace schemagen {

std::string version_text(const SchemaVersion& version) {
  return std::to_string(version.major_version) + "." + std::to_string(version.minor_version);
}

std::optional<std::string> why_unreadable(const SchemaIdentity& own, std::string_view type,
                                          const SchemaVersion& version) {
  if (version.major_version == own.version.major_version) return std::nullopt;
  return "this is " + quoted(type) + " of schema " + version_text(version) + ", and the reader is of " +
         version_text(own.version) + ": read it by code of major version " +
         std::to_string(version.major_version);
}

UnknownFields unknown_fields_for(const SchemaIdentity& own, const SchemaVersion& version,
                                 UnknownFields asked) {
  const bool is_newer_minor =
      version.major_version == own.version.major_version && version.minor_version > own.version.minor_version;
  return is_newer_minor && asked == UnknownFields::error ? UnknownFields::skip_empty : asked;
}

}  // namespace schemagen
