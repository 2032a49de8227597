#include <iterator>

#include "output.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct RetargetArguments : FileArguments {
  std::string to;
  std::optional<std::string> from;
  std::optional<std::string> dtype;
  std::vector<std::string> keep;
  bool keep_unconvertible = false;
};

/// A torch build with another backend may know it.
void warn_if_unknown(const std::string& type) {
  if (is_device_type(type)) return;
  const std::vector<std::string_view> known(std::begin(kDeviceTypes), std::end(kDeviceTypes));
  const std::string message = "torch itself has no device " + schemagen::quoted(type);
  write_diagnostic("pt2 retarget: warning: " + schemagen::with_suggestion(message, type, known) + "\n");
}

void retarget_device(const RetargetArguments& arguments) {
  const DeviceChange change = device_change(arguments.to, arguments.from);
  warn_if_unknown(change.to.type);
  const Edit edit(arguments);
  const std::size_t changed = retarget_file(edit.source, change, edit.target);
  print_report(arguments, [&](ReportWriter& json) {
    json.members("device", arguments.to, "from", arguments.from, "changed", changed);
  });
}

void retarget_dtype(const RetargetArguments& arguments) {
  const DtypeChange change{*dtype_named(*arguments.dtype), arguments.keep, arguments.keep_unconvertible};
  const Edit edit(arguments);
  const Retyped done = retarget_file(edit.source, change, edit.target);
  print_report(arguments, [&](ReportWriter& json) {
    json.members("dtype", *arguments.dtype, "changed", done.changed, "casts", done.casts, "weights",
                 done.weights.size());
    if (arguments.keep_unconvertible) json.members("left", done.left);
  });
}

void run(const RetargetArguments& arguments) {
  if (arguments.to.empty() != arguments.dtype.has_value()) {
    throw schemagen::UsageError(arguments.dtype
                                    ? "--device and --dtype cannot be combined; run the command twice"
                                    : "--device DEVICE or --dtype DTYPE is required");
  }
  if (arguments.dtype && arguments.from) throw schemagen::UsageError("--from requires --device");
  if (!arguments.dtype && !arguments.keep.empty()) throw schemagen::UsageError("--keep requires --dtype");
  if (!arguments.dtype && arguments.keep_unconvertible)
    throw schemagen::UsageError("--keep-unconvertible requires --dtype");
  arguments.dtype ? retarget_dtype(arguments) : retarget_device(arguments);
}

}  // namespace

void add_retarget_command(Command command) {
  auto& arguments = add_edit_arguments<RetargetArguments>(command);
  command.add_option("--device DEVICE", arguments.to, "Target device: cpu, cuda:1, meta, ...");
  command.add_option("--from DEVICE", arguments.from,
                     "Move only values on this device; without an index, on any device of the type");
  command.add_option("--dtype DTYPE", arguments.dtype, "Target dtype of floating-point values")
      .one_of({"bfloat16", "float16", "float32"});
  command.add_option("--keep NAME,...", arguments.keep,
                     "Weights, inputs, nodes and modules that keep their dtypes");
  command.add_flag("--keep-unconvertible", arguments.keep_unconvertible,
                   "Also keep the dtypes of nodes that cannot be converted, and list them");
  add_report_option(command, arguments.json);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "--device changes the devices of all values, of device arguments, and of the archive's weights.\n"
      "Metadata and guards do not change. The command does not check whether the operators support the\n"
      "device.\n\n"
      "--dtype converts all float16, bfloat16, float32 and float64 weights, inputs and values, arguments\n"
      "that name one of these dtypes, and sample inputs. Weights are rounded half to even. Kept nodes\n"
      "compute as before, on copies of their inputs in the old dtype; other nodes use copies in the new\n"
      "dtype. If the result types of nodes are unknown, the command fails and lists the nodes for --keep,\n"
      "unless --keep-unconvertible is given.\n"
      "Convert pickled weights (torch up to 2.8) with pt2 convert first.\n\n"
      "Examples:\n"
      "  pt2 retarget model.pt2 -o cuda.pt2 --device cuda:0\n"
      "  pt2 retarget model.json -o meta.json --device meta --from cpu\n"
      "  pt2 retarget model.pt2 -o half.pt2 --dtype bfloat16 --keep rotary,head.weight");
}

}  // namespace pt2::tool
