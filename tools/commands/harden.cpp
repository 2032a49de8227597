// `pt2 harden`: the same model without what could run code.
#include "pt2/harden.h"

#include <memory>

#include "command.h"
#include "console.h"
#include "output.h"
#include "pt2/archive/file.h"
#include "report.h"
#include "schemagen/value/quote.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::string in;
  std::string out;
  HardenOptions hardening;
};

int run(const Arguments& arguments) {
  require_output(arguments.out, {FileFormat::archive});
  const ProgramFile file = open_program_file(arguments.in);
  std::vector<LeftOut> left_out;
  write_parts([&](const ByteSink& sink) { left_out = harden_archive(file, sink, arguments.hardening); },
              arguments.out);
  for (const LeftOut& each : left_out) {
    write_diagnostic(shown_path(arguments.in) +
                     ": warning: " + schemagen::shortened(schemagen::printable(each.record)) +
                     ": left out: " + schemagen::printable(each.why) + "\n");
  }
  return kDone;
}

}  // namespace

void add_harden_command(CommandLine& line) {
  const auto arguments = std::make_shared<Arguments>();
  Command command = line.add_subcommand("harden", "Write the same model without what could run code");
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, "The archive to write, FILE.pt2, or - for standard output");
  command.add_flag("--drop-native", arguments->hardening.drop_native,
                   "Leave out native code and sources, with AOTInductor's packages whole");
  add_model_option(command, arguments->hardening.model);
  command.footer(
      "Pickled tensors become raw bytes, programs of old zips those of today. Sample inputs that torch.load\n"
      "refuses with weights_only, and records that no model needs, are left out with a warning. What the "
      "model\n"
      "needs is refused by its name: objects of custom classes, and native code unless --drop-native is "
      "given.\n"
      "All else is copied byte for byte. `pt2 scan` of the result finds nothing.\n\n"
      "Examples:\n"
      "  pt2 harden model.pt2 -o safe.pt2\n"
      "  pt2 harden package.pt2 -o safe.pt2 --drop-native");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
