// schemagen generate
#include <cctype>
#include <iostream>
#include <memory>
#include <vector>

#include "command.h"
#include "generate.h"
#include "output.h"
#include "templates.h"

namespace schemagen {
namespace {

struct Arguments {
  std::string schema;
  std::string folder;
  std::string name_space;
  std::string depfile;
  std::vector<std::string> only;
  bool check = false;
  bool list_outputs = false;
};

int check(const std::vector<OutputFile>& files, const Arguments& arguments) {
  const std::vector<std::string> findings = check_outputs(files);
  for (const std::string& finding : findings) std::cerr << finding << "\n";
  if (findings.empty()) return kDone;
  std::cerr << "hint: run `schemagen generate " << arguments.schema << " -o " << arguments.folder
            << (arguments.name_space.empty() ? "" : " --namespace " + arguments.name_space);
  for (const std::string& name : arguments.only) std::cerr << " --only " << name;
  std::cerr << "`\n";
  return kNo;
}

int run(const Arguments& arguments) {
  const std::optional<Model> model = load_schema(arguments.schema);
  if (!model) return kBadInput;
  const std::string name_space = arguments.name_space.empty() ? model->name : arguments.name_space;
  const std::vector<OutputFile> files = generate(*model, arguments.folder, name_space, arguments.only);
  if (arguments.list_outputs) {
    for (const OutputFile& file : files) std::cout << file.path << "\n";
    return kDone;
  }
  if (arguments.check) return check(files, arguments);
  write_outputs(files);
  if (!arguments.depfile.empty()) write_outputs({{arguments.depfile, depfile(files, arguments.schema)}});
  return kDone;
}

/// Accepts `a` and `a::b`.
std::string check_namespace(const std::string& text) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto is_word = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::size_t at = 0;
  while (at < text.size() && !is_digit(text[at]) && is_word(text[at])) {
    while (at < text.size() && is_word(text[at])) ++at;
    if (at == text.size()) return {};
    if (text.compare(at, 2, "::") != 0) break;
    at += 2;
  }
  return "'" + text + "' is not a C++ namespace";
}

}  // namespace

void add_generate_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* const command = app.add_subcommand("generate", "Write the C++ files of a schema");
  command->add_option("SCHEMA", arguments->schema, "The schema, or - for stdin")->required();
  command->add_option("-o", arguments->folder, "Folder to write to; made if it is not there")->required();
  command->add_option("--namespace", arguments->name_space, "C++ namespace (default: the schema's name)")
      ->check(check_namespace);
  CLI::Option* const check_flag =
      command->add_flag("--check", arguments->check,
                        "Write nothing; exit with 1 if a file is missing, stale or edited by hand");
  command
      ->add_option("--only", arguments->only, "Only this file, e.g. reflection.h; can be given several times")
      ->expected(1)
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kTemplateNames), std::end(kTemplateNames))));
  command->add_option("--depfile", arguments->depfile, "Also write a Make rule that names what was read");
  command->add_flag("--list-outputs", arguments->list_outputs, "Write nothing; print the files' paths")
      ->excludes(check_flag);
  command->footer(
      "Example: schemagen generate schema/pt2.yaml -o generated/pt2\n"
      "Files are written only if their text changes.");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace schemagen
