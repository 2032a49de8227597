#include <map>
#include <utility>

#include "each_model.h"
#include "pt2/report/reports.h"
#include "pt2/text/literal.h"
#include "schemagen/base/counted.h"

namespace pt2::tool {
namespace {

struct InferArguments : FileArguments {};

std::string comparison_text(const TypeComparison& comparison) {
  std::vector<Row> rows = {{"node", "operator", "result", "part", "recorded", "inferred"}};
  for (const TypeDifference& each : comparison.differences) {
    rows.push_back({printable(each.where), operator_text(each.target), printable(each.value), each.part,
                    printable(each.recorded), printable(each.inferred)});
  }
  std::string text = rows.size() == 1 ? std::string() : table(rows) + "\n";
  text += schemagen::counted(comparison.nodes, "node") + " checked: " +
          (comparison.differences.empty() ? "all types are as inferred"
                                          : schemagen::counted(comparison.differences.size(), "difference")) +
          "\n";
  if (comparison.uninferred.empty()) return text;
  std::map<std::pair<std::string, std::string>, std::vector<std::string_view>> nodes;
  for (const UninferredNode& each : comparison.uninferred) {
    nodes[{operator_text(each.target), printable(each.why)}].push_back(each.where);
  }
  rows = {{"not inferred", "why", "nodes"}};
  for (const auto& [key, names] : nodes)
    rows.push_back({key.first, key.second, schemagen::quoted_list(names)});
  return text + "\n" + schemagen::counted(comparison.uninferred.size(), "node") + " not checked\n" +
         table(rows);
}

int run(const InferArguments& arguments) {
  const OperatorSet operators = operators_of(arguments.operators);
  const auto report = [&](const ProgramFile& file, const LoadOptions& loading) -> ModelReport {
    const LoadedProgram loaded = load_to_read(arguments.in, file, loading);
    const TypeComparison comparison = compare_types(loaded.program, operators);
    return {arguments.json ? comparison_json(comparison) : comparison_text(comparison),
            comparison.differences.empty() ? kDone : kNo};
  };
  return print_each_model(arguments, report);
}

}  // namespace

void add_infer_command(Command command) {
  auto& arguments = add_file_arguments<InferArguments>(command, "FILE");
  command.add_flag("--json", arguments.json, "Print a JSON object");
  add_operators_option(command, arguments.operators);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Computes the dtype, sizes, strides, device and layout of each node's results from the recorded\n"
      "types of its inputs, and prints what differs from the recorded types; a program as torch wrote it\n"
      "has no differences. Strides are those that torch gives on the CPU. Sizes with symbols are compared\n"
      "by value. Lists the nodes of operators without an inference rule, which are not checked. Does not\n"
      "change the file; in Python, pt2.infer(program) corrects the types. The exit code is 1 if a type\n"
      "differs.\n\n"
      "Examples:\n"
      "  pt2 infer model.pt2\n"
      "  pt2 infer edited.json --json | jq '.differences[].node'\n"
      "  pt2 infer model.pt2 --operators my_operators.txt");
}

}  // namespace pt2::tool
