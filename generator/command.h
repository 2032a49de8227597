// What the subcommands of `schemagen` share. Each has a file of its own, command_<name>.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "model.h"

namespace schemagen {

// Exit codes; those of `pt2` are the same.
enum ExitCode { kDone = 0, kNo = 1, kUsage = 2, kBadInput = 3, kIo = 4 };

/// The schema in `path`; nullopt after its errors are on stderr. Errors: std::system_error.
std::optional<Model> load_schema(const std::string& path);

// Each adds a subcommand to `app`; if it is the one that is called, its result is left in `exit_code`.
void add_generate_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_fmt_command(CLI::App& app, int& exit_code);
void add_hash_command(CLI::App& app, int& exit_code);
void add_diff_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_rules_command(CLI::App& app, int& exit_code);

}  // namespace schemagen
