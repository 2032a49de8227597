// Shared by the subcommands of `pt2`, each of which has a source of the same name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/command_line.h"
#include "common/exit.h"
#include "console.h"
#include "pt2/operators/operators.h"

namespace pt2::tool {

using tools::Command;
using tools::ExitCode;
using tools::FileError;
using tools::kBadInput;
using tools::kDone;
using tools::kIoError;
using tools::kNo;
using tools::kUsage;

/// Runs the command `pt2` and returns its exit code. From now on, signals end the process.
int run_pt2(int argc, char** argv);

/// Runs the command in this process, and returns what it prints: for the Python package. Does not handle
/// signals. Throws what the command throws; UsageError if it cannot parse `arguments`.
Printed call_pt2(const std::vector<std::string>& arguments);

/// Returns the exit code of `run`, or of its exception, which it writes to standard error. `file` is what
/// errors are about; null: their messages name it.
int reported(const std::string& command, const std::string* file, const std::function<int()>& run);

/// Makes `command` call `run` and exit with its code, or with the code of its exception. `file`, which `run`
/// keeps alive, is what errors are about; null: their messages name it.
void set_action(Command command, const std::string* file, std::function<int()> run);

/// Adds the argument `name`, a program.
void add_program_argument(Command command, const std::string& name, std::string& file);
/// Adds one or more arguments FILE.
void add_program_arguments(Command command, std::vector<std::string>& files, const std::string& what);
/// Throws UsageError if `files` contains `-` more than once.
void require_one_input(const std::vector<std::string>& files);
/// Checks the argument of an option.
tools::Check one_of(std::vector<std::string> names);
void add_model_option(Command command, std::optional<std::string>& model);
/// Adds `--operators FILE`, for operators_of().
void add_operators_option(Command command, std::optional<std::string>& file);
/// Returns the operators of PyTorch and of that file, if given. Throws FileError; IoError.
OperatorSet operators_of(const std::optional<std::string>& file);

}  // namespace pt2::tool
