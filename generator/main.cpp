// The `schemagen` command.
#include <iostream>
#include <string>
#include <system_error>

#include "command.h"
#include "usage.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app("Reads an annotated schema and writes C++ types and codecs for it.", "schemagen");
  app.set_version_flag("--version", std::string("schemagen ") + SCHEMAGEN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the answer is no, e.g. stale files; 2 usage; 3 a schema has errors; 4 a file "
      "cannot be read\n"
      "or written. `schemagen COMMAND --help` tells more. The schema language is described in "
      "schema/README.md.");
  int exit_code = schemagen::kDone;
  schemagen::add_generate_command(app, exit_code);
  schemagen::add_amalgamate_command(app, exit_code);
  schemagen::add_check_command(app, exit_code);
  schemagen::add_export_command(app, exit_code);
  schemagen::add_fmt_command(app, exit_code);
  schemagen::add_hash_command(app, exit_code);
  schemagen::add_diff_command(app, exit_code);
  schemagen::add_bump_command(app, exit_code);
  schemagen::add_explain_command(app, exit_code);
  schemagen::add_rules_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return schemagen::report_usage(app, error);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::system_error& error) {
    std::cerr << "schemagen: " << error.what() << "\n";
    return schemagen::kIo;
  }
}
