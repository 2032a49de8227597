#include "command_line/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <utility>

#include "schemagen/value/quote.h"
#include "text/joined.h"
#include "text/shown.h"

namespace generator {
namespace {

/// Not a CLI::ValidationError, of which the parser would keep the text alone.
class WrongValue : public CLI::ParseError {
 public:
  WrongValue(const std::string& message, std::string value, std::vector<std::string> values)
      : CLI::ParseError("WrongValue", message, CLI::ExitCodes::ValidationError),
        value_(std::move(value)),
        values_(std::move(values)) {}
  const std::string& value() const { return value_; }
  const std::vector<std::string>& values() const { return values_; }

 private:
  std::string value_;
  std::vector<std::string> values_;
};

/// Without those of one letter, which is near to any other.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// Says of an argument that is missing what its form is: "OLD=NEW is required".
std::string parser_message(const CLI::App& command, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return error.what();
  for (const CLI::Option* option : command.get_options()) {
    const bool is_it = option->get_positional() &&
                       CLI::RequiredError(option->get_name()).what() == std::string(error.what());
    const std::string form = option->get_type_name();
    if (is_it && form.find('=') != form.npos) return CLI::RequiredError(form).what();
  }
  return error.what();
}

Misuse misuse_of(const CLI::App& app, const CLI::ParseError& error) {
  using Kind = Misuse::Kind;
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::App& command = called.empty() ? app : *called.front();
  const std::string name = called.empty() ? "" : command.get_name();
  if (const auto* const wrong = dynamic_cast<const WrongValue*>(&error)) {
    return {Kind::wrong_value, name, wrong->value(), wrong->values(), wrong->what()};
  }
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty())
    return {called.empty() ? Kind::no_command : Kind::other, name, {}, {}, parser_message(command, error)};
  const std::string& word = unknown.front();
  if (word.size() > 1 && word[0] == '-') {
    return {Kind::unknown_option, name, word.substr(0, word.find('=')), option_names(command), {}};
  }
  if (called.empty()) return {Kind::unknown_command, name, word, command_names(app), {}};
  return {Kind::unexpected_argument, name, word, {}, {}};
}

}  // namespace

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option Option::option_text(const std::string& text) {
  option_->option_text(text);
  return *this;
}

Option Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option Option::check(const Check& check) {
  option_->check(check);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& names) {
  const std::string listed = "{" + joined(names, ",") + "}";
  const auto check = [option = option_, names, listed](const std::string& value) {
    if (std::find(names.begin(), names.end(), value) != names.end()) return std::string();
    throw WrongValue(option->get_name() + ": " + shown(value) + " not in " + listed, value, names);
  };
  option_->check(check, listed);
  return *this;
}

Option Option::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

Option Option::expected(int count) {
  option_->expected(count);
  return *this;
}

Option Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

std::string Command::name() const {
  return app_->get_name();
}

Option Command::add_option(const std::string& name, std::string& value, const std::string& what) {
  return Option(*app_->add_option(name, value, what));
}

Option Command::add_option(const std::string& name, std::optional<std::string>& value,
                           const std::string& what) {
  return Option(*app_->add_option(name, value, what));
}

Option Command::add_option(const std::string& name, std::optional<std::size_t>& value,
                           const std::string& what) {
  return Option(*app_->add_option(name, value, what));
}

Option Command::add_option(const std::string& name, std::vector<std::string>& values,
                           const std::string& what) {
  return Option(*app_->add_option(name, values, what));
}

Option Command::add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                           const std::string& what) {
  return Option(*app_->add_option_function<std::string>(name, take, what));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& what) {
  return Option(*app_->add_flag(name, value, what));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::set_action(std::function<int()> run) {
  app_->callback([exit_code = exit_code_, run = std::move(run)] { *exit_code = run(); });
}

std::string Misuse::message() const {
  switch (kind) {
    case Kind::no_command:
      return "a command is missing";
    case Kind::unknown_command:
      return "unknown command " + schemagen::quoted(word);
    case Kind::unknown_option:
      return "unknown option " + schemagen::quoted(word);
    case Kind::unexpected_argument:
      return "unexpected argument " + schemagen::quoted(word);
    case Kind::wrong_value:
    case Kind::other:
      break;
  }
  return parser_message;
}

CommandLine::CommandLine(const std::string& name, const std::string& what, const std::string& footer,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(what, name)), version_(version) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->footer(footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_subcommand(const std::string& name, const std::string& what) {
  return {*app_->add_subcommand(name, what), exit_code_};
}

std::vector<std::string> CommandLine::subcommands() const {
  return command_names(*app_);
}

std::string CommandLine::help() const {
  // App::help() would be about the subcommand that was called.
  return app_->get_formatter()->make_help(app_.get(), app_->get_name(), CLI::AppFormatMode::Normal);
}

std::optional<std::string> CommandLine::help_of(const std::string& subcommand) const {
  for (const CLI::App* command : std::as_const(*app_).get_subcommands(nullptr)) {
    if (command->get_name() == subcommand) return command->help(app_->get_name());
  }
  return std::nullopt;
}

int CommandLine::run(std::vector<std::string> arguments, const std::function<void(std::string_view)>& print,
                     const std::function<int(const Misuse&)>& report) {
  for (CLI::App* const command : app_->get_subcommands(nullptr)) {
    command->set_version_flag("--version", version_);
  }
  std::reverse(arguments.begin(), arguments.end());  // the parser takes the last one first
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    // Help about a command that does not exist is asked for by mistake.
    const bool is_called = !app_->get_subcommands().empty() || app_->remaining(true).empty();
    if (error.get_exit_code() != 0 || !is_called) return report(misuse_of(*app_, error));
    std::ostringstream answer;
    app_->exit(error, answer, answer);
    print(answer.str());
    return 0;
  }
  return exit_code_;
}

}  // namespace generator
