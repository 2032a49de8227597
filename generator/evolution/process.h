#pragma once

#include <string>
#include <vector>

namespace generator {

struct ProcessResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

/// Searches the PATH, uses no shell, and gives the program an empty stdin. Throws std::system_error if it
/// cannot run.
ProcessResult run_process(const std::vector<std::string>& arguments);

}  // namespace generator
