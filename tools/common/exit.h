// Exit codes and errors of both commands.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "schemagen/base/error.h"

namespace tools {

enum ExitCode {
  kDone = 0,      // yes
  kNo = 1,        // no: differences, findings, stale files
  kUsage = 2,     // a fault of the command line, or a name that the file lacks
  kBadInput = 3,  // malformed, or of an unsupported version
  kIoError = 4,   // a file cannot be read or written, or memory runs out
};

/// Returns the lines `PROGRAM COMMAND: error: MESSAGE` and `hint: HINT`; an empty hint becomes the way to
/// the help. `command` may be empty.
std::string usage_error(const std::string& program, const std::string& command, const std::string& message,
                        const std::string& hint = "");

/// Bad data in another file than the subcommand's input: its message names the file.
class FileError : public schemagen::Error {
 public:
  using Error::Error;
};

/// A subcommand that runs, for its error messages. `file` is its input, as messages name it; empty: none.
struct Running {
  std::string program;
  std::string command;
  std::string file;
};

/// Returns the exit code of `run`, or of its exception, which is passed to `report`: UsageError through
/// usage_error(), DataError as `FILE: error: MESSAGE`, FileError and all others as `PROGRAM: error: MESSAGE`.
int exit_code_of(const Running& running, const std::function<int()>& run,
                 const std::function<void(std::string_view)>& report);

}  // namespace tools
