// `pt2 hash`: what a program hashes to.
#include <memory>
#include <utility>

#include "command.h"
#include "console.h"
#include "pt2/compare/canonical.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "report.h"
#include "sha256.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::string file;
  LoadOptions loading;
};

int run(const Arguments& arguments) {
  LoadedProgram loaded = load_program(arguments.file, arguments.loading);
  write_diagnostic(skipped_warnings(arguments.file, loaded.skipped));
  const ExportedProgram normal =
      canonicalize(std::move(loaded.program), CanonicalForm::normal, Provenance::drop);
  write_output("sha256:" + sha256_hex(schemagen::to_json(normal)) + "\n");
  return kDone;
}

}  // namespace

void add_hash_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const command =
      app.add_subcommand("hash", "Print a hash that depends on neither names nor node order");
  add_program_argument(*command, "FILE", arguments->file);
  add_model_option(*command, arguments->loading.model);
  command->footer(
      "It is the SHA-256 of the program in the form normal (see pt2 canonicalize --help), without "
      "weights.\n\n"
      "Examples:\n"
      "  pt2 hash model.pt2\n"
      "  test \"$(pt2 hash a.pt2)\" = \"$(pt2 hash b.pt2)\" && echo same program");
  set_action(*command, exit_code, &arguments->file, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
