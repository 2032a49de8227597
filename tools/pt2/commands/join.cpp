#include "output.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct JoinArguments : FileArguments {
  std::string b;
  std::vector<std::string> connect;
};

Connection connection_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) {
    throw schemagen::UsageError("--connect: expected OUTPUT=INPUT, got " + schemagen::quoted(text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void run(const JoinArguments& arguments) {
  const Edit edit(arguments);
  const ProgramFile second = open_input(arguments.b);
  std::optional<std::vector<Connection>> connections;
  if (!arguments.connect.empty()) connections.emplace();
  for (const std::string& text : arguments.connect) connections->push_back(connection_of(text));
  const JoinedProgram joined =
      join_files(edit.source, {second, std::nullopt, notice_printer(arguments.b)}, connections, edit.target);
  print_report(arguments,
               [&](ReportWriter& json) { json.members("renamed", [&] { json.map(joined.renamed); }); });
}

}  // namespace

void add_join_command(Command command) {
  auto& arguments = add_arguments<JoinArguments>(command);
  add_program_argument(command, "A", arguments.in);
  add_program_argument(command, "B", arguments.b);
  add_output_option(command, arguments.out, "Output file: .json, .pt2b, or .pt2 if A and B are archives");
  command.add_option("--connect OUTPUT=INPUT,...", arguments.connect,
                     "Connect an output of A to an input of B (default: all, in order)");
  add_report_option(command, arguments.json);
  command.footer(
      "Writes a program that runs A, then B on A's outputs. Weights of B with the same names as weights\n"
      "of A are renamed; --json prints the new names. Sample inputs are dropped.\n\n"
      "Examples:\n"
      "  pt2 join encoder.pt2 decoder.pt2 -o model.pt2\n"
      "  pt2 join a.json b.json -o both.json --connect relu=x");
}

}  // namespace pt2::tool
