// Checks the records other than weights that torch requires.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/verify/verify.h"

namespace pt2 {

/// Returns ARCHIVE_RECORD for each record that torch requires for `model` and that is missing or wrong in
/// `archive`; for the first model, also for the first entry that torch would mistake for another model.
/// Ignores old zips.
std::vector<Finding> verify_records(const Archive& archive, std::string_view model);

/// Returns RECORD_CHECKSUM for each record of `archive` that cannot be read or does not match its checksum,
/// except programs, which are read anyway. Reads the whole archive.
std::vector<Finding> verify_checksums(const Archive& archive);

}  // namespace pt2
