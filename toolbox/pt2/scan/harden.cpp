#include "pt2/scan/harden.h"

#include <set>

#include "pt2/archive/archive.h"
#include "pt2/archive/archive_writer.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/tensors/model_writer.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/edit/inner_tensors.h"
#include "pt2/edit/passes.h"
#include "pt2/edit/port_calls.h"
#include "pt2/program.h"
#include "pt2/scan/pickled_file.h"
#include "pt2/scan/record_roles.h"
#include "pt2/scan/scan.h"
#include "pt2/scan/validated_file.h"
#include "pt2/text/affix.h"
#include "pt2/verify/check.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

[[noreturn]] void refuse(const std::string& place, const Finding& finding, const char* why) {
  const std::string path =
      finding.path.empty() ? "" : schemagen::shortened(schemagen::printable(finding.path)) + ": ";
  throw DataError(place + ": " + path + schemagen::printable(finding.message) + " [" +
                  rule_of(finding.rule).id + "]; " + why);
}

/// require_harmless() scans only the finished output.
void require_no_code(const ExportedProgram& program, const ArchivedModel& model) {
  const std::string place = "zip member " + schemagen::quoted(model.member);
  for (const Finding& finding : find_code(program)) {
    if (finding.severity == Severity::error) refuse(place, finding, "removing it would change the model");
  }
}

class Hardening {
 public:
  Hardening(const ProgramFile& source, const HardenOptions& options, const ByteSink& out)
      : source_(source),
        archive_(*source.archive()),
        options_(options),
        out_(out, archive_.container == Container::old_zip ? "archive" : archive_.top_folder) {}

  void add_model(const ArchivedModel& model) {
    LoadOptions loading;
    loading.model = model.name;
    loading.upgrading = Upgrading::older_minors;  // torch cannot load all programs of older minors
    LoadedProgram loaded = load_program(source_, loading);
    require_no_code(loaded.program, model);
    note_old_calls(port_calls(loaded), model);
    drop_calls_without_results(loaded.program);
    std::vector<Weight> weights =
        weights_of(archive_, model.name, loaded.program.graph_module.signature, source_.limits());
    append_constants(weights, loaded.constants, "");
    weights = take_apart(loaded.program, std::move(weights));
    write_model(out_, model.name, loaded.program, weights, sample_inputs_of(model));
    written_.emplace(record_name(archive_, *archive_.zip.find(model.member)));
    written_.merge(payload_records(archive_, model.name, source_.limits()));
  }

  void add_extra() {
    if (!options_.keep_extra) return;
    for (const ZipMember& member : archive_.zip.members()) {
      const std::string_view record = record_name(archive_, member);
      const std::string name = name_in_copy(archive_, member);
      if (role_of(record) != RecordRole::extra || name.empty()) continue;
      out_.copy(archive_.zip, member, name);
      written_.emplace(record);
    }
  }

  std::vector<LeftOut> finish() {
    out_.finish();
    for (const ZipMember& member : archive_.zip.members()) {
      const std::string_view record = record_name(archive_, member);
      if (record.empty() && !ends_with(member.name, "/")) {
        left_out_.push_back({std::string(member.name), "it is outside the archive's top-level folder"});
      } else if (!ends_with(member.name, "/") && written_.count(record) == 0 &&
                 role_of(record) != RecordRole::layout) {
        left_out_.push_back({std::string(record), why_left_out(record)});
      }
    }
    return std::move(left_out_);
  }

 private:
  ArchiveLayout layout() const {
    return archive_.container == Container::old_zip ? ArchiveLayout::old_zip : ArchiveLayout::pt2_archive;
  }
  RecordRole role_of(std::string_view record) const { return role_by_name(layout(), record); }

  std::string sample_inputs_of(const ArchivedModel& model) {
    const ZipMember* const member = find_sample_inputs(archive_, model);
    if (member == nullptr || member->size == 0) return "";
    const std::string record(record_name(archive_, *member));
    written_.insert(record);
    std::string file;
    try {
      PickledTensors inputs(archive_.zip, *member, source_.limits());
      write_torch_file(inputs, source_.limits(), [&](std::string_view part) { file += part; });
      require_plain_sample_inputs(file, source_.limits());
    } catch (const DataError& error) {
      left_out_.push_back({record, error.what()});
      file.clear();
    }
    return file;
  }

  void note_old_calls(const std::vector<CallChange>& calls, const ArchivedModel& model) {
    std::string why;
    for (const CallChange& call : calls) {
      if (!call.is_done) why += (why.empty() ? "" : "; ") + call.path + ": " + call.what;
    }
    if (why.empty()) return;
    left_out_.push_back({std::string(record_name(archive_, *archive_.zip.find(model.member))),
                         schemagen::shortened(std::move(why)), true});
  }

  std::string why_left_out(std::string_view record) const {
    const ZipMember* const member = find_record(archive_, record);
    if (member != nullptr && member->size == 0) return "it is empty";
    switch (role_of(record)) {
      case RecordRole::extra:
        return "it is an extra file; --keep-extra keeps extra files";
      case RecordRole::compiled:
        return "it is part of a compiled model";
      default:
        return "it belongs to no model in the output";
    }
  }

  const ProgramFile& source_;
  const Archive& archive_;
  const HardenOptions& options_;
  ArchiveWriter out_;
  std::set<std::string, std::less<>> written_;
  std::vector<LeftOut> left_out_;
};

void require_no_compiled_model(const Archive& archive) {
  if (archive.container == Container::old_zip) return;
  for (const ZipMember& member : archive.zip.members()) {
    const std::string_view record = record_name(archive, member);
    if (role_by_name(ArchiveLayout::pt2_archive, record) != RecordRole::compiled) continue;
    throw DataError("record " + schemagen::quoted(record) +
                    ": torch would run this part of a compiled model; drop it with --drop-native");
  }
}

}  // namespace

std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options) {
  if (source.archive() == nullptr) throw schemagen::UsageError("expected an archive");
  const Archive& archive = *source.archive();
  if (!options.drop_native) require_no_compiled_model(archive);
  if (archive.models.empty()) find_model(archive);  // throws
  Hardening hardening(source, options, out);
  if (options.model) {
    hardening.add_model(find_model(archive, options.model));
  } else {
    for (const ArchivedModel& model : archive.models) hardening.add_model(model);
  }
  hardening.add_extra();
  return hardening.finish();
}

void require_harmless(std::string_view archive, const schemagen::Limits& limits) {
  const auto record = [](const std::string& name) { return "record " + schemagen::quoted(name); };
  for (const Finding& finding : scan_file(archive, limits)) {
    if (finding.severity != Severity::note)
      refuse(record(finding.record), finding, "removing it would change the model");
  }
  const ValidatedFile file = validate_file(
      FileBytes::borrowed(archive), {}, schemagen::UnknownFields::skip_empty, RecordChecksums::skip, limits);
  for (const Unreadable& unread : file.unreadable) {
    refuse(record(unread.finding.record), unread.finding, "torch would reject or misread the model");
  }
  for (const GoodProgram& program : file.programs) {
    for (const auto* const findings : {&program.findings, &program.record_findings}) {
      for (const Finding& finding : *findings) {
        if (finding.severity == Severity::error)
          refuse(record(program.record), finding, "torch would reject or misread the model");
      }
    }
  }
}

}  // namespace pt2
