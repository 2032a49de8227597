#pragma once

#include "schemagen/binary_file/binary_file.h"

namespace schemagen::detail {

constexpr char kUnknownWithoutHeader[] =
    "preserved unknown fields require BinaryFileWriteOptions::written_by, the header of their file";

/// Throws DataError for what is at `offset` in the file.
[[noreturn]] void bad_file(std::size_t offset, std::string reason);

/// Returns the header of a file to write. Throws UsageError if there are unknown fields but `written_by` is
/// not set.
BinaryFileHeader header_for(const BinaryFileFormat& format, const CompactType& root,
                            const BinaryFileWriteOptions& options);

/// Returns `options`, adapted to the schema that wrote `file`. Throws DataError if `file` has a different
/// type or major version.
BinaryReadOptions adapted(const BinaryFile& file, const CompactType& root, const BinaryReadOptions& options);

/// Reads a payload with options that adapted() returned. If a different schema wrote the payload, errors
/// mention it.
void read_adapted(const BinaryFileHeader& header, std::string_view payload, const CompactType& root,
                  const BinaryReadOptions& options, const CompactCodec& codec, void* value);

}  // namespace schemagen::detail
