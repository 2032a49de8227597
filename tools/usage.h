// The arguments of `pt2`, and what is wrong with them, said so that it can be put right.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pt2::tool {

/// The arguments without the command's own name. `help` and `help COMMAND` become `--help` and
/// `COMMAND --help`.
std::vector<std::string> arguments_of(int argc, char** argv);

/// Reports what the parser of arguments did not understand, with the nearest right name. A call for help or
/// the version is not an error: what was asked for is printed. Gives the exit code.
int report_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace pt2::tool
