#include "command.h"

#include <algorithm>
#include <utility>

#include "report.h"
#include "schemagen/value/quote.h"

namespace pt2::tool {

void set_action(CLI::App& command, int& exit_code, const std::string* file, std::function<int()> run) {
  const std::string name = command.get_name();
  command.callback([name, &exit_code, file, run = std::move(run)] { exit_code = reported(name, file, run); });
}

void add_program_argument(CLI::App& command, const std::string& name, std::string& file) {
  command.add_option(name, file, "The program, - for standard input")->required()->type_name("");
}

CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) != names.end()) return std::string();
        return "expected " + CLI::detail::join(names, " or ") + ", found " + schemagen::quoted(name);
      },
      "");
}

void add_model_option(CLI::App& command, std::optional<std::string>& model) {
  command.add_option("--model", model, "The model to take, if an archive holds several")->type_name("NAME");
}

}  // namespace pt2::tool
