#include "pt2/archive/contents.h"

#include <algorithm>
#include <optional>

#include "pt2/archive/archive.h"
#include "pt2/archive/record_names.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::optional<std::string_view> below(std::string_view folder, std::string_view name) {
  if (!starts_with(name, folder) || name.size() == folder.size()) return std::nullopt;
  return name.substr(folder.size());
}

/// The records of a model are mostly adjacent.
void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.rbegin(), names.rend(), name) == names.rend()) names.emplace_back(name);
}

bool is_of_programs(std::string_view record) {
  if (below(record::kModels, record)) return ends_with(record, record::kJson);
  return below(record::kWeights, record).has_value() || below(record::kConstants, record).has_value();
}

void add_record(ArchiveContents& contents, std::string_view record) {
  if (const auto compiled = below(record::kAotInductor, record)) {
    return add_once(contents.aotinductor, compiled->substr(0, compiled->find('/')));
  }
  if (const auto file = below(record::kExecuTorch, record)) return add_once(contents.executorch, *file);
  const auto inputs = below(record::kSampleInputs, record);
  if (inputs && ends_with(*inputs, record::kPickle)) {
    return add_once(contents.sample_inputs, inputs->substr(0, inputs->size() - record::kPickle.size()));
  }
  if (below(record::kExtra, record)) {
    contents.extra.emplace_back(record);
  } else if (!is_of_programs(record) && !is_of_archive(record)) {
    contents.other.emplace_back(record);
  }
}

/// torch 2.5 to 2.7. In 2.5, the only model has no folder; later releases call it `model`.
void add_flat_record(ArchiveContents& contents, std::string_view record) {
  const auto compiled = below(record::kAotInductor, record);
  if (compiled && compiled->find('/') == compiled->npos) return add_once(contents.aotinductor, "model");
  if (record != record::kOldVersion) add_record(contents, record);
}

bool is_known_old_member(std::string_view name) {
  return name == record::kOldProgram || name == record::kOldVersion ||
         starts_with(name, record::kOldStateDict) || starts_with(name, record::kOldConstants) ||
         starts_with(name, record::kOldInputs) || starts_with(name, record::kOldExtra);
}

void add_old_member(ArchiveContents& contents, std::string_view name) {
  if (starts_with(name, record::kOldInputs)) return contents.sample_inputs.emplace_back("model"), void();
  if (below(record::kOldExtra, name)) return contents.extra.emplace_back(name), void();
  if (!is_known_old_member(name)) contents.other.emplace_back(name);
}

}  // namespace

std::string_view record_name(const Archive& archive, const ZipMember& member) {
  if (archive.top_folder.empty()) return member.name;
  return below(archive.top_folder + "/", member.name).value_or("");
}

bool is_of_zip(std::string_view record) {
  return record == record::kByteOrder || starts_with(record, ".data/");
}

bool is_of_archive(std::string_view record) {
  return is_of_zip(record) || record == record::kFormat || record == record::kVersion;
}

bool is_unknown_old_member(const ZipMember& member) {
  return !is_known_old_member(member.name) && !ends_with(member.name, "/");
}

ArchiveContents contents_of(const Archive& archive) {
  ArchiveContents contents;
  for (const ZipMember& member : archive.zip.members()) {
    if (ends_with(member.name, "/")) continue;  // some zip tools write folders as entries
    const std::string_view record = record_name(archive, member);
    if (archive.container == Container::old_zip) {
      add_old_member(contents, record);
    } else if (archive.top_folder.empty()) {
      add_flat_record(contents, record);
    } else if (!record.empty()) {
      add_record(contents, record);
    } else {
      contents.other.emplace_back(member.name);
    }
  }
  return contents;
}

std::string compiled_package_text(const Archive& archive) {
  const std::vector<std::string> names = contents_of(archive).aotinductor;
  if (!archive.models.empty() || names.empty()) return {};
  return std::string("a package of the compiled model") + (names.size() == 1 ? " " : "s ") +
         schemagen::quoted_list({names.begin(), names.end()}) + " (AOTInductor)";
}

}  // namespace pt2
