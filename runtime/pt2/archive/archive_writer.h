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

/// Writes an archive of records. Record names lack the top folder, which may be empty. Records are stored
/// uncompressed, with their bytes aligned to 64. Nothing in the archive depends on time, path or machine, so
/// equal records give equal bytes. Only one thread at a time may use a writer. All functions that add a
/// record throw UsageError if the record already exists, and what the sink throws.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink out, std::string top_folder = "archive");

  void add(std::string_view record, std::string_view content);
  /// Streams a record; see ZipWriter::add().
  void add(std::string_view record, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);
  /// Streams a member of another archive. Also throws the DataErrors of ZipReader::copy().
  void copy(const ZipReader& zip, const ZipMember& member, std::string_view record);

  bool has(std::string_view record) const { return records_.find(record) != records_.end(); }
  /// Returns the number of records whose names begin with `prefix`.
  std::size_t count(std::string_view prefix) const;

  /// Adds the records that make it a PT2 archive, if they are missing: `archive_format`, `archive_version`,
  /// and the version, byte order (little) and checksums of the zip. Then writes the directory. Nothing can be
  /// added after that.
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

/// Adds empty sample inputs for the models of `archive` that have none in `out`. torch requires these records
/// and reads empty ones as none.
void add_missing_inputs(const Archive& archive, ArchiveWriter& out);

}  // namespace pt2
