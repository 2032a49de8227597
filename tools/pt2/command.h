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

/// From now on, signals end the process.
int run_pt2(int argc, char** argv);

int reported(const std::string& command, const std::string* file, const std::function<int()>& run);

/// `run` keeps `file` alive.
void set_action(Command command, const std::string* file, std::function<int()> run);

void add_program_argument(Command command, const std::string& name, std::string& file);
void add_program_arguments(Command command, std::vector<std::string>& files, const std::string& what);
/// Throws UsageError unless at most one of `files` is `-`.
void require_one_input(const std::vector<std::string>& files);
void add_model_option(Command command, std::optional<std::string>& model);
void add_operators_option(Command command, std::optional<std::string>& file);
/// Includes PyTorch's operators. Throws FileError or IoError.
OperatorSet operators_of(const std::optional<std::string>& file);

}  // namespace pt2::tool
