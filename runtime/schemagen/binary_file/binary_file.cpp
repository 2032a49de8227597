#include "schemagen/binary_file/binary_file.h"

#include "schemagen/base/attempt.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/result.h"
#include "schemagen/base/schema_version.h"
#include "schemagen/binary_file/payload.h"
#include "schemagen/thrift/wire.h"

namespace schemagen::detail {
namespace {

Version version_of(const EnvelopeHeader& header) {
  return {header.schema_major, header.schema_minor};
}

/// What files of `format` call `root`.
std::string root_name(const EnvelopeFormat& format, const CompactType& root) {
  const std::string name(root.name);
  return format.names_schema ? std::string(root.schema->name) + "." + name : name;
}

/// Why `root` cannot be read from data of the version that `header` states.
std::optional<std::string> why_unreadable(const EnvelopeFormat& format, const EnvelopeHeader& header,
                                          const CompactType& root) {
  const Version version = version_of(header);
  return format.why_unreadable != nullptr ? format.why_unreadable(version)
                                          : schemagen::why_unreadable(*root.schema, header.root, version);
}

/// Fails if the payload of `envelope` cannot be read as `root`.
void check_envelope(const Envelope& envelope, const CompactType& root) {
  const EnvelopeHeader& header = envelope.header();
  const std::string own = root_name(envelope.format(), root);
  // What files of other schemas say of versions is not about this one.
  const std::size_t schema_size = own.size() - root.name.size();
  if (header.root.compare(0, schema_size, own, 0, schema_size) == 0) {
    const auto reason = why_unreadable(envelope.format(), header, root);
    if (reason) throw DataError(*reason, {}, {EnvelopeHeader::kVersionAt});
  }
  if (header.root == own) return;
  throw DataError(
      "the file holds a value of type " + schemagen::quoted(header.root) + ", not " + schemagen::quoted(own),
      {}, {EnvelopeHeader::kRootAt});
}

}  // namespace

EnvelopeHeader header_for(const EnvelopeFormat& format, const CompactType& root,
                          const EnvelopeWriteOptions& options) {
  EnvelopeHeader header;
  header.schema_major = static_cast<std::uint32_t>(root.schema->version.major);
  if (options.written_by != nullptr) {
    header.schema_minor = options.written_by->schema_minor;
    header.schema_id = options.written_by->schema_id;
  } else if (options.payload.preserved == nullptr || options.payload.preserved->empty()) {
    header.schema_minor = static_cast<std::uint32_t>(root.schema->version.minor);
    header.schema_id = root.schema->id;
  } else {
    throw UsageError(kKeptWithoutHeader);
  }
  header.root = root_name(format, root);
  return header;
}

std::string write_envelope(const EnvelopeFormat& format, const CompactType& root,
                           const EnvelopeWriteOptions& options, WritePayload write, const void* value) {
  const EnvelopeHeader header =
      header_for(format, root, options);  // first, as its error is about the options
  return seal(format, header, write_payload(root, options.payload, write, value), options.compression);
}

BinaryReadOptions adapted(const Envelope& envelope, const CompactType& root,
                          const BinaryReadOptions& options) {
  check_envelope(envelope, root);
  const EnvelopeHeader& header = envelope.header();
  BinaryReadOptions reading = options;
  reading.doubles = header.doubles;
  reading.unknown_fields = unknown_fields_for(*root.schema, version_of(header), options.unknown_fields);
  return reading;
}

void read_adapted(const EnvelopeHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, ReadPayload read, void* value) {
  try {
    read_payload(payload, root, options, read, value);
  } catch (const DataError& error) {
    if (header.schema_id == root.schema->id) throw;
    throw DataError(error.reason() + "; written by schema id " + schema_id_text(header) + " (" +
                        version_text(version_of(header)) + "), this is " +
                        version_text(root.schema->version) + ", where an id may mean something else",
                    error.path(), error.place(), {error.fault().is_unknown_field, true});
  }
}

void read_envelope(const Envelope& envelope, const CompactType& root, const BinaryReadOptions& options,
                   ReadPayload read, void* value) {
  read_adapted(envelope.header(), envelope.payload(), root, adapted(envelope, root, options), read, value);
}

void read_file(const EnvelopeFormat& format, std::string_view file, const CompactType& root,
               const BinaryReadOptions& options, ReadPayload read, void* value) {
  const Envelope envelope(format, file, options.limits);
  BinaryReadOptions reading = options;
  reading.limits.memory_bytes -= envelope.owned_bytes();
  read_envelope(envelope, root, reading, read, value);
}

Result<std::string> try_write_envelope(const EnvelopeFormat& format, const CompactType& root,
                                       const EnvelopeWriteOptions& options, WritePayload write,
                                       const void* value) noexcept {
  return attempt([&] { return write_envelope(format, root, options, write, value); });
}

Result<void> try_read_file(const EnvelopeFormat& format, std::string_view file, const CompactType& root,
                           const BinaryReadOptions& options, ReadPayload read, void* value) noexcept {
  return attempt([&] { read_file(format, file, root, options, read, value); });
}

}  // namespace schemagen::detail
