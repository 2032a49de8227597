#include "pt2/edit/edited_models.h"

#include <algorithm>
#include <utility>

#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/port_calls.h"
#include "pt2/json.h"
#include "pt2/operators/operators.h"
#include "pt2/stats/stats.h"
#include "pt2/text/literal.h"
#include "pt2/upgrade/upgrade.h"
#include "pt2/versions/version.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

void notify_of_call(const CallChange& call, const std::string& level, const NoticeSink& notify) {
  notify((call.is_done ? "note" : level) + ": " + schemagen::shortened(schemagen::printable(call.path)) +
         ": " + schemagen::printable(call.what));
}

void notify_of_missing_operators(const ExportedProgram& program, const std::string& release,
                                 const NoticeSink& notify) {
  for (const OperatorUse& use : operator_report(program, supported_by_torch(release))) {
    const bool is_gone =
        find_operator(use.target) != nullptr && find_operator(use.target, release) == nullptr;
    if (!is_gone) continue;
    notify("warning: torch " + release + " lacks the operator " + schemagen::printable(use.target) + ": it " +
           use.missing);
  }
}

void port(LoadedProgram& loaded, const NoticeSink& notify) {
  const std::string from = release_of(loaded.program, loaded.upgraded_from);
  const std::string to(operator_releases().schemas);
  if (!is_earlier_release(from, to)) return;
  for (CallChange& call : port_calls(loaded.program, from, to)) {
    if (call.is_done) {
      const SchemaVersion step = loaded.upgraded_from.value_or(loaded.program.schema_version);
      loaded.changes.push_back({step, std::move(call.path), std::move(call.what)});
    } else {
      notify_of_call(call, "warning", notify);
    }
  }
  notify_of_missing_operators(loaded.program, to, notify);
}

/// Old zips could only pickle constants, so these need a PT2 archive. torch never wrote several programs
/// then: DataError.
bool is_moved(const std::vector<LoadedProgram>& programs) {
  for (const LoadedProgram& program : programs) {
    if (program.constants.empty()) continue;
    if (programs.size() == 1) return true;
    throw schemagen::DataError("the model " + schemagen::quoted(program.source.model) +
                               " contains constants and must be upgraded separately; choose it with --model");
  }
  return false;
}

void write_upgraded(const ProgramFile& file, const std::vector<LoadedProgram>& programs,
                    const UpgradedFile& upgraded, const SaveTarget& target) {
  if (upgraded.is_moved || target.format() != FileFormat::archive)
    return save_program(programs.front(), target, {&file});
  const Archive& archive = *file.archive();
  std::vector<NewMember> members = upgraded.members;
  for (const LoadedProgram& program : programs) {
    members.push_back(
        {find_model(archive, program.source.model).member, schemagen::to_json(program.program)});
  }
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

void write_archive_for(const SchemaVersion& to, const FileSource& source,
                       const std::vector<EditedModel>& edited, std::vector<std::string> documents,
                       const SaveTarget& target) {
  const schemagen::Limits& limits = source.file.limits();
  const std::optional<std::string>& chosen = edited.front().model;
  const Archive archive = chosen && edited.size() == 1 ? only_model(*source.file.archive(), *chosen, limits)
                                                       : *source.file.archive();
  if (archive.container == Container::pt2_archive && !has_pt2_archives(to)) {
    return target.write([&](const ByteSink& sink) {
      write_old_zip(archive, documents.front(), version_text(to), sink, limits);
    });
  }
  if (!edited.front().configs.empty() && !has_raw_weights(to)) {
    const std::string& name = find_model(archive, chosen).name;
    return target.write(
        [&](const ByteSink& sink) { write_pickled_archive(archive, name, documents.front(), sink, limits); });
  }
  std::vector<NewMember> members = version_members(archive, to);
  for (std::size_t i = 0; i < edited.size(); ++i)
    members.push_back({find_model(archive, edited[i].model).member, std::move(documents[i])});
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

/// Older torch lacks these conditions on inputs.
constexpr std::string_view kGuards = "ExportedProgram.guards_code";

void notify_of_lost(const DowngradedDocument& document, const SchemaVersion& to, const NoticeSink& notify) {
  for (const UnsupportedValue& value : document.unsupported) {
    notify("error: " + printable(value.path) + ": " + printable(value.what) + " in " + version_text(to));
  }
  for (const DroppedField& field : document.dropped) {
    if (!document.unsupported.empty()) break;
    notify((field.name == kGuards ? "warning: " : "note: ") + schemagen::counted(field.count, "value") +
           " of " + field.name + " dropped: schema " + version_text(to) + " lacks the field" +
           (field.name == kGuards ? ", so torch will not check the inputs of calls" : ""));
  }
}

}  // namespace

UpgradedFile upgrade_file(const FileSource& source, const SaveTarget* target, bool report_changes) {
  const Archive* const archive = source.file.archive();
  FileFormat format = archive != nullptr ? FileFormat::archive : FileFormat::json;
  if (target != nullptr) format = require_target(source.file, *target);
  LoadOptions options;
  options.upgrading = Upgrading::all;
  options.upgrade.report_changes = report_changes;
  std::vector<std::optional<std::string>> models = {source.model};
  if (format == FileFormat::archive) models = models_of(source.file, source.model);
  std::vector<LoadedProgram> programs;
  UpgradedFile upgraded;
  for (const std::optional<std::string>& model : models) {
    options.model = model;
    LoadedProgram& loaded =
        programs.emplace_back(load_to_write(source.file, options, FileFormat::json, source.notify));
    port(loaded, source.notify);
    for (const UpgradeChange& change : loaded.changes)
      upgraded.changes.push_back({loaded.source.model, change});
  }
  upgraded.programs = programs.size();
  upgraded.is_moved = is_moved(programs);
  if (format == FileFormat::archive && !upgraded.is_moved)
    upgraded.members = version_members(*archive, programs.front().program.schema_version);
  if (target != nullptr) write_upgraded(source.file, programs, upgraded, *target);
  return upgraded;
}

std::string downgrade_program(ExportedProgram& program, const ReleaseTarget& to,
                              std::vector<std::string>& refused, const NoticeSink& notify) {
  const std::size_t before = refused.size();
  const std::string release = to.release();
  for (const CallChange& call : port_calls(program, release_of(program), release)) {
    notify_of_call(call, "error", notify);
    if (!call.is_done) refused.push_back(call.path + ": " + call.what);
  }
  DowngradedDocument document =
      downgrade_document(schemagen::JsonDocument(schemagen::to_json(program), {}), to.schema);
  notify_of_lost(document, to.schema, notify);
  for (const UnsupportedValue& value : document.unsupported)
    refused.push_back(value.path + ": " + value.what + " in " + version_text(to.schema));
  if (refused.size() == before) notify_of_missing_operators(program, release, notify);
  return std::move(document.text);
}

std::vector<std::string> downgrade_file(const FileSource& source, const ReleaseTarget& to,
                                        const SaveTarget& target) {
  if (target.format() == FileFormat::pt2b) require_current_major(to);
  const char* const why = "older schemas also lack it";
  std::vector<EditedModel> edited;
  if (!has_raw_weights(to.schema)) {
    edited.push_back(model_to_edit(source, target, why));
  } else {
    edited = models_to_edit(source, target, why);
  }
  std::vector<std::string> refused;
  std::vector<std::string> documents;
  for (EditedModel& each : edited) {
    const std::string where = edited.size() > 1 ? "model " + string_literal(*each.model) + ": " : "";
    const NoticeSink notify = [&](const std::string& notice) { source.notify(where + notice); };
    documents.push_back(downgrade_program(each.loaded.program, to, refused, notify));
  }
  if (!refused.empty()) return refused;
  if (target.format() == FileFormat::archive) {
    write_archive_for(to.schema, source, edited, std::move(documents), target);
  } else {
    const std::string bytes =
        target.format() == FileFormat::json
            ? std::move(documents.front())
            : to_pt2b(schemagen::from_json<ExportedProgram>(documents.front()), default_binary_options());
    target.write([&](const ByteSink& sink) { sink(bytes); });
  }
  return refused;
}

void require_none_refused(const std::vector<std::string>& refused) {
  std::string text;
  for (const std::string& each : refused) text += (text.empty() ? "" : "; ") + each;
  if (!text.empty()) throw schemagen::DataError(text);
}

}  // namespace pt2
