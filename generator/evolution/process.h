// Runs another program. Only `process.cpp` needs more from the operating system than files.
#pragma once

#include <string>
#include <vector>

namespace generator {

struct ProcessResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Runs `arguments[0]`, found on the PATH, with the other arguments, without a shell. Its stdin is empty.
/// Throws std::system_error if it cannot be run.
ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace generator
