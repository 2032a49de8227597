// Whether torch finds in an archive what it asks for beside the weights.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/verify/verify.h"

namespace pt2 {

/// ARCHIVE_RECORD for each record that torch asks for to load `model` and that `archive` does not have, or
/// has otherwise; and, with the first model, for the first entry that torch takes for one more. Nothing is
/// said of old zips.
std::vector<Finding> verify_records(const Archive& archive, std::string_view model);

}  // namespace pt2
