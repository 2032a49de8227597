// The `schemagen` command.
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "command.h"
#include "diagnostics.h"
#include "usage.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app("Reads an annotated schema and writes C++ types and codecs for it.", "schemagen");
  app.set_version_flag("--version", std::string("schemagen ") + SCHEMAGEN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 the answer is no, e.g. stale files; 2 usage; 3 a schema has errors; 4 a file\n"
      "cannot be read or written, or memory runs out. `schemagen COMMAND --help` tells more. The schema\n"
      "language is described in schema/README.md.");
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

int fail(const std::string& message) {
  std::cerr << "schemagen: " << schemagen::printable(message) << "\n";
  return schemagen::kIo;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // What is buffered is written only now, and an answer that is lost is no answer.
    return std::cout.flush() ? exit_code : fail("cannot write to stdout");
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
