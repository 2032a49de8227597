// schemagen check
#include <memory>
#include <vector>

#include "commands/command.h"

namespace generator {

void add_check_command(CommandLine& line) {
  const auto schemas = std::make_shared<std::vector<std::string>>();
  Command command = line.add_subcommand("check", "Only look for errors in schemas");
  command.add_option("SCHEMA", *schemas, "The schemas").required();
  command.set_action([schemas] {
    int exit_code = kDone;
    for (const std::string& schema : *schemas) {
      if (!load_schema(schema)) exit_code = kBadInput;
    }
    return exit_code;
  });
}

}  // namespace generator
