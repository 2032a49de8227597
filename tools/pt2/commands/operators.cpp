#include <algorithm>

#include "each_model.h"
#include "pt2/report/reports.h"
#include "pt2/text/join.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "text/message.h"

namespace pt2::tool {
namespace {

constexpr const char* kCoreAten = "core-aten";

struct OperatorsArguments : FileArguments {
  std::optional<std::string> torch;
  std::optional<std::string> backend;
};

AskedOperators asked_of(const OperatorsArguments& arguments) {
  if (arguments.torch) return {"torch " + *arguments.torch, supported_by_torch(*arguments.torch), false};
  if (!arguments.backend) return {};
  require_one_input({arguments.in, *arguments.backend});
  if (*arguments.backend == kCoreAten) return {"Core ATen", supported_by_core_aten(), true};
  const auto read = [](std::string_view text, const std::string& name) {
    OperatorSupport support = supported_by_list(text, name);
    for (const auto& [line, message] : unknown_names(text, name))
      write_diagnostic(name + ":" + std::to_string(line) + ": warning: " + message + "\n");
    return support;
  };
  return {shown_path(*arguments.backend), read_beside(*arguments.backend, read), true};
}

std::string dtypes_text(const std::vector<ScalarType>& dtypes) {
  return join_texts(dtypes, ", ", dtype_text);
}

std::string dtypes_text(const OperatorUse& use) {
  std::string text;
  for (const OperatorDtypes& each : use.dtypes) {
    if (each.arguments.empty() && each.results.empty() && use.dtypes.size() == 1) break;
    text += (text.empty() ? "" : "; ") + dtypes_text(each.arguments) + (each.arguments.empty() ? "" : " ") +
            "->" + (each.results.empty() ? "" : " ") + dtypes_text(each.results);
    if (use.dtypes.size() > 1) text += " (" + grouped(each.nodes) + ")";
  }
  return text;
}

std::string names_or_dash(const std::vector<std::string>& names) {
  return names.empty() ? "-" : generator::joined(names, ", ");
}

std::string decompositions_text(const std::vector<OperatorUse>& uses, const AskedOperators& asked) {
  std::vector<Row> rows = {{"missing", "may still be missing", "decomposes to, depending on the arguments"}};
  for (const OperatorUse& use : uses) {
    if (use.missing.empty() || !use.decomposes_to) continue;
    rows.push_back({operator_text(use.target), names_or_dash(asked.still_missing(use)),
                    names_or_dash(operator_texts(*use.decomposes_to))});
  }
  if (rows.size() == 1) return {};
  // run_decompositions() also decomposes operators that the backend has.
  const bool is_done = std::all_of(uses.begin(), uses.end(),
                                   [&](const OperatorUse& use) { return asked.still_missing(use).empty(); });
  return "\nrun_decompositions() of torch " + std::string(operator_releases().schemas) +
         (is_done ? " leaves no operator that " + asked.name + " lacks\n" : " replaces these\n") +
         table(rows);
}

std::string report_text(const std::vector<OperatorUse>& uses, const AskedOperators& asked,
                        std::size_t missing) {
  std::vector<Row> rows = {{"operator", "nodes", "dtypes"}};
  std::vector<Row> missing_rows = {{"missing", "why", "nodes"}};
  for (const OperatorUse& use : uses) {
    rows.push_back({operator_text(use.target), grouped(use.nodes), dtypes_text(use)});
    if (use.missing.empty()) continue;
    missing_rows.push_back({operator_text(use.target), use.missing,
                            schemagen::quoted_list({use.missing_nodes.begin(), use.missing_nodes.end()})});
  }
  std::string text = table(rows);
  if (asked.name.empty()) return text;
  text += "\n" + asked.name + " lacks " + std::to_string(missing) + " of " +
          schemagen::counted(uses.size(), "operator") + "\n";
  if (missing == 0) return text;
  text += table(missing_rows);
  return asked.is_backend ? text + decompositions_text(uses, asked) : text;
}

int run(const OperatorsArguments& arguments) {
  const AskedOperators asked = asked_of(arguments);
  const auto report = [&](const ProgramFile& file, const LoadOptions& loading) -> ModelReport {
    const LoadedProgram loaded = load_to_read(arguments.in, file, loading);
    const std::vector<OperatorUse> uses = operator_report(loaded.program, asked.support);
    const auto missing = static_cast<std::size_t>(
        std::count_if(uses.begin(), uses.end(), [](const OperatorUse& use) { return !use.missing.empty(); }));
    return {arguments.json ? operators_json(uses, asked) : report_text(uses, asked, missing),
            missing == 0 ? kDone : kNo};
  };
  return print_each_model(arguments, report);
}

}  // namespace

void add_operators_command(Command command) {
  auto& arguments = add_file_arguments<OperatorsArguments>(command, "FILE");
  const auto torch = command.add_option("--torch RELEASE", arguments.torch,
                                        "List the operators that a torch release, such as 2.6, lacks");
  command
      .add_option("--backend NAMES|core-aten", arguments.backend,
                  "List the operators that are not in Core ATen, or not in a file of names")
      .excludes(torch);
  command.add_flag("--json", arguments.json, "Print a JSON object");
  add_model_option(command, arguments.loading.model);
  command.footer(
      "Prints the dtypes of tensor arguments and results for each operator. A file of names has one name\n"
      "per line: aten.add.Tensor, or aten.add for all overloads; # starts a comment. Core ATen consists\n"
      "of all operators that torch tags as core. For missing operators, prints the results of torch's\n"
      "run_decompositions() as observed on the CPU. --torch also compares argument names. The exit code\n"
      "is 1 if an operator is missing.\n\n"
      "Examples:\n"
      "  pt2 operators model.pt2\n"
      "  pt2 operators model.pt2 --torch 2.6\n"
      "  pt2 operators model.pt2 --backend core-aten\n"
      "  pt2 operators model.pt2 --backend names.txt --json | jq '.operators[] | select(.missing) | .name'");
}

}  // namespace pt2::tool
