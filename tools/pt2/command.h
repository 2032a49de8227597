// What the subcommands of `pt2` share. Each has a file of its own, which is named for it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/command_line.h"
#include "pt2/operators/operators.h"

namespace pt2::tool {

using generator::Command;
using generator::CommandLine;

/// All of the command `pt2`: gives its exit code. Signals end the process from now on.
int run_pt2(int argc, char** argv);

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
generator::Check one_of(std::vector<std::string> names);
void add_model_option(Command command, std::optional<std::string>& model);
/// `--operators FILE`, to be read by operators_of().
void add_operators_option(Command command, std::optional<std::string>& file);
/// The operators of PyTorch and those of that file, if there is one. Errors: FileError; IoError.
OperatorSet operators_of(const std::optional<std::string>& file);

// Each adds a subcommand.
void add_info_command(CommandLine& line);
void add_show_command(CommandLine& line);
void add_validate_command(CommandLine& line);
void add_convert_command(CommandLine& line);
void add_upgrade_command(CommandLine& line);
void add_downgrade_command(CommandLine& line);
void add_canonicalize_command(CommandLine& line);
void add_hash_command(CommandLine& line);
void add_diff_command(CommandLine& line);
void add_rename_command(CommandLine& line);
void add_retarget_command(CommandLine& line);
void add_extract_command(CommandLine& line);
void add_slim_command(CommandLine& line);
void add_stats_command(CommandLine& line);
void add_operators_command(CommandLine& line);
void add_weights_command(CommandLine& line);
void add_scan_command(CommandLine& line);
void add_check_command(CommandLine& line);
void add_harden_command(CommandLine& line);
void add_strip_command(CommandLine& line);
void add_attach_command(CommandLine& line);
void add_view_command(CommandLine& line);
void add_export_command(CommandLine& line);
void add_rules_command(CommandLine& line);
void add_explain_command(CommandLine& line);

}  // namespace pt2::tool
