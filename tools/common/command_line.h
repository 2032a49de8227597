// Only command_line.cpp includes CLI11, because it compiles slowly.
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

using Check = std::function<std::string(const std::string& value)>;

class Option {
 public:
  /// Lists are separated by commas.
  explicit Option(CLI::Option& option, bool is_list = false) : option_(&option), is_list_(is_list) {}

  Option required();
  Option type_name(const std::string& name);
  /// Replaces the type and all other notes in the help.
  Option option_text(const std::string& text);
  Option show_default();
  Option check(const Check& check);
  /// The help shows the names. Other values are Misuse::wrong_value.
  Option one_of(const std::vector<std::string>& names);
  Option excludes(const Option& other);

 private:
  CLI::Option* option_;
  bool is_list_;
};

/// The variables for its options must outlive the command line.
class Command {
 public:
  Command(CLI::App& app, int& exit_code) : app_(&app), exit_code_(&exit_code) {}

  std::string name() const;
  /// Without a dash, it is a positional argument. An option's value must not be empty unless it is an
  /// std::optional.
  Option add_option(const std::string& name, std::string& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::size_t>& value, const std::string& what);
  /// A positional argument takes all remaining words. An option takes one comma-separated word per
  /// occurrence, so that it never takes the next argument.
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& what);
  Option add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& what);
  Option add_flag(const std::string& name, bool& value, const std::string& what);
  void footer(const std::string& text);
  void set_action(std::function<int()> run);

 private:
  CLI::App* app_;
  int* exit_code_;
};

struct Subcommand {
  std::string name;
  std::string what;
  void (*add)(Command command);
};

struct Program {
  std::string name;
  std::string what;
  std::string footer;
  std::string version;
  std::vector<Subcommand> subcommands;

  /// `arguments` lack the program's name. Returns the exit code. Passes help and version to `print`, and
  /// usage errors to `report`. `help` and `help COMMAND` mean `--help` and `COMMAND --help`.
  int run(std::vector<std::string> arguments, const std::function<void(std::string_view)>& print,
          const std::function<void(std::string_view)>& report) const;
};

}  // namespace tools
