// Finds code that torch could run when it loads a file.
#pragma once

#include <vector>

#include "pt2/archive/sparse_bytes.h"
#include "pt2/findings/finding.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// Returns the findings in `bytes`, which is a whole file: a PT2 archive, an old zip from torch 2.1 to 2.7, a
/// torch.save file, or a program in JSON or binary. Reads each record as torch does. A record that cannot be
/// read or has no known reader is reported as an error. There are at most 1000 findings per rule.
///
/// Decompresses at most 128 MiB in total. Uses at most 512 MiB of memory, or 8 times the file's size if that
/// is more, but never more than `limits.memory_bytes`. An exceeded limit is reported as an error. Throws
/// DataError if torch would not load the file.
std::vector<Finding> scan_file(const SparseBytes& bytes, const schemagen::Limits& limits = {});

/// Returns the parts of a PT2 archive that contain raw tensors. scan_file() does not read these parts, so
/// callers do not need to fetch them. Returns nothing for other files, and for archives that are malformed in
/// any way.
std::vector<ByteRange> parts_not_scanned(const SparseBytes& bytes, const schemagen::Limits& limits = {});

/// Returns which parts to add next before scan_file() can read the file: all except those that are not
/// scanned. Returns nothing when it can. All parts can be read in parallel.
std::vector<ByteRange> ranges_to_scan(const FileParts& parts, const schemagen::Limits& limits = {});

}  // namespace pt2
