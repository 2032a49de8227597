#include "pt2/binary/binary_file.h"

#include <algorithm>
#include <optional>

#include "pt2/schema_info.h"
#include "pt2/version/version.h"
#include "schemagen/compact/type.h"
#include "schemagen/value/attempt.h"
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

/// Fails if the payload of `envelope` cannot be read as `root`. Adapts the options to who wrote it.
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

}  // namespace

std::string write_file(const schemagen::CompactType& root, const BinaryFileWriteOptions& options,
                       WritePayload write, const void* value) {
  EnvelopeHeader header;
  header.schema_major = kSchemaMajor;
  if (options.written_by != nullptr) {
    header.schema_minor = options.written_by->schema_minor;
    header.schema_id = options.written_by->schema_id;
  } else if (options.payload.kept == nullptr || options.payload.kept->empty()) {
    header.schema_minor = kSchemaMinor;
    std::copy_n(kSchemaHashBytes.begin(), header.schema_id.size(), header.schema_id.begin());
  } else {
    throw schemagen::UsageError(
        "kept fields need BinaryFileWriteOptions::written_by, the header of their file");
  }
  header.root = root.name;
  return seal(kPt2b, header, schemagen::detail::write_payload(root, options.payload, write, value),
              options.compression);
}

void read_envelope(const Envelope& envelope, const schemagen::CompactType& root,
                   schemagen::BinaryReadOptions options, ReadPayload read, void* value) {
  check_envelope(envelope, root, options);
  const EnvelopeHeader& header = envelope.header();
  try {
    schemagen::detail::read_payload(envelope.payload(), root, options, read, value);
  } catch (const schemagen::DataError& error) {
    if (is_own_schema(header)) throw;
    throw schemagen::DataError(error.reason() + "; written by schema id " + schema_id_text(header) + " (" +
                                   version_text(version_of(header)) + "), this is " +
                                   version_text({kSchemaMajor, kSchemaMinor}) +
                                   ", where an id may mean something else",
                               error.path(), error.place());
  }
}

void read_file(std::string_view file, const schemagen::CompactType& root,
               const schemagen::BinaryReadOptions& options, ReadPayload read, void* value) {
  const Envelope envelope(kPt2b, file, options.limits);
  schemagen::BinaryReadOptions reading = options;
  reading.limits.memory_bytes -= envelope.owned_bytes();
  read_envelope(envelope, root, reading, read, value);
}

schemagen::Result<std::string> try_write_file(const schemagen::CompactType& root,
                                              const BinaryFileWriteOptions& options, WritePayload write,
                                              const void* value) noexcept {
  return schemagen::attempt([&] { return write_file(root, options, write, value); });
}

schemagen::Result<void> try_read_file(std::string_view file, const schemagen::CompactType& root,
                                      const schemagen::BinaryReadOptions& options, ReadPayload read,
                                      void* value) noexcept {
  return schemagen::attempt([&] { read_file(file, root, options, read, value); });
}

}  // namespace detail
}  // namespace pt2
