#include "pt2/binary_file.h"

#include <algorithm>

#include "pt2/schema_info.h"
#include "schemagen/compact_type.h"
#include "schemagen/error.h"

namespace pt2 {

bool is_own_schema(const EnvelopeHeader& header) {
  return std::equal(header.schema_id.begin(), header.schema_id.end(), kSchemaHashBytes.begin());
}

namespace detail {
namespace {

std::string version_text(std::uint64_t major_version, std::uint64_t minor_version) {
  return std::to_string(major_version) + "." + std::to_string(minor_version);
}

std::string own_version() {
  return version_text(std::uint64_t{kSchemaMajor}, std::uint64_t{kSchemaMinor});
}

}  // namespace

std::string seal_payload(const schemagen::CompactType& root, std::string_view payload,
                         Compression compression) {
  EnvelopeHeader header;
  header.schema_major = kSchemaMajor;
  header.schema_minor = kSchemaMinor;
  std::copy_n(kSchemaHashBytes.begin(), header.schema_id.size(), header.schema_id.begin());
  header.root = root.name;
  return seal(header, payload, compression);
}

void check_envelope(const Envelope& envelope, const schemagen::CompactType& root,
                    schemagen::BinaryReadOptions& options) {
  const EnvelopeHeader& header = envelope.header();
  const std::string version = version_text(header.schema_major, header.schema_minor);
  if (header.schema_major != std::uint32_t{kSchemaMajor}) {
    const bool is_older = header.schema_major < std::uint32_t{kSchemaMajor};
    throw schemagen::DataError(
        "the file is of schema " + version +
        ", and binary files are read by their own major version only, here " + own_version() +
        (is_older ? ": have the library that wrote it convert it to JSON, and upgrade that"
                  : ": a newer library reads it"));
  }
  if (header.root != root.name) {
    throw schemagen::DataError("the file holds a value of type '" + header.root + "', not '" +
                               std::string(root.name) + "'");
  }
  options.doubles = header.doubles;
  const bool is_newer = header.schema_minor > std::uint32_t{kSchemaMinor};
  if (is_newer && options.unknown_fields == schemagen::UnknownFields::error) {
    options.unknown_fields = schemagen::UnknownFields::skip_empty;
  }
}

void rethrow(const schemagen::DataError& error, const EnvelopeHeader& header) {
  if (is_own_schema(header)) throw error;
  throw schemagen::DataError(error.reason() + "; written by schema id " + schema_id_text(header) + " (" +
                                 version_text(header.schema_major, header.schema_minor) + "), this is " +
                                 own_version() + ", where an id may mean something else",
                             error.path(), error.place());
}

}  // namespace detail
}  // namespace pt2
