#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

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
      "Exit codes: 0 done; 1 the answer is no, e.g. stale files; 2 usage; 3 a schema has errors; 4 a file\n"
      "cannot be read or written, or memory runs out. For a command, see `schemagen COMMAND --help`; for the "
      "schema\n"
      "language, see schema/README.md.",
      std::string("schemagen ") + SCHEMAGEN_VERSION,
      {
          {"generate", "Write the C++ files of a schema", add_generate_command},
          {"amalgamate", "Write a schema's code as one header and one source to copy",
           add_amalgamate_command},
          {"check", "Check schemas for errors", add_check_command},
          {"export", "Write a schema in the language of another tool", add_export_command},
          {"import", "Read PyTorch's schema.py or schema.yaml, and write it as a schema", add_import_command},
          {"fmt", "Format schemas", add_fmt_command},
          {"hash", "Print or check the hash of a schema", add_hash_command},
          {"diff", "Report what the changes of a schema break, and the version they require",
           add_diff_command},
          {"bump", "Write the version that the changes of a schema require into it", add_bump_command},
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
    const int exit_code = program().run(arguments, print, report);
    // Buffered output is written here; losing it is an error.
    if (!std::cout.flush()) throw schemagen::IoError("cannot write to stdout");
    return exit_code;
  };
  return tools::exit_code_of({"schemagen", "", ""}, run, report);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const std::exception&) {  // there is nowhere to report that reporting failed
    return tools::kIoError;
  }
}
