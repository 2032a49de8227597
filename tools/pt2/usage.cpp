#include "usage.h"

#include "report.h"
#include "text/joined.h"
#include "text/near_name.h"

namespace pt2::tool {

using generator::Misuse;

namespace {

/// What is wrong with the arguments, in words that name the nearest right ones.
std::string explained(const Misuse& misuse) {
  const std::string message = misuse.message();
  const bool is_command = misuse.kind == Misuse::Kind::unknown_command;
  if (is_command && misuse.word.find_first_of("./") != std::string::npos) {
    return message + ": a command comes before the file, as in 'pt2 info FILE'";
  }
  const std::string near = generator::with_suggestion(message, misuse.word, misuse.names);
  return is_command && near == message
             ? message + ", expected one of " + generator::joined(misuse.names, ", ")
             : near;
}

}  // namespace

std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.push_back("--help");
  return arguments;
}

int report_misuse(const Misuse& misuse) {
  return report_usage_error(misuse.command, explained(misuse));
}

}  // namespace pt2::tool
