#include <memory>

#include "command.h"
#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/archive/file.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/weight_files.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"

namespace pt2::tool {
namespace {

struct AttachArguments {
  std::string in;
  std::string weights;
  std::string out;
  std::optional<std::string> model;
};

int run(const AttachArguments& arguments) {
  require_output(arguments.out, {FileFormat::archive});
  const ProgramFile file = open_input(arguments.in);
  const FileBytes bytes = read_file(arguments.weights);
  const std::vector<Weight> weights = load_weights(file, arguments.model);
  std::vector<NamedTensor> tensors;
  try {
    tensors = read_tensor_file(arguments.weights, bytes, tensors_of(with_parts(weights)));
  } catch (const schemagen::DataError& error) {
    throw FileError(shown_path(arguments.weights) + ": " + error.what());
  }
  output_target(arguments.out, FileFormat::archive).write([&](const ByteSink& sink) {
    write_attached(*file.archive(), weights, tensors, sink);
  });
  return kDone;
}

}  // namespace

void add_attach_command(Command command) {
  const auto arguments = std::make_shared<AttachArguments>();
  add_program_argument(command, "IN", arguments->in);
  command.add_option("WEIGHTS", arguments->weights, "File of tensors, .safetensors or .npz")
      .required()
      .type_name("");
  add_output_option(command, arguments->out, "Archive to write, FILE.pt2, or - for standard output");
  add_model_option(command, arguments->model);
  command.footer(
      "Tensors are matched by name, dtype and shape; any mismatch is an error. The archive's strides and\n"
      "shared storages are preserved. In .npz, bfloat16 and float8 are arrays of void elements (|V2,\n"
      "|V1).\n\n"
      "Examples:\n"
      "  pt2 attach program.pt2 model.safetensors -o model.pt2");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
