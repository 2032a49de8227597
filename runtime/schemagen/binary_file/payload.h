// What files of one value and files of records have in common.
#pragma once

#include <string_view>

#include "schemagen/binary_file/binary_file.h"

namespace schemagen::detail {

constexpr char kUnknownWithoutHeader[] =
    "preserved unknown fields require BinaryFileWriteOptions::written_by, the header of their file";

/// Returns the header of a file of `root`. Errors: UsageError if unknown fields come without `written_by`.
BinaryFileHeader header_for(const BinaryFileFormat& format, const CompactType& root,
                            const BinaryFileWriteOptions& options);

/// Returns `options` adapted to the writer of `file`. Throws DataError if it holds another type or major
/// version.
BinaryReadOptions adapted(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options);

/// Reads a payload of a file with this header by adapted() options. Errors say so if another schema wrote it.
void read_adapted(const BinaryFileHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, ReadPayload read, void* value);

}  // namespace schemagen::detail
