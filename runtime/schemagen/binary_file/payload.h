#pragma once

#include <string_view>

#include "schemagen/binary_file/binary_file.h"

namespace schemagen::detail {

constexpr char kUnknownWithoutHeader[] =
    "preserved unknown fields require BinaryFileWriteOptions::written_by, the header of their file";

/// Throws UsageError if unknown fields come without `written_by`.
BinaryFileHeader header_for(const BinaryFileFormat& format, const CompactType& root,
                            const BinaryFileWriteOptions& options);

/// To the schema that wrote `file`. Throws DataError for another type or major version.
BinaryReadOptions adapted(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options);

/// `options` are adapted(). Errors say so if another schema wrote the payload.
void read_adapted(const BinaryFileHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, const CompactCodec& codec, void* value);

}  // namespace schemagen::detail
