// How the commands end, and how they say what went wrong.
#pragma once

#include <functional>
#include <string>

#include "schemagen/base/error.h"

namespace pt2::tool {

enum ExitCode { kDone = 0, kNo = 1, kUsage = 2, kBadInput = 3, kIoProblem = 4 };

/// Bad data of another file than the command's own: its message names the file.
class FileError : public schemagen::Error {
 public:
  using Error::Error;
};

/// Writes `pt2 COMMAND: error: MESSAGE`, and where to read how it is used. `command` may be empty.
/// Gives the exit code for it.
int report_usage_error(const std::string& command, const std::string& message);

/// The exit code of `run`, or that of the exception that it ends in, which is written to standard error:
/// UsageError as above, DataError as `FILE: error: MESSAGE` where `file` is not null, FileError and all
/// others as `pt2: error: MESSAGE`.
int reported(const std::string& command, const std::string* file, const std::function<int()>& run);

}  // namespace pt2::tool
