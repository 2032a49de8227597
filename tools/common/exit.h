#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"

namespace tools {

enum ExitCode {
  kDone = 0,
  kNo = 1,        // differences, findings or stale files
  kUsage = 2,     // wrong arguments, or a name that the file lacks
  kBadInput = 3,  // malformed or unsupported input
  kIoError = 4,   // a file cannot be read or written, or memory ran out
};

/// Returns `PROGRAM COMMAND: error: MESSAGE` and `hint: HINT`. By default, the hint says how to get help.
/// `command` can be empty.
std::string usage_error(const std::string& program, const std::string& command, const std::string& message,
                        const std::string& hint = "");

/// An error about a file other than the subcommand's input. The message names the file.
class FileError : public schemagen::Error {
 public:
  using Error::Error;
};

struct Running {
  std::string program;
  std::string command;
  std::string file;
};

/// Returns the exit code. Passes an exception's message to `report`: a UsageError in the form of
/// usage_error(), a DataError as `FILE: error: MESSAGE`, and others as `PROGRAM: error: MESSAGE`.
int exit_code_of(const Running& running, const std::function<int()>& run,
                 const std::function<void(std::string_view)>& report);

}  // namespace tools
