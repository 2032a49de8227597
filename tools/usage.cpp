#include "usage.h"

#include <iostream>

#include "console.h"
#include "report.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"
#include "text/near_name.h"

namespace pt2::tool {
namespace {

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

std::string unknown_command(const CLI::App& app, const std::string& word) {
  const std::string unknown = "unknown command " + schemagen::quoted(word);
  if (word.find_first_of("./") != word.npos) {
    return unknown + ": a command comes before the file, as in 'pt2 info FILE'";
  }
  const std::vector<std::string> names = command_names(app);
  const std::string near = generator::with_suggestion(unknown, word, names);
  return near == unknown ? unknown + ", expected one of " + CLI::detail::join(names, ", ") : near;
}

/// What is wrong with the arguments, in words that name the nearest right ones.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> called = app.get_subcommands();
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return called.empty() ? "a command is missing" : error.what();
  const std::string& word = unknown.front();
  const CLI::App& command = called.empty() ? app : *called.front();
  if (word.size() > 1 && word[0] == '-') {
    const std::string name = word.substr(0, word.find('='));
    return generator::with_suggestion("unknown option " + schemagen::quoted(name), name,
                                      option_names(command));
  }
  return called.empty() ? unknown_command(app, word) : "unexpected argument " + schemagen::quoted(word);
}

}  // namespace

std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.push_back("--help");
  return arguments;
}

int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> called = app.get_subcommands();
  // Help about a command that does not exist is asked for by mistake.
  const bool is_answer = error.get_exit_code() == 0 && (!called.empty() || app.remaining(true).empty());
  if (!is_answer)
    return report_usage_error(called.empty() ? "" : called.front()->get_name(), explain(app, error));
  return reported("", nullptr, [&] {
    app.exit(error);
    if (!std::cout.flush()) throw schemagen::IoError("cannot write to standard output");
    return static_cast<int>(kDone);
  });
}

}  // namespace pt2::tool
