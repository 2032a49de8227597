// `pt2 harden`: the same model without what could run code.
#include "pt2/scan/harden.h"

#include <memory>

#include "command.h"
#include "console.h"
#include "output.h"
#include "pt2/archive/file.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct HardenArguments {
  std::string in;
  std::string out;
  HardenOptions hardening;
};

int run(const HardenArguments& arguments) {
  require_output(arguments.out, {FileFormat::archive});
  const ProgramFile file = open_program_file(arguments.in);
  std::vector<LeftOut> left_out;
  write_checked_parts(
      [&](const ByteSink& sink) { left_out = harden_archive(file, sink, arguments.hardening); },
      [&](std::string_view archive) { require_harmless(archive, file.limits()); }, arguments.out);
  for (const LeftOut& each : left_out) {
    write_diagnostic(shown_path(arguments.in) +
                     ": warning: " + schemagen::shortened(schemagen::printable(each.record)) +
                     (each.has_old_calls ? ": torch may not run it: " : ": left out: ") +
                     schemagen::printable(each.why) + "\n");
  }
  return kDone;
}

}  // namespace

void add_harden_command(Command command) {
  const auto arguments = std::make_shared<HardenArguments>();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, "The archive to write, FILE.pt2, or - for standard output");
  command.add_flag("--drop-native", arguments->hardening.drop_native,
                   "Leave out AOTInductor's packages: native code and sources");
  command.add_flag("--keep-extra", arguments->hardening.keep_extra,
                   "Keep extra files, which torch hands to its caller as they are");
  add_model_option(command, arguments->hardening.model);
  command.footer(
      "All is made anew of what was read: programs, as 'pt2 upgrade' writes them, tensors as raw bytes, "
      "sample\n"
      "inputs of plain values and tensors. What else is in the archive is left out with a warning. What the\n"
      "model needs is refused by its name: objects that only a pickle can hold, names and texts that torch\n"
      "would run, and compiled models unless --drop-native is given. The result is scanned before it is\n"
      "written to OUT.\n\n"
      "Examples:\n"
      "  pt2 harden model.pt2 -o safe.pt2\n"
      "  pt2 harden package.pt2 -o safe.pt2 --drop-native --keep-extra");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
