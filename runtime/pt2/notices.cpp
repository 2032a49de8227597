#include "pt2/notices.h"

#include "pt2/archive/tensors/payloads.h"
#include "pt2/schema_info.h"
#include "pt2/versions/version.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// Null if unknown fields can be written back.
const char* why_not_kept(const ProgramFile& in, FileFormat out) {
  const bool is_of_binary = in.binary_file() != nullptr;
  if (is_of_binary == (out == FileFormat::pt2b)) return nullptr;
  return is_of_binary ? "JSON needs its name, which is also unknown; .pt2b preserves it"
                      : ".pt2b needs its field id, which is also unknown; .json and .pt2 preserve it";
}

[[noreturn]] void refuse_unknown(const SchemaVersion& version, const char* why, const std::string& path,
                                 const schemagen::Place& place) {
  std::string reason = std::string("unknown field: ") + why;
  if (support_for(version) == VersionSupport::newer_minor) {
    reason += "; " + newer_text(version) + ": use a newer release";
  }
  throw schemagen::DataError(reason, path, place);
}

/// `options` may skip some.
LoadedProgram load_without_unknown(const ProgramFile& file, const LoadOptions& options, const char* why) {
  LoadedProgram loaded;
  try {
    loaded = load_program(file, options);
  } catch (const schemagen::DataError& error) {
    LoadOptions keeping = options;
    keeping.newer_fields = schemagen::UnknownFields::keep;
    const LoadedProgram unknown = load_program(file, keeping);  // throws if anything else is wrong
    if (unknown.unknown_fields.empty()) throw;
    refuse_unknown(writer_of(unknown), why, error.path(), error.place());
  }
  if (loaded.unknown_fields.empty()) return loaded;
  refuse_unknown(writer_of(loaded), why, path_text(loaded.unknown_fields.front()), {});
}

}  // namespace

std::string newer_text(const SchemaVersion& written_by) {
  return "written with schema " + version_text(written_by) + ", read with schema " +
         version_text({kSchemaMajor, kSchemaMinor});
}

std::vector<std::string> skipped_notices(const std::vector<schemagen::SkippedField>& skipped,
                                         const SchemaVersion& written_by) {
  std::vector<std::string> notices;
  for (const schemagen::SkippedField& field : skipped) {
    const std::string where = schemagen::place_text(field.place);
    notices.push_back("warning: " + schemagen::shortened(schemagen::printable(field.path)) + ": skipped; " +
                      newer_text(written_by) + (where.empty() ? "" : " " + where));
  }
  return notices;
}

void notify_about(const ProgramFile& file, const LoadedProgram& loaded, const NoticeSink& notify) {
  for (const std::string& notice : skipped_notices(loaded.skipped, writer_of(loaded))) notify(notice);
  if (file.archive() == nullptr) return;
  const std::string why =
      why_unfinished(*file.archive(), loaded.source.model, loaded.program.graph_module.signature);
  if (!why.empty()) notify("warning: " + why);
}

LoadedProgram load_to_read(const ProgramFile& file, LoadOptions options, const NoticeSink& notify) {
  options.newer_fields = schemagen::UnknownFields::skip;
  LoadedProgram loaded = load_program(file, options);
  notify_about(file, loaded, notify);
  return loaded;
}

std::optional<LoadedProgram> load_only_model(const ProgramFile& file, const LoadOptions& options,
                                             const NoticeSink& notify) {
  const Archive* const archive = file.archive();
  if (archive != nullptr && archive->models.size() != 1 && !options.model) return std::nullopt;
  return load_to_read(file, options, notify);
}

LoadedProgram load_to_write(const ProgramFile& file, LoadOptions options, FileFormat out,
                            const NoticeSink& notify, const char* why_refused) {
  if (why_refused == nullptr) why_refused = why_not_kept(file, out);
  options.newer_fields =
      why_refused == nullptr ? schemagen::UnknownFields::keep : schemagen::UnknownFields::skip_empty;
  LoadedProgram loaded =
      why_refused != nullptr ? load_without_unknown(file, options, why_refused) : load_program(file, options);
  notify_about(file, loaded, notify);
  if (out != FileFormat::archive) require_no_constants(loaded);
  return loaded;
}

}  // namespace pt2
