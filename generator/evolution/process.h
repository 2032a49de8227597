#pragma once

#include <string>
#include <vector>

namespace generator {

struct ProcessResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Finds `arguments[0]` on the PATH and runs it without a shell. Its stdin is empty. Throws std::system_error
/// if it cannot be run.
ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace generator
