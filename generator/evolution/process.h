// Runs another program. `process.cpp` is the only file of the generator that needs more of an operating
// system than files.
#pragma once

#include <string>
#include <vector>

namespace generator {

struct ProcessResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Runs the program `arguments[0]`, found on the PATH, with the other arguments as they are: no shell sees
/// them. Its stdin is empty.
/// Errors: std::system_error if it cannot be run.
ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace generator
