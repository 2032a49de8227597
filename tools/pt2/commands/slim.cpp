#include "output.h"
#include "pt2/report/columns.h"

namespace pt2::tool {
namespace {

struct SlimArguments : FileArguments {
  std::vector<std::string> drop;
  SlimOptions slimming;
};

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  for (const SlimPart part : kSlimParts) names.emplace_back(name_of(part));
  return names;
}

void run(const SlimArguments& arguments) {
  SlimOptions options = arguments.slimming;
  for (const std::string& name : arguments.drop) options.parts.push_back(slim_part_named(name));
  if (options.parts.empty() && !options.reproducible) {
    throw schemagen::UsageError("--drop PART,... or --reproducible is required");
  }
  const Edit edit(arguments);
  const std::vector<SlimSaving> savings = slim_file(edit.source, options, edit.target);
  print_report(arguments, [&](ReportWriter& json) { json.members("saved", [&] { json.map(savings); }); });
  std::vector<Row> rows;
  for (const SlimSaving& saving : savings) {
    rows.push_back({std::string(name_of(saving.part)), grouped(saving.bytes, "byte")});
  }
  if (!arguments.json && arguments.out != "-") write_text(table(rows));
}

}  // namespace

void add_slim_command(Command command) {
  auto& arguments = add_edit_arguments<SlimArguments>(command);
  command.add_option("--drop PART,...", arguments.drop, "Parts to drop, separated by commas")
      .one_of(part_names());
  command.add_flag("--reproducible", arguments.slimming.reproducible,
                   "Write equal bytes for equal content, regardless of its order in the file");
  add_report_option(command, arguments.json);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "stack-traces  source lines of nodes\n"
      "metadata      all metadata of nodes, including stack traces; torch.export.unflatten needs it\n"
      "samples       sample inputs: example_inputs becomes None\n"
      "unused        unused parameters, buffers and constants, with their bytes\n"
      "names         names of values, nodes and symbols, which become _0, _1, ...; inputs keep their "
      "keywords\n"
      "Prints how many bytes each dropped part saves, before compression. Without --model, slims all\n"
      "models of an archive and copies the rest. Convert pickled weights (torch up to 2.8) with pt2 convert\n"
      "first.\n\n"
      "Examples:\n"
      "  pt2 slim model.pt2 -o small.pt2 --drop stack-traces,samples,unused\n"
      "  pt2 slim model.pt2 -o same.pt2 --reproducible");
}

}  // namespace pt2::tool
