#include "command.h"
#include "pt2/schema_info.h"
#include "schemagen/base/huge_pages.h"
#include "signals.h"

namespace pt2::tool {

// Each is in commands/, in the file of its name; explain is in rules.cpp.
void add_info_command(Command command);
void add_show_command(Command command);
void add_validate_command(Command command);
void add_convert_command(Command command);
void add_upgrade_command(Command command);
void add_downgrade_command(Command command);
void add_canonicalize_command(Command command);
void add_hash_command(Command command);
void add_diff_command(Command command);
void add_rename_command(Command command);
void add_retarget_command(Command command);
void add_extract_command(Command command);
void add_join_command(Command command);
void add_slim_command(Command command);
void add_stats_command(Command command);
void add_operators_command(Command command);
void add_infer_command(Command command);
void add_weights_command(Command command);
void add_strip_command(Command command);
void add_attach_command(Command command);
void add_scan_command(Command command);
void add_check_command(Command command);
void add_harden_command(Command command);
void add_view_command(Command command);
void add_export_command(Command command);
void add_rules_command(Command command);
void add_explain_command(Command command);

namespace {

constexpr const char* kFooter =
    "A FILE is a program's JSON, a PT2 archive (torch 2.8 and later), a torch.export zip (torch up to\n"
    "2.7), or a binary program (.pt2b); - means standard input. pt2 detects the format from the\n"
    "content, not from the name.\n\n"
    "Examples:\n"
    "  pt2 info model.pt2\n"
    "  pt2 show model.pt2 | less\n"
    "  pt2 view model.pt2 -o model.html\n"
    "  pt2 validate *.pt2\n"
    "  pt2 convert model.pt2 model.json\n"
    "  pt2 upgrade old.pt2 -o new.pt2\n"
    "  pt2 diff old.pt2 new.pt2\n"
    "  pt2 scan model.pt2\n"
    "  pt2 help convert\n\n"
    "Exit codes: 0 success; 1 a check failed, or programs differ; 2 usage error; 3 the input is malformed\n"
    "or its version is not supported; 4 a file cannot be read or written.";

std::string version_line() {
  return "pt2 " PT2_VERSION " (schema " + std::to_string(pt2::kSchemaMajor) + "." +
         std::to_string(pt2::kSchemaMinor) + ", " + std::string(pt2::kSchemaHash) + ")";
}

tools::Program program() {
  return {
      "pt2",
      "Reads, checks and converts PyTorch exported programs (torch.export.save) without PyTorch.",
      kFooter,
      version_line(),
      {
          {"info", "Print versions, inputs, outputs, weights and operators of a program or package",
           add_info_command},
          {"show", "Print the graph as readable text", add_show_command},
          {"validate", "Check programs against the schema and the rules", add_validate_command},
          {"convert", "Write a program in another format", add_convert_command},
          {"upgrade", "Upgrade a program from an older torch to the latest schema", add_upgrade_command},
          {"downgrade", "Write a program for an older torch", add_downgrade_command},
          {"canonicalize", "Write a program in a canonical form, for comparing or hashing",
           add_canonicalize_command},
          {"hash", "Print a hash that depends on neither names nor node order", add_hash_command},
          {"diff", "Print the differences between two programs, ignoring names and node order",
           add_diff_command},
          {"rename", "Rename values, parameters and buffers", add_rename_command},
          {"retarget", "Move a program to another device or dtype", add_retarget_command},
          {"extract", "Write part of a program as a separate program", add_extract_command},
          {"join", "Join two programs: the second takes the outputs of the first", add_join_command},
          {"slim", "Write a smaller program, without parts that it does not need", add_slim_command},
          {"stats", "Print multiply-adds and memory use", add_stats_command},
          {"operators", "List the operators that a program calls, and which ones a target lacks",
           add_operators_command},
          {"infer", "Check recorded types against the types that the operators give", add_infer_command},
          {"weights", "List the weights and constants, or write them to a file", add_weights_command},
          {"strip", "Write an archive without its weights, and optionally the weights to a file",
           add_strip_command},
          {"attach", "Write an archive with weights from a file", add_attach_command},
          {"scan", "Find code that torch could run when it loads a file", add_scan_command},
          {"check", "Check whether files are safe and valid: scan, validate and limits", add_check_command},
          {"harden", "Write the same model without code that torch could run", add_harden_command},
          {"view", "Write an HTML page to explore the graph", add_view_command},
          {"export", "Write the graph in the format of another tool", add_export_command},
          {"rules", "List the rules of validate, scan and check", add_rules_command},
          {"explain", "Explain a rule of validate, scan or check", add_explain_command},
      }};
}

}  // namespace

int run_pt2(int argc, char** argv) {
  handle_signals();
  schemagen::prepare_heap_for_values();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return reported("", nullptr, [&] { return program().run(arguments, write_output, write_diagnostic); });
}

}  // namespace pt2::tool
