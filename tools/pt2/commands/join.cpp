#include "pt2/edit/join.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "command.h"
#include "input.h"
#include "output.h"
#include "pt2/edit/matching_weights.h"
#include "pt2/graph/signature.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct JoinArguments {
  std::string a;
  std::string b;
  std::string out;
  std::vector<std::string> connect;
  bool json = false;
};

Connection connection_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) {
    throw schemagen::UsageError("--connect: expected OUTPUT=INPUT, got " + schemagen::quoted(text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<NamedTensor> joined_tensors(const ProgramFile& a, const ProgramFile& b,
                                        const JoinedProgram& joined) {
  std::vector<Weight> stored = load_weights(a);
  for (Weight& weight : load_weights(b)) {
    const auto renamed =
        std::find_if(joined.renamed.begin(), joined.renamed.end(),
                     [&](const NameChange& change) { return change.old_name == weight.name; });
    if (renamed != joined.renamed.end()) weight.name = renamed->new_name;
    stored.push_back(std::move(weight));
  }
  return tensors_of(matching_weights(joined.program, stored, {}));
}

int run(const JoinArguments& arguments) {
  const DoneReport report(arguments.json, arguments.a, arguments.out);
  const std::optional<FileFormat> format =
      require_output(arguments.out, {FileFormat::json, FileFormat::pt2b, FileFormat::archive});
  const ProgramFile first = open_input(arguments.a);
  const ProgramFile second = open_input(arguments.b);
  for (const ProgramFile* const file : {&first, &second}) require_source(*file, arguments.out);
  const ExportedProgram a =
      load_to_write(arguments.a, first, {}, FileFormat::json, "pt2 does not know how to join it").program;
  const ExportedProgram b =
      load_to_write(arguments.b, second, {}, FileFormat::json, "pt2 does not know how to join it").program;
  std::vector<Connection> connections;
  for (const std::string& text : arguments.connect) connections.push_back(connection_of(text));
  if (arguments.connect.empty()) connections = connections_in_order(a, b);
  const JoinedProgram joined = join(a, b, connections);
  SaveOptions options;
  std::vector<NamedTensor> tensors;
  if (format == FileFormat::archive) {
    tensors = joined_tensors(first, second, joined);
    options.tensors = &tensors;
  }
  save_program(joined.program, output_target(arguments.out), options);
  report.print([&](schemagen::JsonWriter& json) {
    json.key("renamed").begin('{');
    for (const NameChange& change : joined.renamed) json.key(change.old_name).string(change.new_name);
    json.end('}');
  });
  return kDone;
}

}  // namespace

void add_join_command(Command command) {
  const auto arguments = std::make_shared<JoinArguments>();
  add_program_argument(command, "A", arguments->a);
  add_program_argument(command, "B", arguments->b);
  add_output_option(command, arguments->out, "Output file: .json, .pt2b, or .pt2 if A and B are archives");
  command
      .add_option("--connect", arguments->connect,
                  "Connect an output of A to an input of B (default: all, in order)")
      .type_name("OUTPUT=INPUT,...");
  add_report_option(command, arguments->json);
  command.footer(
      "Writes a program that runs A, then B on A's outputs. Weights of B with the same names as weights\n"
      "of A are renamed; --json prints the new names. Sample inputs are dropped.\n\n"
      "Examples:\n"
      "  pt2 join encoder.pt2 decoder.pt2 -o model.pt2\n"
      "  pt2 join a.json b.json -o both.json --connect relu=x");
  set_action(command, nullptr, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
