// What is wrong with the arguments of a command, said so that it can be put right.
#pragma once

#include <string>
#include <string_view>

#include "command_line/command_line.h"

namespace generator {

/// Prints `schemagen COMMAND: error: MESSAGE` and the hint; gives the exit code for it.
int usage_error(std::string_view command, const std::string& message, const std::string& hint);

/// Adds the subcommand `help [COMMAND]`, which prints what the command, or `line` itself, says to --help.
void add_help_command(CommandLine& line);

/// Reports what the parser of arguments did not understand, with the nearest right name. Gives the exit code.
int report_misuse(const Misuse& misuse);

}  // namespace generator
