// Checks the records, other than weights, that torch requires in an archive.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/verify/verify.h"

namespace pt2 {

/// Returns an ARCHIVE_RECORD finding for each record that torch requires for `model` and that is missing or
/// wrong in `archive`. For the archive's first model, also reports the first entry that torch would mistake
/// for another model. Returns nothing for old zips.
std::vector<Finding> verify_records(const Archive& archive, std::string_view model);

/// Returns a RECORD_CHECKSUM finding for each record of `archive` that cannot be read or does not match its
/// checksum. Skips programs, because other checks read them. Reads the whole archive.
std::vector<Finding> verify_checksums(const Archive& archive);

}  // namespace pt2
