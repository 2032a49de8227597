#include <utility>

#include "output.h"
#include "pt2/archive/several_models.h"
#include "pt2/canonical/canonical.h"
#include "pt2/page/view_page.h"
#include "pt2/report/reports.h"
#include "pt2/report/weights_diff.h"
#include "pt2/weights.h"

namespace pt2::tool {
namespace {

struct DiffArguments : FileArguments {
  std::string b;
  bool weights = false;
};

struct Side {
  ProgramFile file;
  NormalProgram program;
  std::optional<ExportedProgram> original;  // pages show the file's names and order
};

Side load(const std::string& file, const OperatorSet& operators, const DiffArguments& arguments) {
  try {
    ProgramFile opened = open_input(file);
    LoadedProgram loaded = load_to_read(file, opened, arguments.loading);
    require_whole_unions(loaded, "compared");
    std::optional<ExportedProgram> original;
    if (!arguments.out.empty()) original = loaded.program;
    NormalProgram program = normalize(std::move(loaded.program), operators);
    return {std::move(opened), std::move(program), std::move(original)};
  } catch (const SeveralModels&) {
    throw;
  } catch (const schemagen::DataError& error) {
    throw schemagen::DataError(shown_path(file) + ": " + error.what());
  }
}

void write_page(const Side& a, const Side& b, const std::vector<Difference>& differences,
                const OperatorSet& operators, const DiffArguments& arguments) {
  const auto shown = [&](const std::string& file, const Side& side) {
    return PageProgram{title_of(file), &*side.original, diagram_of(*side.original, operators), {}};
  };
  write_bytes(diff_page(shown(arguments.in, a), shown(arguments.b, b), differences), arguments.out);
}

int run(const DiffArguments& arguments) {
  if (!arguments.out.empty()) require_pages();
  if (!arguments.out.empty() && arguments.json) {
    throw schemagen::UsageError("--json and -o cannot be combined");
  }
  if (arguments.in == "-" && arguments.b == "-") {
    throw schemagen::UsageError("A and B cannot both be standard input");
  }
  for (const std::string& in : {arguments.in, arguments.b}) require_other_file(in, arguments.out);
  const OperatorSet operators = operators_of(arguments.operators);
  const Side a = load(arguments.in, operators, arguments);
  const Side b = load(arguments.b, operators, arguments);
  std::vector<Difference> differences = diff_programs(a.program, b.program);
  if (arguments.weights) {
    for (Difference& difference : diff_weights(with_parts(load_weights(a.file, arguments.loading.model)),
                                               with_parts(load_weights(b.file, arguments.loading.model)))) {
      differences.push_back(std::move(difference));
    }
  }
  if (!arguments.out.empty()) {
    write_page(a, b, differences, operators, arguments);
  } else if (arguments.json) {
    write_output(differences_json(differences) + "\n");
  } else {
    write_text(difference_text(differences, output_colours()), output_colours());
  }
  return differences.empty() ? kDone : kNo;
}

}  // namespace

void add_diff_command(Command command) {
  auto& arguments = add_arguments<DiffArguments>(command);
  add_program_argument(command, "A", arguments.in);
  add_program_argument(command, "B", arguments.b);
  add_output_option(command, arguments.out,
                    "Write an HTML page, OUT.html, that shows both graphs with colored differences");
  command.add_flag("--json", arguments.json, "Print a JSON object");
  command.add_flag("--weights", arguments.weights, "Also compare weights and constants, by name");
  add_operators_option(command, arguments.operators);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Compares both programs in normal form (see pt2 canonicalize --help). Lines from A begin with -,\n"
      "lines from B with +, in the format of pt2 show; a line that is the same in both is printed once.\n"
      "Values keep the names from their files; symbols are renumbered (s0, u0):\n"
      "  nodes\n"
      "  - add: f32[3] = aten.add.Tensor(x, 1)\n"
      "  + add_7: f32[3] = aten.add.Tensor(x, 2)\n"
      "      (argument \"other\")\n"
      "The exit code is 1 if the programs differ.\n\n"
      "Examples:\n"
      "  pt2 diff old.pt2 new.pt2\n"
      "  pt2 diff old.pt2 new.pt2 -o diff.html\n"
      "  pt2 diff old.pt2 new.pt2 --json | jq '.differences[].part'");
}

}  // namespace pt2::tool
