// PT2 archives, written in one pass as torch 2.13 writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "pt2/archive/archive.h"

namespace pt2 {

/// Adds records, named without the top folder, which may be empty, to one archive: stored, their bytes at
/// multiples of 64. No time, path or number of a machine is in it: the same records give the same bytes.
/// Errors of all that add: UsageError if there is such a record already; those of the sink.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink out, std::string top_folder = "archive");

  void add(std::string_view record, std::string_view content);
  /// In parts, see ZipWriter::add().
  void add(std::string_view record, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);
  /// The content of a member of another archive, in parts. Errors: DataError of ZipReader::copy().
  void copy(const ZipReader& zip, const ZipMember& member, std::string_view record);

  /// How many records have names that begin with `prefix`.
  std::size_t count(std::string_view prefix) const;

  /// Adds what says of the archive that it is one, unless it was added: `archive_format`, `archive_version`,
  /// and the version, byte order (little) and checksums of the zip archive; then its directory. Nothing can
  /// be added after that.
  void finish();

 private:
  std::string new_name(std::string_view record);
  void note_checksum();
  void add_missing(std::string_view record, std::string_view content);

  ZipWriter zip_;
  std::string top_folder_;
  std::set<std::string, std::less<>> records_;
  std::uint64_t names_hash_ = 0;
  std::uint64_t checksums_hash_ = 0;
};

/// Adds empty sample inputs of those models of `archive` of which `out` has none: torch asks for such
/// records, and reads empty ones as none.
void add_missing_inputs(const Archive& archive, ArchiveWriter& out);

}  // namespace pt2
