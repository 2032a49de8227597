// Writes PT2 archives in one pass, in the form that torch 2.13 writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "pt2/archive/archive.h"

namespace pt2 {

/// Writes an archive record by record. Record names do not include the top-level folder. If its name is
/// empty, records are at the root. Records are stored uncompressed, and their content is aligned to 64 bytes.
/// Nothing in the archive depends on the time, path or machine, so equal records produce equal bytes. Only
/// one thread at a time may use a writer.
///
/// All functions that add a record throw UsageError if the record already exists. They also throw whatever
/// the sink throws.
class ArchiveWriter {
 public:
  explicit ArchiveWriter(ByteSink out, std::string top_folder = "archive");

  void add(std::string_view record, std::string_view content);
  /// Adds a record of `size` bytes and streams its content; see ZipWriter::add().
  void add(std::string_view record, std::uint64_t size, const ByteSource& content,
           std::optional<std::uint32_t> crc32 = std::nullopt);
  /// Adds a record and streams its content from a member of another archive. Also throws whatever
  /// ZipReader::copy() throws.
  void copy(const ZipReader& zip, const ZipMember& member, std::string_view record);

  bool has(std::string_view record) const { return records_.find(record) != records_.end(); }
  /// Returns the number of records whose names begin with `prefix`.
  std::size_t count(std::string_view prefix) const;

  /// Adds the records that every PT2 archive needs, unless they already exist: `archive_format`,
  /// `archive_version`, and the zip's version, byte order (little) and checksums. Then writes the zip
  /// directory. Nothing can be added after that.
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

/// Adds an empty record for sample inputs to `out` for each model in `archive` that has no such record in
/// `out` yet. torch requires these records and reads an empty one as "no sample inputs".
void add_missing_inputs(const Archive& archive, ArchiveWriter& out);

}  // namespace pt2
