#include <algorithm>
#include <memory>

#include "command.h"
#include "console.h"
#include "input.h"
#include "output.h"
#include "pt2/edit/file_operations.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct RenameArguments {
  std::string in;
  std::string out;
  std::optional<std::string> model;
  std::vector<std::string> changes;
  bool json = false;
};

NameChange parse_change(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != text.npos) return {text.substr(0, equals), text.substr(equals + 1)};
  throw schemagen::UsageError("expected OLD=NEW, got " + schemagen::quoted(text));
}

int run(const RenameArguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.out);
  std::vector<NameChange> changes;
  for (const std::string& text : arguments.changes) changes.push_back(parse_change(text));
  require_edited_output(arguments.out);
  const ProgramFile file = open_input(arguments.in);
  const std::vector<NameChange> of_weights = rename_file(
      {file, arguments.model, notice_printer(arguments.in)}, changes, output_target(arguments.out));
  report.print([&](schemagen::JsonWriter& json) {
    json.key("renamed").begin('[');
    for (const NameChange& change : changes) {
      const auto is_it = [&](const NameChange& other) { return other.old_name == change.old_name; };
      json.begin('{').key("old").string(change.old_name).key("new").string(change.new_name);
      json.key("is_weight").boolean(std::any_of(of_weights.begin(), of_weights.end(), is_it)).end('}');
    }
    json.end(']');
  });
  return kDone;
}

}  // namespace

void add_rename_command(Command command) {
  const auto arguments = std::make_shared<RenameArguments>();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command.add_option("CHANGE", arguments->changes, "Old and new name; any number of pairs")
      .type_name("OLD=NEW")
      .required();
  add_report_option(command, arguments->json);
  add_model_option(command, arguments->model);
  command.footer(
      "OLD is the name of a value, such as an input or output of the graph, or the name of a parameter,\n"
      "buffer or constant in the model, such as layer.weight. It changes everywhere, including the\n"
      "archive's weights configs, except in metadata and guards, which describe the model's source. All\n"
      "changes are made at once, so you can swap two names.\n\n"
      "Examples:\n"
      "  pt2 rename model.pt2 -o renamed.pt2 x=image add_3=scores\n"
      "  pt2 rename model.pt2 -o renamed.pt2 fc.weight=classifier.weight");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
