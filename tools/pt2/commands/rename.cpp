#include <algorithm>

#include "output.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

struct RenameArguments : FileArguments {
  std::vector<std::string> changes;
};

NameChange parse_change(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != text.npos) return {text.substr(0, equals), text.substr(equals + 1)};
  throw schemagen::UsageError("expected OLD=NEW, got " + schemagen::quoted(text));
}

void run(const RenameArguments& arguments) {
  std::vector<NameChange> changes;
  for (const std::string& text : arguments.changes) changes.push_back(parse_change(text));
  const Edit edit(arguments);
  const std::vector<NameChange> of_weights = rename_file(edit.source, changes, edit.target);
  print_report(arguments, [&](ReportWriter& json) {
    json.list("renamed", changes, [&](const NameChange& change) {
      const auto is_it = [&](const NameChange& other) { return other.old_name == change.old_name; };
      json.object("old", change.old_name, "new", change.new_name, "is_weight",
                  std::any_of(of_weights.begin(), of_weights.end(), is_it));
    });
  });
}

}  // namespace

void add_rename_command(Command command) {
  auto& arguments = add_edit_arguments<RenameArguments>(command);
  command.add_option("CHANGE OLD=NEW", arguments.changes, "Old and new name; any number of pairs").required();
  add_report_option(command, arguments.json);
  add_model_option(command, arguments.loading.model);
  command.footer(
      "OLD is the name of a value, such as an input or output of the graph, or the name of a parameter,\n"
      "buffer or constant in the model, such as layer.weight. It changes everywhere, including the\n"
      "archive's weights configs, except in metadata and guards, which describe the model's source. All\n"
      "changes are made at once, so you can swap two names.\n\n"
      "Examples:\n"
      "  pt2 rename model.pt2 -o renamed.pt2 x=image add_3=scores\n"
      "  pt2 rename model.pt2 -o renamed.pt2 fc.weight=classifier.weight");
}

}  // namespace pt2::tool
