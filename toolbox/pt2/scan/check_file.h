// Checks whether a file is safe and valid: what scan_file() and validate_file() find, under a policy.
#pragma once

#include <functional>
#include <string_view>

#include "pt2/scan/validated_file.h"

namespace pt2 {

/// Returns whether the finding only means that this library does not understand something, although torch
/// might run it.
bool is_not_understood(const Finding& finding);

/// Decides which findings are errors.
enum class CheckPolicy {
  strict,   // everything except notes: for files that are used without review
  load,     // what torch would run when it loads the file, or that torch or another runtime would reject or
            // misread
  inspect,  // what this library, which runs nothing, cannot read
};

/// Throws UsageError unless `name` is `strict`, `load` or `inspect`.
CheckPolicy policy_named(std::string_view name);

struct CheckOptions {
  CheckPolicy policy = CheckPolicy::strict;
  OperatorSet operators = {};
  RecordChecksums checksums = RecordChecksums::compare;
};

/// Returns everything that is found in the bytes that `read` returns. A DataError, from `read` too, becomes
/// an UNREADABLE finding.
std::vector<Finding> check_file(const std::function<FileBytes()>& read, const CheckOptions& options);

}  // namespace pt2
