// schemagen check
#include <memory>
#include <vector>

#include "commands/command.h"

namespace generator {

void add_check_command(CLI::App& app, int& exit_code) {
  const auto schemas = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = app.add_subcommand("check", "Only look for errors in schemas");
  command->add_option("SCHEMA", *schemas, "The schemas")->required();
  command->callback([schemas, &exit_code] {
    exit_code = kDone;
    for (const std::string& schema : *schemas) {
      if (!load_schema(schema)) exit_code = kBadInput;
    }
  });
}

}  // namespace generator
