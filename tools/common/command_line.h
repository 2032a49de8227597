// What commands take on their command lines. CLI11 reads them and writes the help; it is known to
// command_line.cpp alone, as whatever includes it compiles for seconds.
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

/// Says what is wrong with a value that was given; empty: nothing.
using Check = std::function<std::string(const std::string& value)>;

/// An option or argument of a command, which owns it. Each function changes it, and gives it back.
class Option {
 public:
  /// `is_list`: each value that is given is a list with commas between its items.
  explicit Option(CLI::Option& option, bool is_list = false) : option_(&option), is_list_(is_list) {}

  Option required();
  /// What help calls its value.
  Option type_name(const std::string& name);
  /// Help has `text` in place of the type and all else that it says of the value.
  Option option_text(const std::string& text);
  /// Help shows the value that it has now as the default.
  Option show_default();
  /// Of a list, each item is checked.
  Option check(const Check& check);
  /// The value, or each item of a list, has to be one of `names`, which help shows; what is not gets
  /// Misuse::wrong_value.
  Option one_of(const std::vector<std::string>& names);
  Option excludes(const Option& other);

 private:
  CLI::Option* option_;
  bool is_list_;
};

/// A subcommand. What its options are read into has to live as long as the command line does.
class Command {
 public:
  Command(CLI::App& app, int& exit_code) : app_(&app), exit_code_(&exit_code) {}

  std::string name() const;
  /// A `name` without a dash is that of an argument. An option's value is not empty, unless it is an
  /// std::optional.
  Option add_option(const std::string& name, std::string& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::string>& value, const std::string& what);
  Option add_option(const std::string& name, std::optional<std::size_t>& value, const std::string& what);
  /// An argument takes all words that are left. An option takes one word each time it is given, a list with
  /// commas between its items, so that it never takes an argument that follows it.
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& what);
  Option add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                    const std::string& what);
  Option add_flag(const std::string& name, bool& value, const std::string& what);
  /// What help ends with.
  void footer(const std::string& text);
  /// What it does, when all of the command line has been read. Gives the exit code.
  void set_action(std::function<int()> run);

 private:
  CLI::App* app_;
  int* exit_code_;
};

/// A subcommand: what help calls it and says of it, and the function that adds its options and its action.
struct Subcommand {
  std::string name;
  std::string what;
  void (*add)(Command command);
};

/// A program with subcommands, of which each run calls one.
struct Program {
  std::string name;
  std::string what;     // the first line of help
  std::string footer;   // the last lines of help
  std::string version;  // printed by --version
  std::vector<Subcommand> subcommands;

  /// Runs the subcommand that `arguments` (without the program's own name) call. Returns its exit code, or
  /// that of help, --version or a usage error. Passes help and the version to `print`, usage errors to
  /// `report`. `help` and `help COMMAND` mean `--help` and `COMMAND --help`.
  int run(std::vector<std::string> arguments, const std::function<void(std::string_view)>& print,
          const std::function<void(std::string_view)>& report) const;
};

}  // namespace tools
