#pragma once

#include <string_view>

#include "schemagen/binary_file/binary_file.h"

namespace schemagen::detail {

constexpr char kUnknownWithoutHeader[] =
    "preserved unknown fields require BinaryFileWriteOptions::written_by, the header of their file";

/// Throws UsageError if unknown fields come without `written_by`.
BinaryFileHeader header_for(const BinaryFileFormat& format, const CompactType& root,
                            const BinaryFileWriteOptions& options);

/// Returns options adapted to the schema that wrote `file`. Throws DataError for a different type or major
/// version.
BinaryReadOptions adapted(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options);

/// Reads a payload with options from adapted(). Errors mention a different schema that wrote the payload.
void read_adapted(const BinaryFileHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, const CompactCodec& codec, void* value);

}  // namespace schemagen::detail
