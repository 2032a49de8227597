#include <memory>

#include "command.h"
#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/edit/weight_files.h"

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
  attach_file({file, arguments.model, notice_printer(arguments.in)}, arguments.weights,
              output_target(arguments.out, FileFormat::archive));
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
