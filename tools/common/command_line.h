// Command lines. CLI11 parses them and writes the help. Only command_line.cpp includes it, because it takes
// seconds to compile.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tools {

/// Returns the fault of a value, or an empty string.
using Check = std::function<std::string(const std::string& value)>;

/// An option or argument, owned by its command. Each function changes it and returns it.
class Option {
 public:
  /// `is_list`: values are lists separated by commas.
  explicit Option(CLI::Option& option, bool is_list = false) : option_(&option), is_list_(is_list) {}

  Option required();
  /// Sets the name of the value in the help.
  Option type_name(const std::string& name);
  /// Replaces the type and all other notes on the value in the help by `text`.
  Option option_text(const std::string& text);
  /// Shows the current value as the default in the help.
  Option show_default();
  /// Adds a check of the value, or of each item of a list.
  Option check(const Check& check);
  /// Restricts the value, or each item of a list, to `names`, which the help shows. Other values are
  /// Misuse::wrong_value.
  Option one_of(const std::vector<std::string>& names);
  Option excludes(const Option& other);

 private:
  CLI::Option* option_;
  bool is_list_;
};

/// A subcommand. The variables for its options must outlive the command line.
class Command {
 public:
  Command(CLI::App& app, int& exit_code) : app_(&app), exit_code_(&exit_code) {}

  std::string name() const;
  /// Without a dash, `name` is a positional argument. The value of an option must not be empty unless it is
  /// an std::optional.
  Option add_option(const std::string& name, std::string& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::size_t>& value, const std::string& what);
  /// A positional argument takes all remaining words. An option takes one word per occurrence, a list
  /// separated by commas, so that it never takes the next argument.
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& what);
  Option add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& what);
  Option add_flag(const std::string& name, bool& value, const std::string& what);
  /// Sets the end of the help.
  void footer(const std::string& text);
  /// Sets the action to run after parsing, which returns the exit code.
  void set_action(std::function<int()> run);

 private:
  CLI::App* app_;
  int* exit_code_;
};

/// A subcommand: its name and description in the help, and the function that adds its options and action.
struct Subcommand {
  std::string name;
  std::string what;
  void (*add)(Command command);
};

/// A program with subcommands; each run calls one.
struct Program {
  std::string name;
  std::string what;     // the first line of help
  std::string footer;   // the last lines of help
  std::string version;  // printed by --version
  std::vector<Subcommand> subcommands;

  /// Runs the subcommand in `arguments` (without the program's name). Returns its exit code, or that of help,
  /// --version or a usage error. Passes help and version to `print`, and usage errors to `report`. `help` and
  /// `help COMMAND` mean `--help` and `COMMAND --help`.
  int run(std::vector<std::string> arguments, const std::function<void(std::string_view)>& print,
          const std::function<void(std::string_view)>& report) const;
};

}  // namespace tools
