// The `schemagen` command.
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "front/diagnostics.h"
#include "text/shown.h"
#include "usage.h"

namespace {

/// The arguments without `--`. A name behind it that looks like an option gets a `./`: the parser's own `--`
/// lets no further names into a list that has one.
std::vector<std::string> arguments_of(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool options_ended = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool like_option = argument.size() > 1 && argument.front() == '-';
    if (options_ended) {
      arguments.push_back(like_option ? "./" + argument : argument);
    } else if (argument == "--") {
      options_ended = true;
    } else {
      arguments.push_back(argument);
    }
  }
  return arguments;
}

int run(const std::vector<std::string>& arguments) {
  generator::CommandLine line(
      "schemagen", "Reads an annotated schema and writes C++ types and codecs for it.",
      "Exit codes: 0 done; 1 the answer is no, e.g. stale files; 2 usage; 3 a schema has errors; 4 a file\n"
      "cannot be read or written, or memory runs out. See `schemagen COMMAND --help`. The schema\n"
      "language is described in schema/README.md.",
      std::string("schemagen ") + SCHEMAGEN_VERSION);
  generator::add_generate_command(line);
  generator::add_amalgamate_command(line);
  generator::add_check_command(line);
  generator::add_export_command(line);
  generator::add_fmt_command(line);
  generator::add_hash_command(line);
  generator::add_diff_command(line);
  generator::add_bump_command(line);
  generator::add_explain_command(line);
  generator::add_rules_command(line);
  generator::add_help_command(line);
  return line.run(
      arguments, [](std::string_view text) { std::cout << text; }, generator::report_misuse);
}

int fail(const std::string& message) {
  std::cerr << "schemagen: " << generator::shown(message) << "\n";
  return generator::kIo;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(arguments_of(argc, argv));
    // What is buffered is written only now, and an answer that is lost is no answer.
    return std::cout.flush() ? exit_code : fail("cannot write to stdout");
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
