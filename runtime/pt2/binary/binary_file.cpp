#include "pt2/binary/binary_file.h"

#include <algorithm>
#include <optional>

#include "pt2/schema_info.h"
#include "pt2/version/version.h"
#include "schemagen/compact/type.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {

bool is_own_schema(const EnvelopeHeader& header) {
  return std::equal(header.schema_id.begin(), header.schema_id.end(), kSchemaHashBytes.begin());
}

namespace detail {
namespace {

SchemaVersion version_of(const EnvelopeHeader& header) {
  return {header.schema_major, header.schema_minor};
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
  if (const std::optional<std::string> reason = why_unreadable(version_of(header), Encoding::binary)) {
    throw schemagen::DataError(*reason, {}, {EnvelopeHeader::kVersionAt});
  }
  if (header.root != root.name) {
    throw schemagen::DataError("the file holds a value of type " + schemagen::quoted(header.root) + ", not " +
                                   schemagen::quoted(root.name),
                               {}, {EnvelopeHeader::kRootAt});
  }
  options.doubles = header.doubles;
  if (support_for(version_of(header)) == VersionSupport::newer_minor &&
      options.unknown_fields == schemagen::UnknownFields::error) {
    options.unknown_fields = schemagen::UnknownFields::skip_empty;
  }
}

void rethrow(const schemagen::DataError& error, const EnvelopeHeader& header) {
  if (is_own_schema(header)) throw error;
  throw schemagen::DataError(error.reason() + "; written by schema id " + schema_id_text(header) + " (" +
                                 version_text(version_of(header)) + "), this is " +
                                 version_text({kSchemaMajor, kSchemaMinor}) +
                                 ", where an id may mean something else",
                             error.path(), error.place());
}

}  // namespace detail
}  // namespace pt2
