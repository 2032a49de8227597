#include "pt2/harden.h"

#include <map>

#include "pt2/archive/archive_rewrite.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/torch_file.h"
#include "pt2/scan/scan.h"
#include "pt2/tensors/payloads.h"
#include "pt2/tensors/raw_layout.h"
#include "pt2/text/affix.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

/// What a record is there for.
enum class Role { archive, program, weights, pickled_weights, object, sample_inputs, aotinductor, other };

Role role_in_old_zip(std::string_view record) {
  if (record == record::kOldProgram) return Role::program;
  if (starts_with(record, record::kOldStateDict) || starts_with(record, record::kOldConstants)) {
    return Role::pickled_weights;
  }
  return starts_with(record, record::kOldInputs) ? Role::sample_inputs : Role::other;
}

Role role_of(const Archive& archive, std::string_view record) {
  if (record.empty()) return Role::archive;
  if (archive.container == Container::old_zip) return role_in_old_zip(record);
  for (const ArchivedModel& model : archive.models) {
    for (const PayloadPart part : kPayloadParts) {
      if (find_pickled_payload(archive, part, model.name) == record) return Role::pickled_weights;
    }
  }
  const std::string_view file = record.substr(record.rfind('/') + 1);
  if (starts_with(record, record::kModels)) return Role::program;
  if (starts_with(record, record::kSampleInputs)) return Role::sample_inputs;
  if (starts_with(record, record::kAotInductor)) return Role::aotinductor;
  if (starts_with(record, record::kConstants) && !starts_with(file, "tensor_") &&
      !ends_with(file, record::kJson)) {
    return Role::object;
  }
  const bool is_weight = starts_with(record, record::kWeights) || starts_with(record, record::kConstants);
  return is_weight ? Role::weights : Role::other;
}

[[noreturn]] void refuse(const ScanFinding& finding, const std::string& why) {
  throw schemagen::DataError("record " + schemagen::quoted(finding.record) + ": " +
                             schemagen::printable(finding.message) + "; " + why);
}

bool is_code(const ScanFinding& finding) {
  const std::string_view rule = finding.rule->id;
  return rule == "NATIVE_CODE" || rule == "SOURCE_CODE";
}

/// What is not to be in the copy, by record.
class Removal {
 public:
  Removal(const Archive& archive, const HardenOptions& options) : archive_(archive), options_(options) {}

  void add(const ScanFinding& finding) {
    const std::string record = finding.record.substr(0, finding.record.find('!'));
    const Role role = role_of(archive_, record);
    switch (role) {
      case Role::archive:  // it is laid out anew
        return;
      case Role::pickled_weights:  // what is wrong otherwise is for their reader to refuse
        if (std::string_view(finding.rule->id) != "PICKLE_GLOBAL") return;
        refuse(finding, "only a pickle can hold what is not a tensor");
      case Role::program:
      case Role::weights:
        refuse(finding, "without it the model would be another one");
      case Role::object:
        refuse(finding, "an object of a custom class can only be kept as a pickle");
      case Role::sample_inputs:
        records_.emplace(record, finding.message);
        return;
      case Role::aotinductor:
      case Role::other:
        break;
    }
    if (is_code(finding) && !options_.drop_native) refuse(finding, "--drop-native leaves code out");
    if (role == Role::aotinductor) has_native_package_ = true;
    records_.emplace(record, finding.message);
  }

  /// What weights_only takes: in programs, constants of torch 2.1.
  void note(const ScanFinding& finding) {
    const std::string record = finding.record.substr(0, finding.record.find('!'));
    if (role_of(archive_, record) == Role::program) has_pickles_in_program_ = true;
  }

  bool has_pickles_in_program() const { return has_pickles_in_program_; }

  /// Sample inputs that name nothing wrong may still be more than weights_only takes.
  void add_unreadable_inputs() {
    for (const ZipMember& member : archive_.zip.members()) {
      const std::string record(record_name(archive_, member));
      if (role_of(archive_, record) != Role::sample_inputs || member.size == 0) continue;
      const MemberBytes content = archive_.zip.read(member);
      try {
        static_cast<void>(open_torch_file(content.view()));
      } catch (const schemagen::DataError& error) {
        records_.emplace(record, error.what());
      }
    }
  }

  bool has(const ZipMember& member) const {
    const std::string record(record_name(archive_, member));
    return records_.count(record) != 0 || (has_native_package_ && starts_with(record, record::kAotInductor));
  }

  std::vector<LeftOut> left_out() const {
    std::vector<LeftOut> all;
    for (const ZipMember& member : archive_.zip.members()) {
      if (!has(member)) continue;
      const std::string record(record_name(archive_, member));
      const auto found = records_.find(record);
      all.push_back({record, found == records_.end() ? "it is a part of a compiled model" : found->second});
    }
    return all;
  }

 private:
  const Archive& archive_;
  const HardenOptions& options_;
  std::map<std::string, std::string> records_;  // and why
  bool has_native_package_ = false;
  bool has_pickles_in_program_ = false;
};

/// torch asks for sample inputs; those without content are none.
std::vector<NewMember> empty_inputs(const Archive& archive) {
  std::vector<NewMember> members;
  for (const ArchivedModel& model : archive.models) {
    const std::string record = record::joined(record::kSampleInputs, model.name, record::kPickle);
    if (find_record(archive, record) == nullptr) members.push_back({archive.top_folder + "/" + record, ""});
  }
  return members;
}

}  // namespace

std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options) {
  if (source.archive() == nullptr) throw schemagen::UsageError("only archives hold what could be taken out");
  Archive archive = *source.archive();
  Removal removal(*source.archive(), options);
  for (const ScanFinding& finding : scan_file(source.bytes().view(), source.limits())) {
    finding.rule->level == Level::note ? removal.note(finding) : removal.add(finding);
  }
  removal.add_unreadable_inputs();
  archive.zip = archive.zip.without([&](const ZipMember& member) { return removal.has(member); });
  if (has_pickled_weights(archive) || removal.has_pickles_in_program()) {
    LoadOptions loading;
    loading.model = options.model;
    const std::string model = find_model(archive, options.model).name;
    const LoadedProgram loaded = load_program(source, loading);
    write_raw_archive(archive, model, loaded.program, loaded.constants, out, source.limits());
  } else {
    rewrite_archive(archive, empty_inputs(archive), out);
  }
  return removal.left_out();
}

}  // namespace pt2
