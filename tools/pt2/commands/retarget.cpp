#include "pt2/edit/retarget.h"
#include "pt2/edit/retype.h"

#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "command.h"
#include "console.h"
#include "edited_program.h"
#include "input.h"
#include "output.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "text/near_name.h"

namespace pt2::tool {
namespace {

struct RetargetArguments {
  std::string in;
  std::string out;
  std::string to;
  std::optional<std::string> from;
  std::optional<std::string> dtype;
  std::vector<std::string> keep;
  bool keep_unconvertible = false;
  std::optional<std::string> model;
  bool json = false;
};

/// A torch build with another backend may know it.
void warn_if_unknown(const std::string& type) {
  if (is_device_type(type)) return;
  const std::vector<std::string> known(std::begin(kDeviceTypes), std::end(kDeviceTypes));
  const std::string message = "torch itself has no device " + schemagen::quoted(type);
  write_diagnostic("pt2 retarget: warning: " + generator::with_suggestion(message, type, known) + "\n");
}

bool is_on_meta(const PayloadMeta& payload) {
  return payload.tensor_meta && payload.tensor_meta->device.type == "meta";
}

/// On meta, torch gives all tensors the same empty record: their storages are all at address 0
/// (group_weights() in torch/export/pt2_archive/_package_weights.py). Elsewhere, they need separate records.
/// Adds the names of new records to `made`.
std::size_t retarget_config(const Archive& archive, const DeviceChange& change, EditedConfig& table,
                            std::set<std::string>& made) {
  const std::string folder = table.record.substr(0, table.record.rfind('/') + 1);
  std::map<std::string, std::size_t> users;
  std::vector<PayloadMeta*> on_meta;
  for (auto& [name, payload] : table.config.config) {
    ++users[payload.path_name];
    const ZipMember* const record = find_record(archive, folder + payload.path_name);
    if (!payload.use_pickle && is_on_meta(payload) && record != nullptr && record->size == 0)
      on_meta.push_back(&payload);
  }
  const std::size_t changed = retarget(table.config, change);
  std::size_t number = 0;
  for (PayloadMeta* const payload : on_meta) {
    std::size_t& sharing = users[payload->path_name];
    if (is_on_meta(*payload) || sharing == 1) continue;
    --sharing;
    const std::string prefix =
        payload->path_name.substr(0, payload->path_name.find_last_not_of("0123456789") + 1);
    do {
      payload->path_name = prefix + std::to_string(number++);
    } while (find_record(archive, folder + payload->path_name) != nullptr ||
             !made.insert(folder + payload->path_name).second);
    users[payload->path_name] = 1;
    table.empty_records.push_back(folder + payload->path_name);
  }
  return changed;
}

void retarget_device(const RetargetArguments& arguments, const DoneReport& report) {
  DeviceChange change{parse_device(arguments.to), std::nullopt};
  warn_if_unknown(change.to.type);
  if (arguments.from) change.from = parse_device(*arguments.from);
  std::vector<EditedProgram> edited = open_all_to_edit(arguments.in, arguments.out, arguments.model);
  std::size_t changed = 0;
  std::set<std::string> made;
  for (EditedProgram& each : edited) {
    changed += retarget(each.loaded.program, change);
    for (EditedConfig& table : each.configs)
      changed += retarget_config(*each.file->archive(), change, table, made);
  }
  write_edited(edited, arguments.out);
  report.print([&](schemagen::JsonWriter& json) {
    json.key("device").string(arguments.to).key("from").string_or_null(arguments.from);
    json.key("changed").count(changed);
  });
}

Retyped write_retyped(const RetargetArguments& arguments, const ProgramFile& file, FileFormat format,
                      const DtypeChange& change) {
  LoadOptions loading;
  loading.model = arguments.model;
  LoadedProgram loaded = load_to_write(arguments.in, file, loading, format);
  Retyped done = retarget(loaded.program, change);
  save_program(loaded, output_target(arguments.out), {&file});
  return done;
}

void retarget_dtype(const RetargetArguments& arguments, const DoneReport& report) {
  const DtypeChange change{*dtype_named(*arguments.dtype), arguments.keep, arguments.keep_unconvertible};
  const std::optional<FileFormat> format =
      require_output(arguments.out, {FileFormat::json, FileFormat::pt2b, FileFormat::archive});
  Retyped done;
  {
    const ProgramFile file = open_input(arguments.in);
    require_source(file, arguments.out);
    if (format == FileFormat::archive) {
      write_parts([&](const ByteSink& sink) { done = retarget_archive(file, change, arguments.model, sink); },
                  arguments.out);
    } else {
      done = write_retyped(arguments, file, format.value_or(FileFormat::json), change);
    }
  }
  if (done.drops_samples) {
    write_diagnostic(shown_path(arguments.in) +
                     ": note: sample inputs were dropped, because they cannot be converted\n");
  }
  if (!done.left.empty()) {
    const std::vector<std::string_view> names(done.left.begin(), done.left.end());
    write_diagnostic(shown_path(arguments.in) +
                     ": note: nodes kept their dtypes: " + schemagen::quoted_list(names) + "\n");
  }
  report.print([&](schemagen::JsonWriter& json) {
    json.key("dtype").string(*arguments.dtype).key("changed").count(done.changed);
    json.key("casts").count(done.casts).key("weights").count(done.weights.size());
    if (!arguments.keep_unconvertible) return;
    json.key("left").begin('[');
    for (const std::string& name : done.left) json.string(name);
    json.end(']');
  });
}

int run(const RetargetArguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.out);
  if (arguments.to.empty() != arguments.dtype.has_value()) {
    throw schemagen::UsageError(arguments.dtype
                                    ? "--device and --dtype cannot be combined; run the command twice"
                                    : "--device DEVICE or --dtype DTYPE is required");
  }
  if (arguments.dtype && arguments.from) throw schemagen::UsageError("--from requires --device");
  if (!arguments.dtype && !arguments.keep.empty()) throw schemagen::UsageError("--keep requires --dtype");
  if (!arguments.dtype && arguments.keep_unconvertible)
    throw schemagen::UsageError("--keep-unconvertible requires --dtype");
  arguments.dtype ? retarget_dtype(arguments, report) : retarget_device(arguments, report);
  return kDone;
}

}  // namespace

void add_retarget_command(Command command) {
  const auto arguments = std::make_shared<RetargetArguments>();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command.add_option("--device", arguments->to, "Target device: cpu, cuda:1, meta, ...").type_name("DEVICE");
  command
      .add_option("--from", arguments->from,
                  "Move only values on this device; without an index, on any device of the type")
      .type_name("DEVICE");
  command.add_option("--dtype", arguments->dtype, "Target dtype of floating-point values")
      .type_name("DTYPE")
      .one_of({"bfloat16", "float16", "float32"});
  command.add_option("--keep", arguments->keep, "Weights, inputs, nodes and modules that keep their dtypes")
      .type_name("NAME,...");
  command.add_flag("--keep-unconvertible", arguments->keep_unconvertible,
                   "Also keep the dtypes of nodes that cannot be converted, and list them");
  add_report_option(command, arguments->json);
  add_model_option(command, arguments->model);
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
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
