#include "pt2/upgrade/upgrade.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "call_changes.h"
#include "command.h"
#include "console.h"
#include "edited_program.h"
#include "output.h"
#include "output_format.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/port_calls.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/text/literal.h"
#include "pt2/upgrade/release_target.h"
#include "pt2/versions/version.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"

namespace pt2::tool {
namespace {

struct DowngradeArguments {
  std::string in;
  std::string out;
  std::string to;
  std::optional<std::string> model;
};

/// PT2 archives; raw weights instead of pickles.
constexpr std::int32_t kFirstOfArchives = 8;
constexpr std::int32_t kFirstOfRawWeights = 14;

void write_archive_for(const SchemaVersion& to, const std::vector<EditedProgram>& edited,
                       std::vector<std::string> documents, const std::string& out) {
  const ProgramFile& file = *edited.front().file;
  const schemagen::Limits& limits = file.limits();
  const std::optional<std::string>& chosen = edited.front().model;
  const Archive archive =
      chosen && edited.size() == 1 ? only_model(*file.archive(), *chosen, limits) : *file.archive();
  if (archive.container == Container::pt2_archive && to.minor < kFirstOfArchives) {
    return write_parts(
        [&](const ByteSink& sink) {
          write_old_zip(archive, documents.front(), version_text(to), sink, limits);
        },
        out);
  }
  if (!edited.front().configs.empty() && to.minor < kFirstOfRawWeights) {
    const std::string& name = find_model(archive, chosen).name;
    return write_parts(
        [&](const ByteSink& sink) { write_pickled_archive(archive, name, documents.front(), sink, limits); },
        out);
  }
  std::vector<NewMember> members = version_members(archive, to);
  for (std::size_t i = 0; i < edited.size(); ++i)
    members.push_back({find_model(archive, edited[i].model).member, std::move(documents[i])});
  write_archive(archive, members, out);
}

/// Older torch lacks these conditions on inputs.
constexpr std::string_view kGuards = "ExportedProgram.guards_code";

bool report(const std::string& file, const DowngradedDocument& document, const SchemaVersion& to) {
  std::string text;
  for (const UnsupportedValue& value : document.unsupported) {
    text += file + ": error: " + printable(value.path) + ": " + printable(value.what) + " in " +
            version_text(to) + "\n";
  }
  for (const DroppedField& field : document.dropped) {
    if (!document.unsupported.empty()) break;
    text += file + (field.name == kGuards ? ": warning: " : ": note: ") +
            schemagen::counted(field.count, "value") + " of " + field.name + " dropped: schema " +
            version_text(to) + " lacks the field" +
            (field.name == kGuards ? ", so torch will not check the inputs of calls" : "") + "\n";
  }
  write_diagnostic(text);
  return document.unsupported.empty();
}

std::string releases_text() {
  std::string text;
  for (const Release& release : first_releases()) {
    text += (text.empty() ? "" : ", ") + version_text(release.schema) +
            (text.empty() ? " is the schema of torch 2." : " of 2.") + std::to_string(release.torch_minor);
  }
  return text;
}

bool are_done(const std::vector<CallChange>& calls) {
  return std::all_of(calls.begin(), calls.end(), [](const CallChange& call) { return call.is_done; });
}

/// Prints what is lost. Returns nullopt if the release cannot express the program.
std::optional<std::string> downgraded(ExportedProgram& program, const std::string& name,
                                      const ReleaseTarget& target) {
  const std::string release = target.release();
  const std::vector<CallChange> calls = port_calls(program, release_of(program), release);
  write_diagnostic(call_lines(name, calls, "error"));
  const std::string json = schemagen::to_json(program);
  DowngradedDocument document = downgrade_document(schemagen::JsonDocument(json, {}), target.schema);
  if (!report(name, document, target.schema) || !are_done(calls)) return std::nullopt;
  write_diagnostic(missing_operators(name, program, release));
  return std::move(document.text);
}

int run(const DowngradeArguments& arguments) {
  if (arguments.to.empty()) throw schemagen::UsageError("--to 8.N or --to torch-2.N is required");
  const ReleaseTarget target = parse_release_target(arguments.to);
  const SchemaVersion& to = target.schema;
  const char* const why = "older schemas also lack it";
  std::vector<EditedProgram> edited;
  if (to.minor < kFirstOfRawWeights) {
    edited.push_back(open_to_edit(arguments.in, arguments.out, arguments.model, why));
  } else {
    edited = open_all_to_edit(arguments.in, arguments.out, arguments.model, why);
  }
  std::vector<std::string> documents;
  bool is_done = true;
  for (EditedProgram& each : edited) {
    std::string name = shown_path(arguments.in);
    if (edited.size() > 1) name += ": model " + string_literal(*each.model);
    const std::optional<std::string> document = downgraded(each.loaded.program, name, target);
    is_done = is_done && document;
    if (document) documents.push_back(*document);
  }
  if (!is_done) return kBadInput;
  if (edited.front().is_archive) {
    write_archive_for(to, edited, std::move(documents), arguments.out);
  } else if (format_of_name(arguments.out) == FileFormat::pt2b) {
    write_bytes(to_pt2b(schemagen::from_json<ExportedProgram>(documents.front()), default_binary_options()),
                arguments.out);
  } else {
    write_bytes(documents.front(), arguments.out);
  }
  return kDone;
}

}  // namespace

void add_downgrade_command(Command command) {
  const auto arguments = std::make_shared<DowngradeArguments>();
  add_program_argument(command, "IN", arguments->in);
  add_output_option(command, arguments->out, kEditedOutput);
  command.add_option("--to", arguments->to, "Target schema version, 8.2 or later, or target torch release")
      .type_name("8.N|torch-2.N");
  add_model_option(command, arguments->model);
  command.footer(
      releases_text() +
      ".\n"
      "Values that the older schema cannot express are dropped if they are empty or only hints, such as\n"
      "the names of nodes; otherwise they are errors, and nothing is written. Arguments that the older\n"
      "torch lacks are dropped if they have their default values; otherwise they are errors.\n"
      "Missing operators cause a warning. Functions that the older torch cannot load, such as those that\n"
      "vmap leaves behind, are errors. Archives are written in the layout that the older torch reads,\n"
      "with their weights.\n\n"
      "Examples:\n"
      "  pt2 downgrade model.json -o older.json --to 8.8\n"
      "  pt2 downgrade model.pt2 -o older.pt2 --to torch-2.9");
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
