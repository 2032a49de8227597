#include "cpp/generate.h"

#include "command.h"
#include "text/characters.h"
#include "text/quoting.h"

namespace generator {
namespace {

struct GenerateArguments {
  OutputArguments output;
  std::vector<std::string> only;
  std::string python_module;
};

std::string check_module(const std::string& text) {
  if (is_identifier(text) && !is_python_keyword(text)) return {};
  return quoted(text) + " is not the name of a Python module";
}

std::string command_of(const GenerateArguments& arguments) {
  std::string command = "generate";
  for (const std::string& name : arguments.only) command += " --only " + name;
  if (!arguments.python_module.empty()) command += " --python " + arguments.python_module;
  return command;
}

int run(const GenerateArguments& arguments) {
  const OutputArguments& output = arguments.output;
  const std::string command = command_of(arguments);
  const std::optional<Model> model = load_schema(output.schema);
  if (!model) return kBadInput;
  const std::vector<OutputFile> files =
      generate(*model, output.folder, output.name_space, arguments.only, arguments.python_module);
  return deliver(*model, files, output, command);
}

}  // namespace

void add_generate_command(Command command) {
  auto& arguments = command.add_arguments<GenerateArguments>();
  add_output_options(command, arguments.output);
  command
      .add_option("--only", arguments.only,
                  "Write only the given file, e.g. reflection.h; separate several with commas")
      .one_of({std::begin(kTemplateNames), std::end(kTemplateNames)});
  command
      .add_option("--python", arguments.python_module,
                  "Also write python.cpp, a nanobind module with this name and the schema's classes")
      .check(check_module);
  command.footer(
      "Example: schemagen generate schema/pt2.yaml -o generated/pt2\n"
      "Files are written only if their text changes.");
}

}  // namespace generator
