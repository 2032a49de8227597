#include "commands/usage.h"

#include <iostream>
#include <vector>

#include "commands/command.h"
#include "front/diagnostics.h"
#include "text/near_name.h"
#include "text/quote.h"

namespace generator {
namespace {

std::string suggestion(std::string_view word, const std::vector<std::string>& names, std::string otherwise) {
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

}  // namespace

int usage_error(std::string_view command, const std::string& message, const std::string& hint) {
  std::cerr << "schemagen" << (command.empty() ? "" : " ") << command << ": error: " << printable(message)
            << "\nhint: " << hint << "\n";
  return kUsage;
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const std::vector<CLI::App*> called = app.get_subcommands();
  const CLI::App& command = called.empty() ? app : *called.front();
  const std::string name = called.empty() ? "" : command.get_name();
  const std::string help = "`schemagen " + (name.empty() ? "" : name + " ") + "--help` tells how it is used";
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return usage_error(name, called.empty() ? "a command is missing" : error.what(), help);
  const std::string& word = unknown.front();
  if (word.size() > 1 && word[0] == '-') {
    const std::string option = word.substr(0, word.find('='));
    return usage_error(name, "unknown option " + quote(option),
                       suggestion(option, option_names(command), help));
  }
  if (called.empty()) {
    return usage_error(name, "unknown command " + quote(word), suggestion(word, command_names(app), help));
  }
  return usage_error(name, "unexpected argument " + quote(word), help);
}

}  // namespace generator
