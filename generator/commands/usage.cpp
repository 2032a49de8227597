#include "commands/usage.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "commands/command.h"
#include "front/diagnostics.h"
#include "text/near_name.h"
#include "text/quote.h"

namespace generator {
namespace {

std::string suggestion(std::string_view word, const std::vector<std::string>& names,
                       const std::string& otherwise) {
  std::string near = did_you_mean(word, Names(names.begin(), names.end()));
  return near.empty() ? otherwise : near;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

/// Not a CLI::ValidationError, of which the parser would keep the text alone.
class WrongValue : public CLI::ParseError {
 public:
  WrongValue(const std::string& option, const std::string& message, std::string hint)
      : CLI::ParseError("WrongValue", option + ": " + message, CLI::ExitCodes::ValidationError),
        hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

int unknown_command(const CLI::App& app, const std::string& word) {
  return usage_error("", "unknown command " + quote(word),
                     suggestion(word, command_names(app), "`schemagen --help` tells how it is used"));
}

}  // namespace

int usage_error(std::string_view command, const std::string& message, const std::string& hint) {
  std::cerr << "schemagen" << (command.empty() ? "" : " ") << command << ": error: " << shown(message)
            << "\nhint: " << shown(hint) << "\n";
  return kUsage;
}

CLI::Validator one_of(const std::string& option, const std::vector<std::string>& names) {
  const std::string listed = "{" + CLI::detail::join(names, ",") + "}";
  const auto check = [option, names, listed](const std::string& value) {
    if (std::find(names.begin(), names.end(), value) != names.end()) return std::string();
    throw WrongValue(option, shown(value) + " not in " + listed,
                     did_you_mean(value, Names(names.begin(), names.end())));
  };
  return {check, listed};
}

void add_help_command(CLI::App& app, int& exit_code) {
  const auto name = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("help", "Tell how a command is used");
  command->add_option("COMMAND", *name, "Its name (default: schemagen itself)");
  command->callback([&app, name, &exit_code] {
    if (name->empty()) {
      // App::help() would be about the subcommand that was called.
      std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    } else if (app.get_subcommands([&](CLI::App* one) { return one->get_name() == *name; }).empty()) {
      exit_code = unknown_command(app, *name);
    } else {
      std::cout << app.get_subcommand(*name)->help(app.get_name());
    }
  });
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::App& command = called.empty() ? app : *called.front();
  const std::string name = called.empty() ? "" : command.get_name();
  const std::string help = "`schemagen " + (name.empty() ? "" : name + " ") + "--help` tells how it is used";
  if (const auto* const wrong = dynamic_cast<const WrongValue*>(&error)) {
    return usage_error(name, wrong->what(), wrong->hint().empty() ? help : wrong->hint());
  }
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return usage_error(name, called.empty() ? "a command is missing" : error.what(), help);
  const std::string& word = unknown.front();
  if (word.size() > 1 && word[0] == '-') {
    const std::string option = word.substr(0, word.find('='));
    return usage_error(name, "unknown option " + quote(option),
                       suggestion(option, option_names(command), help));
  }
  if (called.empty()) {
    return unknown_command(app, word);
  }
  return usage_error(name, "unexpected argument " + quote(word), help);
}

}  // namespace generator
