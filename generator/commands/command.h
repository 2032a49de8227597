// What the subcommands of `schemagen` share. Each has a file of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "commands/usage.h"
#include "evolution/compat.h"
#include "model/model.h"

namespace generator {

// Exit codes; those of `pt2` are the same.
enum ExitCode { kDone = 0, kNo = 1, kUsage = 2, kBadInput = 3, kIo = 4 };

/// The schema in `path`; nullopt after its errors are on stderr. Errors: std::system_error.
std::optional<Model> load_schema(const std::string& path);

/// An option that takes the name of one of `values`, and leaves that one in `value`, which is the default.
template <typename Enum>
void add_enum_option(CLI::App& command, const std::string& option, Enum& value,
                     std::initializer_list<Enum> values, const std::string& what) {
  std::map<std::string, Enum> by_name;
  std::vector<std::string> names;
  for (const Enum one : values) by_name.emplace(names.emplace_back(name_of(one)), one);
  command
      .add_option_function<std::string>(
          option, [&value, by_name](const std::string& name) { value = by_name.at(name); }, what)
      ->check(one_of(option, names))
      ->option_text("{" + CLI::detail::join(names, ",") + "} [" + std::string(name_of(value)) + "]");
}

/// The option --policy of commands that compare schemas.
void add_policy_option(CLI::App& command, Policy& policy);

// Each adds a subcommand to `app`; if it is the one that is called, its result is left in `exit_code`.
void add_amalgamate_command(CLI::App& app, int& exit_code);
void add_generate_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_fmt_command(CLI::App& app, int& exit_code);
void add_hash_command(CLI::App& app, int& exit_code);
void add_diff_command(CLI::App& app, int& exit_code);
void add_bump_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_rules_command(CLI::App& app, int& exit_code);

}  // namespace generator
