// What the subcommands of `pt2` share. Each has a file of its own, which is named for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/command_line.h"
#include "common/exit.h"
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

/// All of the command `pt2`: gives its exit code. Signals end the process from now on.
int run_pt2(int argc, char** argv);

/// Returns the exit code of `run`, or that of its error, which is written to standard error. `file` is what
/// errors are about; null: their messages name it.
int reported(const std::string& command, const std::string* file, const std::function<int()>& run);

/// Has `command` call `run`, whose exit code, or that of its error, it ends with. `file`, which `run` keeps
/// alive, is the file that errors are about; null: their messages name it.
void set_action(Command command, const std::string* file, std::function<int()> run);

/// The argument `name`, a program.
void add_program_argument(Command command, const std::string& name, std::string& file);
/// The arguments FILE, one or more.
void add_program_arguments(Command command, std::vector<std::string>& files, const std::string& what);
/// Errors: UsageError if `-` is more than once among `files`.
void require_one_input(const std::vector<std::string>& files);
/// What an option's argument must be.
tools::Check one_of(std::vector<std::string> names);
void add_model_option(Command command, std::optional<std::string>& model);
/// `--operators FILE`, to be read by operators_of().
void add_operators_option(Command command, std::optional<std::string>& file);
/// The operators of PyTorch and those of that file, if there is one. Errors: FileError; IoError.
OperatorSet operators_of(const std::optional<std::string>& file);

}  // namespace pt2::tool
