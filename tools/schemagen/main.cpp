#include <exception>
#include <iostream>

#include "command.h"
#include "evolution/baseline.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#endif

namespace generator {

void add_generate_command(Command command);
void add_amalgamate_command(Command command);
void add_check_command(Command command);
void add_export_command(Command command);
void add_fmt_command(Command command);
void add_import_command(Command command);
void add_hash_command(Command command);
void add_diff_command(Command command);
void add_bump_command(Command command);
void add_explain_command(Command command);
void add_rules_command(Command command);

}  // namespace generator

namespace {

using namespace generator;

const tools::Program& program() {
  static const tools::Program program = {
      "schemagen",
      "Reads an annotated schema and writes C++ types and codecs for it.",
      "Exit codes: 0 success; 1 a check failed, e.g. stale files; 2 usage error; 3 a schema has errors;\n"
      "4 a file cannot be read or written, or memory runs out. `schemagen COMMAND --help` describes a\n"
      "command, and schema/README.md describes the schema language.",
      std::string("schemagen ") + SCHEMAGEN_VERSION,
      {
          {"generate", "Write the C++ files of a schema", add_generate_command},
          {"amalgamate", "Write a schema's code as one header and one source file to copy into a project",
           add_amalgamate_command},
          {"check", "Check schemas for errors", add_check_command},
          {"export", "Write a schema in the format of another tool", add_export_command},
          {"import", "Convert PyTorch's schema.py or schema.yaml to a schema", add_import_command},
          {"fmt", "Format schemas", add_fmt_command},
          {"hash", "Print or check the hash of a schema", add_hash_command},
          {"diff", "Report what the changes to a schema break, and which version they require",
           add_diff_command},
          {"bump", "Set a schema's version to the one that its changes require", add_bump_command},
          {"explain", "Explain a rule of `diff`", add_explain_command},
          {"rules", "List the rules of `diff`", add_rules_command},
      }};
  return program;
}

int run_command(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto print = [](std::string_view text) { std::cout << text; };
  const auto report = [](std::string_view text) { std::cerr << text; };
  const auto run = [&] {
    int exit_code = kBadInput;
    try {
      exit_code = program().run(arguments, print, report);
    } catch (const InvalidSchema& invalid) {
      report(invalid.what());
    }
    // Buffered output is written only here; losing it is an error.
    if (!std::cout.flush()) throw schemagen::IoError("cannot write to stdout");
    return exit_code;
  };
  return tools::exit_code_of({"schemagen", "", ""}, run, report);
}

}  // namespace

int main(int argc, char** argv) {
#if defined(_WIN32)
  _setmode(_fileno(stdout), _O_BINARY);  // the same bytes on every platform
#endif
  try {
    return run_command(argc, argv);
  } catch (const std::exception&) {  // there is nowhere to report it
    return tools::kIoError;
  }
}
