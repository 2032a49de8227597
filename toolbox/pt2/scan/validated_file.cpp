#include "pt2/scan/validated_file.h"

#include "pt2/archive/contents.h"
#include "pt2/scan/file_findings.h"
#include "pt2/scan/verify_records.h"
#include "pt2/stats/stats.h"

namespace pt2 {
namespace {

void validate_program(ValidatedFile& result, const ProgramFile& file, const ArchivedModel* archived,
                      const OperatorSet& operators, schemagen::UnknownFields newer_fields) {
  const Archive* const archive = file.archive();
  LoadOptions options;
  options.newer_fields = newer_fields;
  std::string record;
  if (archived != nullptr) {
    options.model = archived->name;
    record = record_name(*archive, *archive->zip.find(archived->member));
  }
  try {
    LoadedProgram loaded = load_program(file, options);
    std::vector<Finding> findings = verify_with_weights(loaded, &file, operators);
    std::vector<Finding> record_findings;
    if (archive != nullptr) record_findings = verify_records(*archive, loaded.source.model);
    result.programs.push_back({options.model, std::move(record), loaded.program.schema_version,
                               loaded.upgraded_from, count_nodes(loaded.program.graph_module.graph),
                               std::move(loaded.skipped), writer_of(loaded), std::move(findings),
                               std::move(record_findings)});
  } catch (const schemagen::DataError& error) {
    result.unreadable.push_back({std::move(options.model), unreadable(error, std::move(record))});
  }
}

}  // namespace

Finding unreadable(const schemagen::DataError& error, std::string record) {
  return {RuleId::unreadable, Severity::error, error.path(), error.reason(), std::move(record), "",
          error.place()};
}

ValidatedFile validate_file(FileBytes bytes, const OperatorSet& operators,
                            schemagen::UnknownFields newer_fields, RecordChecksums checksums,
                            const schemagen::Limits& limits) {
  ValidatedFile result;
  try {
    FileOptions options;
    options.limits = limits;
    const ProgramFile file(std::move(bytes), options);
    const Archive* const archive = file.archive();
    if (archive != nullptr) result.compiled = compiled_package_text(*archive);
    if (!result.compiled.empty()) return result;
    if (archive == nullptr || archive->models.empty()) {
      validate_program(result, file, nullptr, operators, newer_fields);
    } else {
      for (const ArchivedModel& model : archive->models) {
        validate_program(result, file, &model, operators, newer_fields);
      }
      if (checksums == RecordChecksums::compare && !result.programs.empty()) {
        for (Finding& finding : verify_checksums(*archive)) {
          result.programs.front().findings.push_back(std::move(finding));
        }
      }
    }
  } catch (const schemagen::DataError& error) {
    result.unreadable.push_back({std::nullopt, unreadable(error)});
  }
  return result;
}

}  // namespace pt2
