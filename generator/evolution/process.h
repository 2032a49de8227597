#pragma once

#include <string>
#include <vector>

namespace generator {

struct ProcessResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Finds the program `arguments[0]` on the PATH and runs it without a shell and with an empty stdin. Throws
/// std::system_error if the program cannot be run.
ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace generator
