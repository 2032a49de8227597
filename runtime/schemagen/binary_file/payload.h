// What files of one value and files of records do alike.
#pragma once

#include <string_view>

#include "schemagen/binary_file/binary_file.h"

namespace schemagen::detail {

constexpr char kKeptWithoutHeader[] =
    "kept fields need EnvelopeWriteOptions::written_by, the header of their file";

/// What a file of `root` says of itself. Errors: UsageError, if kept fields come without `written_by`.
EnvelopeHeader header_for(const EnvelopeFormat& format, const CompactType& root,
                          const EnvelopeWriteOptions& options);

/// The options that what `envelope` is about is read with.
/// Errors: DataError, if it is not of type `root`, or of another major version.
BinaryReadOptions adapted(const Envelope& envelope, const CompactType& root,
                          const BinaryReadOptions& options);

/// Reads a payload of a file with this header by adapted() options. Errors say so if another schema wrote it.
void read_adapted(const EnvelopeHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, ReadPayload read, void* value);

}  // namespace schemagen::detail
