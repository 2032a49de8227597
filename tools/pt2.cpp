// The `pt2` command.
#include <algorithm>
#include <string>
#include <vector>

#include "command.h"
#include "pt2/schema_info.h"
#include "report.h"
#include "signals.h"
#include "usage.h"

namespace {

using namespace pt2::tool;

constexpr const char* kFooter =
    "A FILE is a program's JSON, a PT2 archive (torch 2.8 and later), a zip of torch.export (torch up to "
    "2.7),\n"
    "or a program in binary (.pt2b); - is standard input. Its content tells which; its name does not "
    "matter.\n"
    "\n"
    "Examples:\n"
    "  pt2 info model.pt2\n"
    "  pt2 show model.pt2 | less\n"
    "  pt2 view model.pt2 -o model.html\n"
    "  pt2 validate *.pt2\n"
    "  pt2 convert model.pt2 model.json\n"
    "  pt2 upgrade old.pt2 -o new.pt2\n"
    "  pt2 diff old.pt2 new.pt2\n"
    "  pt2 scan model.pt2\n"
    "  pt2 help convert\n"
    "\n"
    "Exit codes: 0 done; 1 the answer is no; 2 usage; 3 the input is malformed or of a version that\n"
    "cannot be read; 4 a file cannot be read or written.";

std::string version_line() {
  return "pt2 " PT2_VERSION " (schema " + std::to_string(pt2::kSchemaMajor) + "." +
         std::to_string(pt2::kSchemaMinor) + ", " + std::string(pt2::kSchemaHash) + ")";
}

int run(std::vector<std::string> arguments) {
  CLI::App app("Reads, checks and converts PyTorch exported programs (torch.export.save), without PyTorch.",
               "pt2");
  app.set_version_flag("--version", version_line());
  app.require_subcommand(1);
  app.footer(kFooter);
  int exit_code = kUsage;
  add_info_command(app, exit_code);
  add_show_command(app, exit_code);
  add_validate_command(app, exit_code);
  add_convert_command(app, exit_code);
  add_upgrade_command(app, exit_code);
  add_downgrade_command(app, exit_code);
  add_canonicalize_command(app, exit_code);
  add_hash_command(app, exit_code);
  add_diff_command(app, exit_code);
  add_rename_command(app, exit_code);
  add_retarget_command(app, exit_code);
  add_extract_command(app, exit_code);
  add_stats_command(app, exit_code);
  add_weights_command(app, exit_code);
  add_strip_command(app, exit_code);
  add_attach_command(app, exit_code);
  add_scan_command(app, exit_code);
  add_harden_command(app, exit_code);
  add_view_command(app, exit_code);
  add_export_command(app, exit_code);
  add_rules_command(app, exit_code);
  add_explain_command(app, exit_code);
  for (CLI::App* const command : app.get_subcommands(nullptr)) {
    command->set_version_flag("--version", version_line());
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // the parser takes the last one first
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  return reported("", nullptr, [&] { return run(arguments_of(argc, argv)); });
}
