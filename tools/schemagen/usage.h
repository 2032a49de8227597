// What is wrong with the arguments of a command, said so that it can be put right.
#pragma once

#include <string>
#include <string_view>

#include "common/command_line.h"

namespace generator {

/// Prints `schemagen COMMAND: error: MESSAGE` and the hint; gives the exit code for it.
int usage_error(std::string_view command, const std::string& message, const std::string& hint);

/// Prints `SCHEMA: error: WHAT` and the hint, of a schema that cannot become what was asked for; gives the
/// exit code for it.
int schema_error(std::string_view schema, const std::string& what, const std::string& hint);

/// Adds the subcommand `help [COMMAND]`, which prints what the command, or `line` itself, says to --help.
void add_help_command(CommandLine& line);

/// Reports what the parser of arguments did not understand, with the nearest right name. Gives the exit code.
int report_misuse(const Misuse& misuse);

}  // namespace generator
