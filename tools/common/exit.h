#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"

namespace tools {

enum ExitCode {
  kDone = 0,
  kNo = 1,        // differences, findings, stale files
  kUsage = 2,     // wrong arguments, or a name that the file lacks
  kBadInput = 3,  // malformed or unsupported
  kIoError = 4,   // a file cannot be read or written, or memory ran out
};

/// `PROGRAM COMMAND: error: MESSAGE` and `hint: HINT`, by default how to get help. `command` may be empty.
std::string usage_error(const std::string& program, const std::string& command, const std::string& message,
                        const std::string& hint = "");

/// About a file other than the subcommand's input; the message names it.
class FileError : public schemagen::Error {
 public:
  using Error::Error;
};

struct Running {
  std::string program;
  std::string command;
  std::string file;
};

/// Returns the exit code. Passes an exception's message to `report`: a UsageError as formatted by
/// usage_error(), a DataError as `FILE: error: MESSAGE`, others as `PROGRAM: error: MESSAGE`.
int exit_code_of(const Running& running, const std::function<int()>& run,
                 const std::function<void(std::string_view)>& report);

}  // namespace tools
