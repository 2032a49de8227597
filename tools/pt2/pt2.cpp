// The `pt2` command, with all of its subcommands.
#include <string>

#include "command.h"
#include "console.h"
#include "pt2/schema_info.h"
#include "report.h"
#include "schemagen/base/huge_pages.h"
#include "signals.h"
#include "usage.h"

namespace pt2::tool {
namespace {

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

int run_command_line(int argc, char** argv) {
  CommandLine line(
      "pt2", "Reads, checks and converts PyTorch exported programs (torch.export.save), without PyTorch.",
      kFooter, version_line());
  add_info_command(line);
  add_show_command(line);
  add_validate_command(line);
  add_convert_command(line);
  add_upgrade_command(line);
  add_downgrade_command(line);
  add_canonicalize_command(line);
  add_hash_command(line);
  add_diff_command(line);
  add_rename_command(line);
  add_retarget_command(line);
  add_extract_command(line);
  add_slim_command(line);
  add_stats_command(line);
  add_operators_command(line);
  add_weights_command(line);
  add_strip_command(line);
  add_attach_command(line);
  add_scan_command(line);
  add_check_command(line);
  add_harden_command(line);
  add_view_command(line);
  add_export_command(line);
  add_rules_command(line);
  add_explain_command(line);
  return line.run(arguments_of(argc, argv), write_output, report_misuse);
}

}  // namespace

int run_pt2(int argc, char** argv) {
  handle_signals();
  schemagen::prepare_heap_for_values();
  return reported("", nullptr, [&] { return run_command_line(argc, argv); });
}

}  // namespace pt2::tool
