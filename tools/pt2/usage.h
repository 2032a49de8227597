// The arguments of `pt2`, and what is wrong with them, said so that it can be put right.
#pragma once

#include <string>
#include <vector>

#include "common/command_line.h"

namespace pt2::tool {

/// The arguments without the command's own name. `help` and `help COMMAND` become `--help` and
/// `COMMAND --help`.
std::vector<std::string> arguments_of(int argc, char** argv);

/// Reports what the parser of arguments did not understand, with the nearest right name. Gives the exit code.
int report_misuse(const generator::Misuse& misuse);

}  // namespace pt2::tool
