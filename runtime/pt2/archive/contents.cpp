#include "pt2/archive/contents.h"

#include "pt2/archive/about.h"
#include "pt2/archive/record_names.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "schemagen/base/ascii.h"
#include "schemagen/json/document.h"
#include "schemagen/tree/dom.h"

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

/// In torch 2.5, the only model has no folder; later releases call it `model`.
std::optional<std::string_view> compiled_model_of(std::string_view record, bool is_flat) {
  const auto compiled = below(record::kAotInductor, record);
  if (!compiled) return std::nullopt;
  const std::size_t slash = compiled->find('/');
  return is_flat && slash == compiled->npos ? "model" : compiled->substr(0, slash);
}

void add_record(ArchiveContents& contents, std::string_view record) {
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

void add_metadata(CompiledModel& model, std::string_view text, const schemagen::Limits& limits) {
  const schemagen::JsonDocument document(text, {limits});
  const schemagen::DomValue metadata = schemagen::to_dom(document);
  if (metadata.object() == nullptr) throw schemagen::DataError("expected an object");
  for (const auto& [given, value] : *metadata.object()) {
    std::string_view key = given.view();
    if (!value.is_string()) throw schemagen::DataError("expected a string at " + schemagen::quoted(key));
    key.remove_prefix(starts_with(key, "AOTI_") ? 5 : 0);
    key.remove_suffix(ends_with(key, "_KEY") ? 4 : 0);
    std::string name(key);
    std::transform(name.begin(), name.end(), name.begin(), schemagen::lower);
    model.metadata.emplace(std::move(name), value.text());
  }
}

/// Finds lines such as `inputs_info_[0].name = "x";`.
void add_names(std::vector<std::string>& names, std::string_view list, std::string_view source) {
  for (;;) {
    const std::string start = std::string(list) + "[" + std::to_string(names.size()) + "].name = \"";
    const std::size_t found = source.find(start);
    if (found == source.npos) return;
    source.remove_prefix(found + start.size());
    names.emplace_back(source.substr(0, source.find('"')));
  }
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

std::string name_in_copy(const Archive& archive, const ZipMember& member) {
  const std::string_view record = record_name(archive, member);
  if (ends_with(record, "/")) return {};
  if (archive.container == Container::pt2_archive) return is_of_zip(record) ? "" : std::string(record);
  if (const auto file = below(record::kOldExtra, record)) return std::string(record::kExtra).append(*file);
  return is_known_old_member(record) ? "" : std::string(record);
}

ArchiveContents contents_of(const Archive& archive) {
  ArchiveContents contents;
  const bool is_flat = archive.top_folder.empty();  // torch 2.5 to 2.7
  for (const ZipMember& member : archive.zip.members()) {
    if (ends_with(member.name, "/")) continue;  // some zip tools write folders as entries
    const std::string_view record = record_name(archive, member);
    if (archive.container == Container::old_zip) {
      add_old_member(contents, record);
    } else if (record.empty()) {
      contents.other.emplace_back(member.name);
    } else if (const auto compiled = compiled_model_of(record, is_flat)) {
      add_once(contents.aotinductor, *compiled);
    } else if (!is_flat || record != record::kOldVersion) {
      add_record(contents, record);
    }
  }
  return contents;
}

std::vector<CompiledModel> compiled_models(const Archive& archive, const schemagen::Limits& limits) {
  std::vector<CompiledModel> models;
  if (archive.container == Container::old_zip) return models;
  std::map<std::string_view, std::size_t> places;
  for (const ZipMember& member : archive.zip.members()) {
    const std::string_view record = record_name(archive, member);
    const auto name = compiled_model_of(record, archive.top_folder.empty());
    if (!name || ends_with(record, "/")) continue;
    const auto [place, is_new] = places.try_emplace(*name, models.size());
    if (is_new) models.push_back({std::string(*name), {}, {}, {}});
    CompiledModel& model = models[place->second];
    about("record", record, [&] {
      if (ends_with(record, "_metadata.json")) {
        add_metadata(model, archive.zip.read(member).view(), limits);
      } else if (ends_with(record, ".cpp") && model.inputs.empty() && model.outputs.empty()) {
        const MemberBytes source = archive.zip.read(member);
        add_names(model.inputs, "inputs_info_", source.view());
        add_names(model.outputs, "outputs_info_", source.view());
      }
    });
  }
  return models;
}

std::string description_of(const CompiledModel& model) {
  constexpr std::size_t kMost = 1000;
  std::string text;
  const auto add = [&](const std::string& key, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + key + " " + value;
  };
  for (const auto& [key, value] : model.metadata) add(key, value);
  add("inputs", join_texts(model.inputs, " "));
  add("outputs", join_texts(model.outputs, " "));
  return schemagen::printable_start(text, {}, kMost);
}

std::string compiled_package_text(const Archive& archive) {
  const std::vector<std::string> names = contents_of(archive).aotinductor;
  if (!archive.models.empty() || names.empty()) return {};
  return std::string("a package of the compiled model") + (names.size() == 1 ? " " : "s ") +
         schemagen::quoted_list({names.begin(), names.end()}) + " (AOTInductor)";
}

}  // namespace pt2
