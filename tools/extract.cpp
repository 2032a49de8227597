// `pt2 extract`: a part of a program as a program of its own.
#include "pt2/edit/extract.h"

#include <memory>
#include <utility>

#include "command.h"
#include "edited_program.h"
#include "output.h"
#include "pt2/graph/export_signature.h"
#include "report.h"
#include "schemagen/value/error.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::string in;
  std::string out;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::optional<std::string> model;
};

/// Leaves only what the part reads in the tables of weights.
void drop_other_weights(EditedProgram& edited) {
  const ExportGraphSignature signature(edited.program.graph_module.signature);
  for (EditedConfig& table : edited.configs) {
    schemagen::Map<PayloadMeta> kept;
    for (auto& [name, payload] : table.config.config) {
      if (signature.input_of_target(name) != nullptr) kept.insert(name, std::move(payload));
    }
    table.config.config = std::move(kept);
  }
}

/// Empties the sample inputs, which are those of the whole: torch reads none from that.
void drop_sample_inputs(EditedProgram& edited) {
  if (!edited.is_archive) return;
  const Archive& archive = *edited.file.archive();
  const std::string old_zip = "serialized_example_inputs.pt";
  const ZipMember* const member =
      archive.container == Container::old_zip
          ? archive.zip.find(old_zip)
          : find_record(archive, "data/sample_inputs/" + find_model(archive, edited.model).name + ".pt");
  if (member != nullptr) edited.members.push_back({std::string(member->name), ""});
}

int run(const Arguments& arguments) {
  if (arguments.outputs.empty()) throw schemagen::UsageError("--outputs NAME,... is required");
  EditedProgram edited = open_to_edit(arguments.in, arguments.out, arguments.model);
  edited.program = extract(edited.program, arguments.inputs, arguments.outputs);
  drop_other_weights(edited);
  drop_sample_inputs(edited);
  write_edited(edited, arguments.out);
  return kDone;
}

}  // namespace

void add_extract_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const command =
      app.add_subcommand("extract", "Write a part of a program as a program of its own");
  add_program_argument(*command, "IN", arguments->in);
  add_output_option(*command, arguments->out, kEditedOutput);
  command->add_option("--inputs", arguments->inputs, "The values that the part is given, in this order")
      ->type_name("NAME,...")
      ->delimiter(',');
  command->add_option("--outputs", arguments->outputs, "The values that it gives, in this order")
      ->type_name("NAME,...")
      ->delimiter(',');
  add_model_option(*command, arguments->model);
  command->footer(
      "The part has the nodes that its outputs need, from its inputs on, with the parameters, buffers, "
      "constants and\n"
      "ranges that they need. Values are named as 'pt2 show' prints them.\n\n"
      "Examples:\n"
      "  pt2 extract model.pt2 -o head.pt2 --inputs x --outputs relu\n"
      "  pt2 extract model.pt2 -o tail.pt2 --inputs relu --outputs add");
  set_action(*command, exit_code, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
