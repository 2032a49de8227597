// What is wrong with the arguments of a command, said so that it can be put right.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace generator {

/// Prints `schemagen COMMAND: error: MESSAGE` and the hint; gives the exit code for it.
int usage_error(std::string_view command, const std::string& message, const std::string& hint);

/// Reports what the parser of arguments did not understand, with the nearest right name of a command or
/// option. A call for help or the version is no error: what was asked for is printed. Gives the exit code.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace generator
