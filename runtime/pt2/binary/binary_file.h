// Binary files (.pt2b) of any type of the schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pt2/binary.h"
#include "schemagen/base/result.h"
#include "schemagen/binary_file/binary_file.h"

namespace pt2 {

using schemagen::BinaryFile;
using schemagen::BinaryFileHeader;
using schemagen::BinaryFileWriteOptions;
using schemagen::Compression;

namespace detail {
/// Names the ways out that there are.
std::optional<std::string> why_unreadable_file(const schemagen::Version& version);
}  // namespace detail

/// What tells .pt2b files from others. They name their type alone, as they are of no other schema.
inline constexpr schemagen::BinaryFileFormat kPt2b = {"\x89PT2\r\n\x1a\n", ".pt2b", false,
                                                      detail::why_unreadable_file};

/// Whether the payload was written by the schema that this library was made from: then every id means what it
/// means here, and none is unknown.
bool is_own_schema(const BinaryFileHeader& header);

/// A .pt2b file that holds `value`.
/// Errors: as schemagen::to_binary_file().
template <class T>
std::string to_pt2b(const T& value, const BinaryFileWriteOptions& options = {}) {
  return schemagen::to_binary_file(value, options, kPt2b);
}

/// The T that a .pt2b file holds. Files of the same major version are read; where a newer minor wrote it,
/// unknown fields that are empty are skipped, as they are where the options say so.
/// Errors: as schemagen::from_binary_file().
template <class T>
T from_pt2b(std::string_view file, const schemagen::BinaryReadOptions& options = {}) {
  return schemagen::from_binary_file<T>(file, options, kPt2b);
}

/// to_pt2b() without exceptions: what it would throw is the result's failure.
template <class T>
schemagen::Result<std::string> try_to_pt2b(const T& value,
                                           const BinaryFileWriteOptions& options = {}) noexcept {
  return schemagen::try_to_binary_file(value, options, kPt2b);
}

/// from_pt2b() without exceptions.
template <class T>
schemagen::Result<T> try_from_pt2b(std::string_view file,
                                   const schemagen::BinaryReadOptions& options = {}) noexcept {
  return schemagen::try_from_binary_file<T>(file, options, kPt2b);
}

}  // namespace pt2
