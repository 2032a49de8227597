#include "pt2/scan/harden.h"

#include "output.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct HardenArguments : FileArguments {
  HardenOptions hardening;
};

void run(const HardenArguments& arguments) {
  require_output(arguments.out, {FileFormat::archive});
  const ProgramFile file = open_input(arguments.in);
  std::vector<LeftOut> left_out;
  const auto write = [&](const ByteSink& sink) {
    left_out = harden_archive(file, sink, arguments.hardening);
  };
  const auto check = [&](std::string_view archive) { require_harmless(archive, file.limits()); };
  if (arguments.out == "-") {
    std::string bytes;
    write([&](std::string_view part) { bytes += part; });
    check(bytes);
    write_output(bytes);
  } else {
    write_file_atomically(arguments.out, write, check);
  }
  for (const LeftOut& each : left_out) {
    write_diagnostic(shown_path(arguments.in) +
                     ": warning: " + schemagen::shortened(schemagen::printable(each.record)) +
                     (each.has_old_calls ? ": torch may not run it: " : ": dropped: ") +
                     schemagen::printable(each.why) + "\n");
  }
}

}  // namespace

void add_harden_command(Command command) {
  auto& arguments = add_file_arguments<HardenArguments>(command, "IN");
  add_output_option(command, arguments.out, "Archive to write, FILE.pt2, or - for standard output");
  command.add_flag("--drop-native", arguments.hardening.drop_native,
                   "Drop AOTInductor packages: native code and sources");
  command.add_flag("--keep-extra", arguments.hardening.keep_extra,
                   "Keep extra files, which torch passes to its caller unchanged");
  add_model_option(command, arguments.hardening.model);
  command.footer(
      "Rewrites the archive: programs as 'pt2 upgrade' does, tensors as raw bytes, and sample inputs\n"
      "that contain only plain values and tensors. Drops everything else in the archive with a warning.\n"
      "Fails and names the obstacle if the model needs something that cannot be made safe: objects that\n"
      "can only be pickled, names and strings that torch would run, and compiled models unless\n"
      "--drop-native is given. Removes no_grad and autocast blocks without results, which torch exports but\n"
      "cannot load. Writes OUT only if 'pt2 check --policy load' would accept it.\n\n"
      "Examples:\n"
      "  pt2 harden model.pt2 -o safe.pt2\n"
      "  pt2 harden package.pt2 -o safe.pt2 --drop-native --keep-extra");
}

}  // namespace pt2::tool
