// What the subcommands of `pt2` share. Each has a file of its own, which is named for it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

namespace pt2::tool {

/// Has `command` call `run`, whose exit code, or that of its error, becomes `exit_code`. `file`, which `run`
/// keeps alive, is the file that errors are about; null: their messages name it.
void set_action(CLI::App& command, int& exit_code, const std::string* file, std::function<int()> run);

/// The argument `name`, a program.
void add_program_argument(CLI::App& command, const std::string& name, std::string& file);
/// What an option's argument must be.
CLI::Validator one_of(std::vector<std::string> names);
void add_model_option(CLI::App& command, std::optional<std::string>& model);

// Each adds a subcommand to `app`; if it is the one that is called, its exit code is left in `exit_code`.
void add_info_command(CLI::App& app, int& exit_code);
void add_show_command(CLI::App& app, int& exit_code);
void add_validate_command(CLI::App& app, int& exit_code);
void add_convert_command(CLI::App& app, int& exit_code);
void add_upgrade_command(CLI::App& app, int& exit_code);
void add_downgrade_command(CLI::App& app, int& exit_code);
void add_canonicalize_command(CLI::App& app, int& exit_code);
void add_hash_command(CLI::App& app, int& exit_code);
void add_diff_command(CLI::App& app, int& exit_code);
void add_rename_command(CLI::App& app, int& exit_code);
void add_retarget_command(CLI::App& app, int& exit_code);
void add_extract_command(CLI::App& app, int& exit_code);
void add_stats_command(CLI::App& app, int& exit_code);
void add_weights_command(CLI::App& app, int& exit_code);
void add_scan_command(CLI::App& app, int& exit_code);
void add_harden_command(CLI::App& app, int& exit_code);
void add_strip_command(CLI::App& app, int& exit_code);
void add_attach_command(CLI::App& app, int& exit_code);
void add_view_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_rules_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);

}  // namespace pt2::tool
