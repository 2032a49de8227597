// Plans which bytes of a file to read, without reading: to open an archive, and to read one of its records.
// Add the ranges that a plan returns, which can be read in parallel, and then call it again, until it returns
// none.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/sparse_bytes.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// Collects ranges of which bytes are missing.
class WantedRanges {
 public:
  explicit WantedRanges(const FileParts& parts) : parts_(&parts) {}

  void add(ByteRange range);
  /// Adds the range of an error with what is probably needed next: bytes before and after it.
  void add(const MissingBytes& missing);
  /// Adds everything except `left_out`, which is sorted.
  void add_all_except(const std::vector<ByteRange>& left_out);
  bool empty() const noexcept { return ranges_.empty(); }

  /// Returns the ranges, sorted. Neighbors are merged.
  std::vector<ByteRange> take();

 private:
  const FileParts* parts_;
  std::vector<ByteRange> ranges_;
};

/// Returns what to read next to open the file: the programs, and all that describes tensors. Returns the
/// whole file unless it is an archive.
std::vector<ByteRange> ranges_to_open(const FileParts& parts, const schemagen::Limits& limits = {});

enum class RecordPart { all, header };

/// Returns what to read next to read a record, named without the archive's top-level folder, or only its
/// header, which tells where the data is.
std::vector<ByteRange> ranges_to_read(const FileParts& parts, std::string_view record, RecordPart part,
                                      const schemagen::Limits& limits = {});

/// Returns where the large raw tensors of an archive probably are, sorted. Their headers, which tell where
/// they are, are never inside. Throws MissingBytes until the directory is there.
std::vector<ByteRange> probable_tensors(const FileParts& parts, const schemagen::Limits& limits = {});

}  // namespace pt2
