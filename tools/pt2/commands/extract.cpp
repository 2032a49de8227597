#include "output.h"
#include "pt2/graph/signature.h"
#include "pt2/report/reports.h"

namespace pt2::tool {
namespace {

struct ExtractArguments : FileArguments {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

void write_part(ReportWriter& json, const ExportedProgram& part) {
  const ProgramSummary summary = summarize(part);
  json.members(
      "inputs", [&] { write_values(json, summary.user_inputs); }, "outputs",
      [&] { write_values(json, summary.user_outputs); }, "nodes", summary.nodes);
  json.list("weights", part.graph_module.signature.input_specs, [&](const InputSpec& spec) {
    const std::string* const target = parts_of(spec).target;
    if (target != nullptr) json.string(*target);
  });
}

void run(const ExtractArguments& arguments) {
  if (arguments.outputs.empty()) throw schemagen::UsageError("--outputs NAME,... is required");
  const OperatorSet operators = operators_of(arguments.operators);
  const Edit edit(arguments);
  const ExportedProgram part =
      extract_file(edit.source, arguments.inputs, arguments.outputs, operators, edit.target);
  print_report(arguments, [&](ReportWriter& json) { write_part(json, part); });
}

}  // namespace

void add_extract_command(Command command) {
  auto& arguments = add_edit_arguments<ExtractArguments>(command);
  command.add_option("--inputs NAME,...", arguments.inputs, "Inputs of the part, in order");
  command.add_option("--outputs NAME,...", arguments.outputs, "Outputs of the part, in order");
  add_report_option(command, arguments.json);
  add_operators_option(command, arguments.operators);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "The part consists of the nodes between its inputs and outputs, with the parameters, buffers,\n"
      "constants and ranges that they need. Use the names that 'pt2 show' prints.\n\n"
      "Examples:\n"
      "  pt2 extract model.pt2 -o head.pt2 --inputs x --outputs relu\n"
      "  pt2 extract model.pt2 -o tail.pt2 --inputs relu --outputs add");
}

}  // namespace pt2::tool
