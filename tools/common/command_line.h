// Only command_line.cpp includes CLI11, which compiles slowly.
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
  /// If `is_list` is true, values are separated by commas, and check() and one_of() apply to each.
  explicit Option(CLI::Option& option, bool is_list = false) : option_(&option), is_list_(is_list) {}

  Option required();
  Option type_name(const std::string& name);
  /// Shows `text` in the help instead of the type and all other notes.
  Option option_text(const std::string& text);
  Option show_default();
  Option check(const Check& check);
  /// Accepts only these names, which the help lists.
  Option one_of(const std::vector<std::string>& names);
  Option excludes(const Option& other);

 private:
  CLI::Option* option_;
  bool is_list_;
};

/// The variables that receive values must outlive the command line.
class Command {
 public:
  Command(CLI::App& app, int& exit_code) : app_(&app), exit_code_(&exit_code) {}

  std::string name() const;
  /// Adds an option, or a positional argument if `name` has no dash. After a space, `name` has the form of
  /// the value for the help, as in `--keep NAME,...`. An option's value must not be empty unless it is a
  /// std::optional.
  Option add_option(const std::string& name, std::string& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::size_t>& value, const std::string& what);
  /// A positional argument takes all remaining words. An option takes one comma-separated word each time, so
  /// it never swallows the next argument.
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& what);
  Option add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& what);
  Option add_flag(const std::string& name, bool& value, const std::string& what);
  void footer(const std::string& text);
  void set_action(std::function<int()> run);
  /// Returns arguments that live as long as the command, which passes them to run(), a function of their
  /// namespace.
  template <class Arguments>
  Arguments& add_arguments() {
    const auto arguments = std::make_shared<Arguments>();
    set_action([arguments] { return run(*arguments); });
    return *arguments;
  }

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

  /// `arguments` excludes the program's name. Help and version go to `print`, usage errors to `report`.
  int run(std::vector<std::string> arguments, const std::function<void(std::string_view)>& print,
          const std::function<void(std::string_view)>& report) const;
};

}  // namespace tools
