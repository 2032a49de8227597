// `pt2 rename`: new names for values, parameters and buffers.
#include "pt2/edit/programs.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "command.h"
#include "edited_program.h"
#include "output.h"
#include "pt2/edit/graph.h"
#include "pt2/versions/graph/signature.h"
#include "pt2/versions/graph/walk.h"
#include "report.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2::tool {
namespace {

struct Arguments {
  std::string in;
  std::string out;
  std::optional<std::string> model;
  std::vector<std::string> changes;
  bool json = false;
};

NameChange parse_change(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != text.npos) return {text.substr(0, equals), text.substr(equals + 1)};
  throw schemagen::UsageError("expected OLD=NEW, not " + schemagen::quoted(text));
}

bool is_in_program(const ExportedProgram& program, const std::string& name) {
  bool found = false;
  for_each_graph(program.graph_module.graph, [&](const Graph& graph) {
    for_each_defined_name(graph, [&](const std::string& defined) { found = found || defined == name; });
  });
  const GraphSignature& signature = program.graph_module.signature;
  const auto look = [&](const auto& parts) {
    found = found || (parts.target != nullptr && *parts.target == name);
  };
  for (const InputSpec& spec : signature.input_specs) look(parts_of(spec));
  for (const OutputSpec& spec : signature.output_specs) look(parts_of(spec));
  return found;
}

/// Takes out of `changes` those of names that only the archive has: further names of a tensor that modules
/// share, of which programs have one.
std::vector<NameChange> take_aliases(const EditedProgram& edited, std::vector<NameChange>& changes) {
  const auto is_alias = [&](const NameChange& change) {
    const auto has = [&](const EditedConfig& table) { return table.config.config.contains(change.old_name); };
    return std::any_of(edited.configs.begin(), edited.configs.end(), has) &&
           !is_in_program(edited.program, change.old_name);
  };
  const auto first = std::stable_partition(changes.begin(), changes.end(), std::not_fn(is_alias));
  std::vector<NameChange> aliases(first, changes.end());
  changes.erase(first, changes.end());
  return aliases;
}

void rename_weights(EditedProgram& edited, const std::vector<NameChange>& changes) {
  if (changes.empty() || !edited.is_archive) return;
  if (edited.configs.empty()) {
    throw schemagen::UsageError(
        "the weights of this archive are named in a pickle; "
        "write it with 'pt2 convert' first, or the program alone, as .json or .pt2b");
  }
  for (EditedConfig& table : edited.configs) {
    schemagen::Map<PayloadMeta> renamed;
    for (auto& [name, payload] : table.config.config) {
      std::string new_name = name;
      for (const NameChange& change : changes) {
        if (change.old_name == name) new_name = change.new_name;
      }
      if (!renamed.insert(new_name, std::move(payload)).second) {
        throw schemagen::UsageError("cannot rename: the name " + schemagen::quoted(new_name) + " is taken");
      }
    }
    table.config.config = std::move(renamed);
  }
}

int run(const Arguments& arguments) {
  const DoneReport report(arguments.json, arguments.in, arguments.out);
  std::vector<NameChange> changes;
  for (const std::string& text : arguments.changes) changes.push_back(parse_change(text));
  EditedProgram edited = open_to_edit(arguments.in, arguments.out, arguments.model);
  std::vector<NameChange> of_weights = take_aliases(edited, changes);
  for (const NameChange& change : rename(edited.program, changes)) of_weights.push_back(change);
  rename_weights(edited, of_weights);
  write_edited(edited, arguments.out);
  // "renamed": [{"old", "new", "is_weight": whether the model calls a parameter, buffer or constant so}]
  report.print([&](JsonBuilder& json) {
    json.key("renamed").begin('[');
    for (const std::string& text : arguments.changes) {
      const NameChange change = parse_change(text);
      const auto is_it = [&](const NameChange& other) { return other.old_name == change.old_name; };
      json.begin('{').key("old").string(change.old_name).key("new").string(change.new_name);
      json.key("is_weight").boolean(std::any_of(of_weights.begin(), of_weights.end(), is_it)).end('}');
    }
    json.end(']');
  });
  return kDone;
}

}  // namespace

void add_rename_command(CommandLine& line) {
  const auto arguments = std::make_shared<Arguments>();
  Command command = line.add_subcommand("rename", "Give values, parameters and buffers new names");
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command.add_option("CHANGE", arguments->changes, "A name and its new name; any number of them")
      .type_name("OLD=NEW")
      .required();
  add_report_option(command, arguments->json);
  add_model_option(command, arguments->model);
  command.footer(
      "A name is that of a value, such as an input or output of the graph, or what the model calls a "
      "parameter, buffer\n"
      "or constant, such as layer.weight. It is changed at all of its places, the table of weights of an "
      "archive included,\n"
      "but not in metadata and guards, which are about the model's source. All changes are made at once: two "
      "names can\n"
      "be swapped.\n\n"
      "Examples:\n"
      "  pt2 rename model.pt2 -o renamed.pt2 x=image add_3=scores\n"
      "  pt2 rename model.pt2 -o renamed.pt2 fc.weight=classifier.weight");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
