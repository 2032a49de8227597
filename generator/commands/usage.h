// What is wrong with the arguments of a command, said so that it can be put right.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// Prints `schemagen COMMAND: error: MESSAGE` and the hint; gives the exit code for it.
int usage_error(std::string_view command, const std::string& message, const std::string& hint);

/// Checks that the value of `option` is one of `names`; what is not gets the nearest of them as a hint.
CLI::Validator one_of(const std::string& option, const std::vector<std::string>& names);

/// Adds the subcommand `help [COMMAND]`, which prints what the command, or `app` itself, says to --help.
void add_help_command(CLI::App& app, int& exit_code);

/// Reports what the parser of arguments did not understand, with the nearest right name of a command or
/// option. A call for help or the version is no error: what was asked for is printed. Gives the exit code.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace generator
