// What in a file could run code when torch loads it.
#pragma once

#include <string_view>
#include <vector>

#include "pt2/findings/finding.h"
#include "schemagen/base/limits.h"

namespace pt2 {

/// What is found in `bytes`, a whole file: a PT2 archive, an old zip of torch 2.1 to 2.7, a file of
/// torch.save, the JSON or binary of a program. Each record is read as what torch takes it for, and what
/// cannot be read as that, or is for nobody who is known, is an error. At most 1000 findings of a rule.
/// Limits: of compressed records, 128 MiB in all are looked at; memory of 512 MiB, for larger files of 8
/// times their size, and never more than `limits.memory_bytes`. What exceeds them is an error. Errors:
/// DataError if the file is nothing that torch loads.
std::vector<Finding> scan_file(std::string_view bytes, const schemagen::Limits& limits = {});

}  // namespace pt2
