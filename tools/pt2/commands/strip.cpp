#include "output.h"
#include "pt2/edit/weight_files.h"

namespace pt2::tool {
namespace {

struct StripArguments : FileArguments {
  std::string weights;
};

void run(const StripArguments& arguments) {
  if (arguments.out.empty()) throw schemagen::UsageError("-o OUT is required");
  require_other_file(arguments.in, arguments.out);
  if (!arguments.weights.empty()) {
    require_no_folder(arguments.weights);
    require_tensor_file(arguments.weights);
    require_other_file(arguments.in, arguments.weights, "--weights");
  }
  const ProgramFile file = open_input(arguments.in);
  strip_file({file, arguments.loading.model, notice_printer(arguments.in)},
             output_target(arguments.out, FileFormat::archive), arguments.weights, notice_printer("pt2"));
}

}  // namespace

void add_strip_command(Command command) {
  auto& arguments = add_file_arguments<StripArguments>(command, "IN");
  add_output_option(command, arguments.out, "Archive to write; - for standard output");
  command.add_option("--weights FILE", arguments.weights, "Write the tensors to OUT.safetensors or OUT.npz");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Tensor records become empty; all others are copied byte for byte. pt2 reports the same about the\n"
      "program, but torch loads zeros instead of the weights. Convert pickled weights (torch up to 2.8)\n"
      "with pt2 convert first.\n\n"
      "Examples:\n"
      "  pt2 strip model.pt2 -o program.pt2 --weights model.safetensors\n"
      "  pt2 attach program.pt2 model.safetensors -o model.pt2");
}

}  // namespace pt2::tool
