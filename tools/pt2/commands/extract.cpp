#include <memory>

#include "command.h"
#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/edit/file_operations.h"
#include "pt2/graph/signature.h"
#include "pt2/report/reports.h"
#include "pt2/stats/stats.h"
#include "schemagen/base/error.h"

namespace pt2::tool {
namespace {

struct ExtractArguments {
  std::string in;
  std::string out;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::optional<std::string> operators;
  std::optional<std::string> model;
  bool json = false;
};

void write_part(schemagen::JsonWriter& json, const ExportedProgram& part) {
  const ProgramSummary summary = summarize(part);
  json.key("inputs");
  write_values(json, summary.user_inputs);
  json.key("outputs");
  write_values(json, summary.user_outputs);
  json.key("nodes").count(summary.nodes).key("weights").begin('[');
  for (const InputSpec& spec : part.graph_module.signature.input_specs) {
    const std::string* const target = parts_of(spec).target;
    if (target != nullptr) json.string(*target);
  }
  json.end(']');
}

int run(const ExtractArguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.out);
  if (arguments.outputs.empty()) throw schemagen::UsageError("--outputs NAME,... is required");
  const OperatorSet operators = operators_of(arguments.operators);
  require_edited_output(arguments.out);
  const ProgramFile file = open_input(arguments.in);
  const ExportedProgram part =
      extract_file({file, arguments.model, notice_printer(arguments.in)}, arguments.inputs, arguments.outputs,
                   operators, output_target(arguments.out));
  report.print([&](schemagen::JsonWriter& json) { write_part(json, part); });
  return kDone;
}

}  // namespace

void add_extract_command(Command command) {
  const auto arguments = std::make_shared<ExtractArguments>();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command.add_option("--inputs", arguments->inputs, "Inputs of the part, in order").type_name("NAME,...");
  command.add_option("--outputs", arguments->outputs, "Outputs of the part, in order").type_name("NAME,...");
  add_report_option(command, arguments->json);
  add_operators_option(command, arguments->operators);
  add_model_option(command, arguments->model);
  command.footer(
      "The part consists of the nodes between its inputs and outputs, with the parameters, buffers,\n"
      "constants and ranges that they need. Use the names that 'pt2 show' prints.\n\n"
      "Examples:\n"
      "  pt2 extract model.pt2 -o head.pt2 --inputs x --outputs relu\n"
      "  pt2 extract model.pt2 -o tail.pt2 --inputs relu --outputs add");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
