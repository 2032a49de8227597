#include "usage.h"

#include <iostream>
#include <memory>

#include "command.h"
#include "front/diagnostics.h"
#include "text/near_name.h"
#include "text/shown.h"

namespace generator {
int usage_error(std::string_view command, const std::string& message, const std::string& hint) {
  std::cerr << "schemagen" << (command.empty() ? "" : " ") << command << ": error: " << shown(message)
            << "\nhint: " << shown(hint) << "\n";
  return kUsage;
}

int schema_error(std::string_view schema, const std::string& what, const std::string& hint) {
  std::cerr << shown(std::string(schema)) << ": error: " << shown(what) << "\nhint: " << shown(hint) << "\n";
  return kBadInput;
}

void add_help_command(CommandLine& line) {
  const auto name = std::make_shared<std::string>();
  Command command = line.add_subcommand("help", "Tell how a command is used");
  command.add_option("COMMAND", *name, "Its name (default: schemagen itself)");
  command.set_action([&line, name] {
    const std::optional<std::string> help = name->empty() ? line.help() : line.help_of(*name);
    if (!help) return report_misuse({Misuse::Kind::unknown_command, "", *name, line.subcommands(), ""});
    std::cout << *help;
    return static_cast<int>(kDone);
  });
}

int report_misuse(const Misuse& misuse) {
  const std::string called = misuse.command.empty() ? "" : misuse.command + " ";
  const std::string near = did_you_mean(misuse.word, Names(misuse.names.begin(), misuse.names.end()));
  return usage_error(misuse.command, misuse.message(),
                     near.empty() ? "`schemagen " + called + "--help` tells how it is used" : near);
}

}  // namespace generator
