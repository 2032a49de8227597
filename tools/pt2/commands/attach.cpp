#include "output.h"
#include "pt2/edit/weight_files.h"

namespace pt2::tool {
namespace {

struct AttachArguments : FileArguments {
  std::string weights;
};

void run(const AttachArguments& arguments) {
  require_output(arguments.out, {FileFormat::archive});
  const ProgramFile file = open_input(arguments.in);
  attach_file({file, arguments.loading.model, notice_printer(arguments.in)}, arguments.weights,
              output_target(arguments.out, FileFormat::archive));
}

}  // namespace

void add_attach_command(Command command) {
  auto& arguments = add_file_arguments<AttachArguments>(command, "IN");
  command.add_option("WEIGHTS", arguments.weights, "File of tensors, .safetensors or .npz")
      .required()
      .type_name("");
  add_output_option(command, arguments.out, "Archive to write, FILE.pt2, or - for standard output");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Tensors are matched by name, dtype and shape; any mismatch is an error. The archive's strides and\n"
      "shared storages are preserved. In .npz, bfloat16 and float8 are arrays of void elements (|V2,\n"
      "|V1).\n\n"
      "Examples:\n"
      "  pt2 attach program.pt2 model.safetensors -o model.pt2");
}

}  // namespace pt2::tool
