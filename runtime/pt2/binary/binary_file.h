// Reads and writes binary files (.pt2b), which can hold a value of any type in the schema.
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
/// Returns why a file of this version cannot be read, with a hint, or nullopt if it can be read.
std::optional<std::string> why_unreadable_file(const schemagen::Version& version);
}  // namespace detail

/// The format of .pt2b files. A file names the type of its value, but not the schema: the schema is always
/// this library's.
inline constexpr schemagen::BinaryFileFormat kPt2b = {"\x89PT2\r\n\x1a\n", ".pt2b", false,
                                                      detail::why_unreadable_file};

/// Returns whether the payload was written with exactly this library's schema. Such a payload has no unknown
/// ids.
bool is_own_schema(const BinaryFileHeader& header);

/// Returns the bytes of a .pt2b file that contains `value`. Throws whatever schemagen::to_binary_file()
/// throws.
template <class T>
std::string to_pt2b(const T& value, const BinaryFileWriteOptions& options = {}) {
  return schemagen::to_binary_file(value, options, kPt2b);
}

/// Returns the T in a .pt2b file with the same major schema version. Skips empty unknown fields of newer
/// minor versions. Throws whatever schemagen::from_binary_file() throws.
template <class T>
T from_pt2b(std::string_view file, const schemagen::BinaryReadOptions& options = {}) {
  return schemagen::from_binary_file<T>(file, options, kPt2b);
}

/// Like to_pt2b(), but returns a failure instead of throwing.
template <class T>
schemagen::Result<std::string> try_to_pt2b(const T& value,
                                           const BinaryFileWriteOptions& options = {}) noexcept {
  return schemagen::try_to_binary_file(value, options, kPt2b);
}

/// Like from_pt2b(), but returns a failure instead of throwing.
template <class T>
schemagen::Result<T> try_from_pt2b(std::string_view file,
                                   const schemagen::BinaryReadOptions& options = {}) noexcept {
  return schemagen::try_from_binary_file<T>(file, options, kPt2b);
}

}  // namespace pt2
