#pragma once

#include <string>
#include <vector>

namespace generator {

struct ProcessResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Uses an empty stdin, searches the PATH and does not use a shell. Throws std::system_error if the program
/// cannot be run.
ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace generator
