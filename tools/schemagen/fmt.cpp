#include "front/fmt.h"

#include <iostream>

#include "command.h"

namespace generator {
namespace {

struct FmtArguments {
  std::vector<std::string> schemas;
  bool check = false;
};

int run(const std::string& schema, bool check) {
  Diagnostics diagnostics = open_schema(schema);
  const std::optional<std::string> text = formatted(diagnostics, rule_ids());
  std::cerr << diagnostics.render();
  if (!text) return kBadInput;
  if (check) {
    if (*text == diagnostics.text()) return kDone;
    std::cout << diagnostics.file() << "\n";
    return kNo;
  }
  write_text(schema, *text);
  return kDone;
}

int run(const FmtArguments& arguments) {
  int exit_code = kDone;
  for (const std::string& schema : arguments.schemas) {
    exit_code = std::max(exit_code, run(schema, arguments.check));
  }
  return exit_code;
}

}  // namespace

void add_fmt_command(Command command) {
  auto& arguments = command.add_arguments<FmtArguments>();
  command.add_option("SCHEMA", arguments.schemas, "Schemas to format, or - to read stdin and write stdout")
      .required();
  command.add_flag("--check", arguments.check,
                   "Write nothing; print the names of unformatted files, and exit with 1 if there are any");
  command.footer(
      "Comments stay with what they describe. A file with a comment that cannot be placed is left\n"
      "unchanged. Files are written only if their text changes.\n"
      "Example: schemagen fmt --check schema/*.yaml");
}

}  // namespace generator
