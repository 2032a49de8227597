#include "pt2/archive/tensors/weights.h"

#include "each_model.h"
#include "output.h"
#include "pt2/edit/weight_files.h"
#include "pt2/report/columns.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/literal.h"
#include "pt2/text/type_names.h"
#include "pt2/weights.h"

namespace pt2::tool {
namespace {

struct WeightsArguments : FileArguments {
  std::vector<std::string> names;
};

void write_tensor(ReportWriter& json, const Tensor* tensor) {
  if (tensor == nullptr) {
    for (const char* const key : {"dtype", "device", "shape", "stride", "offset", "bytes"})
      json.key(key).null();
    return;
  }
  const TensorLayout& layout = tensor->layout;
  json.members("dtype", torch_name(layout.dtype), "device", device_text(tensor->device), "shape",
               layout.shape, "stride", layout.strides, "offset", layout.offset, "bytes",
               extent_of(layout).bytes);
}

std::string list_json(const std::vector<Weight>& weights) {
  ReportWriter json;
  json.list(weights, [&](const Weight& weight) {
    json.begin('{');
    json.members("name", weight.name, "kind", name_of(weight.kind), "persistent", weight.persistent);
    write_tensor(json, weight.tensor ? &*weight.tensor : nullptr);
    json.members("record", weight.record, "pickled", weight.pickled);
    if (!weight.class_name.empty()) {
      json.members("class", weight.class_name);
      json.list("parts", weight.parts, [&](const NamedTensor& part) {
        json.object("name", part.name, [&] { write_tensor(json, &part.tensor); });
      });
    }
    json.end('}');
  });
  return json.text();
}

std::string list_text(std::vector<Weight> weights) {
  std::vector<Row> rows;
  std::uint64_t bytes = 0;
  const std::size_t entries = weights.size();
  for (const Weight& weight : with_parts(std::move(weights))) {
    std::string kind(name_of(weight.kind));
    if (weight.kind == WeightKind::buffer && !weight.persistent) kind = "non-persistent buffer";
    Row row = {printable(weight.name), kind, printable(weight.class_name), "", printable(weight.record)};
    if (weight.tensor) {
      const Tensor& tensor = *weight.tensor;
      const std::uint64_t size = extent_of(tensor.layout).bytes;
      bytes += size;
      row[2] = tensor_type_text(meta_of(tensor));
      row[3] = grouped(size, "byte");
      if (!is_contiguous(tensor.layout)) row.push_back("strided");
      if (tensor.is_absent() && !tensor.is_on_meta()) row.push_back("bytes not in the archive");
    }
    if (weight.pickled) row.push_back("pickled");
    rows.push_back(std::move(row));
  }
  return table(rows) + std::to_string(entries) + (entries == 1 ? " entry, " : " entries, ") +
         grouped(bytes, "byte") + "\n";
}

int run(const WeightsArguments& arguments) {
  const NoticeSink notify = notice_printer(arguments.in);
  if (arguments.out.empty()) {
    const auto report = [&](const ProgramFile& file, const LoadOptions& loading) -> ModelReport {
      std::vector<Weight> weights = load_named_weights({file, loading.model, notify}, arguments.names);
      return {arguments.json ? list_json(weights) : list_text(std::move(weights))};
    };
    return print_each_model(arguments, report);
  }
  require_no_folder(arguments.out);
  require_tensor_file(arguments.out);
  if (arguments.json) throw schemagen::UsageError("--json and -o cannot be combined");
  const ProgramFile file = open_input(arguments.in);
  export_weights({file, arguments.loading.model, notify}, arguments.names, arguments.out,
                 notice_printer("pt2"));
  return kDone;
}

}  // namespace

void add_weights_command(Command command) {
  auto& arguments = add_file_arguments<WeightsArguments>(command, "FILE");
  command.add_option("NAME", arguments.names, "Names of tensors, such as layer.weight (default: all)")
      .type_name("");
  command.add_flag("--json", arguments.json, "Print a JSON array");
  add_output_option(command, arguments.out, "Write the tensors to OUT.safetensors or OUT.npz");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Lists weights, then constants, in archive order. Each tensor has a record, an offset, and strides\n"
      "in elements; tensors can share a record. In output files, tensors are separate and in row-major\n"
      "order. NumPy lacks bfloat16 and float8: in .npz these are arrays of void elements (|V2, |V1);\n"
      "convert them with .view().\n\n"
      "Examples:\n"
      "  pt2 weights model.pt2\n"
      "  pt2 weights model.pt2 --json | jq '.[].name'\n"
      "  pt2 weights model.pt2 -o model.safetensors\n"
      "  pt2 weights model.pt2 l1.weight l1.bias -o l1.npz");
}

}  // namespace pt2::tool
