// `pt2 retarget`: a program on another device.
#include "pt2/edit/programs.h"

#include <iterator>
#include <memory>

#include "command.h"
#include "console.h"
#include "edited_program.h"
#include "output.h"
#include "pt2/versions/text/type_names.h"
#include "report.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"
#include "text/near_name.h"

namespace pt2::tool {
namespace {

struct RetargetArguments {
  std::string in;
  std::string out;
  std::string to;
  std::optional<std::string> from;
  std::optional<std::string> model;
  bool json = false;
};

/// A build of torch with a backend of its own may know it.
void warn_if_unknown(const std::string& type) {
  if (is_device_type(type)) return;
  const std::vector<std::string> known(std::begin(kDeviceTypes), std::end(kDeviceTypes));
  const std::string message = "torch itself has no device " + schemagen::quoted(type);
  write_diagnostic("pt2 retarget: warning: " + generator::with_suggestion(message, type, known) + "\n");
}

int run(const RetargetArguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.out);
  if (arguments.to.empty()) throw schemagen::UsageError("--device DEVICE is required");
  DeviceChange change{parse_device(arguments.to), std::nullopt};
  warn_if_unknown(change.to.type);
  if (arguments.from) change.from = parse_device(*arguments.from);
  EditedProgram edited = open_to_edit(arguments.in, arguments.out, arguments.model, NewerFields::kept);
  std::size_t changed = retarget(edited.loaded.program, change);
  for (EditedConfig& table : edited.configs) changed += retarget(table.config, change);
  write_edited(edited, arguments.out);
  // "device", "from": null for any, "changed": how many devices of values, arguments and weights
  report.print([&](JsonBuilder& json) {
    json.key("device").string(arguments.to).key("from").string_or_null(arguments.from);
    json.key("changed").count(changed);
  });
  return kDone;
}

}  // namespace

void add_retarget_command(CommandLine& line) {
  const auto arguments = std::make_shared<RetargetArguments>();
  Command command = line.add_subcommand("retarget", "Move a program to another device");
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command.add_option("--device", arguments->to, "The device to move to: cpu, cuda:1, meta, ...")
      .type_name("DEVICE");
  command
      .add_option("--from", arguments->from,
                  "Move only what is on this device; without an index, on any of its type")
      .type_name("DEVICE");
  add_report_option(command, arguments->json);
  add_model_option(command, arguments->model);
  command.footer(
      "The devices of all values, of arguments that are devices, and of an archive's weights are changed.\n"
      "Metadata and guards stay as they are. Whether the operators exist on that device is not looked at.\n\n"
      "Examples:\n"
      "  pt2 retarget model.pt2 -o cuda.pt2 --device cuda:0\n"
      "  pt2 retarget model.json -o meta.json --device meta --from cpu");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
