#include "pt2/archive/archive.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/file_kind.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/several_models.h"
#include "pt2/text/affix.h"
#include "pt2/text/lines.h"
#include "pt2/versions/version.h"

namespace pt2 {
namespace {

using schemagen::DataError;

constexpr std::uint64_t kMaxTextSize = 256;  // such members are a word of fewer than ten bytes

std::optional<std::string> read_text(const ZipReader& zip, const std::string& name) {
  const ZipMember* const member = zip.find(name);
  if (member == nullptr) return std::nullopt;
  if (member->size > kMaxTextSize) {
    throw DataError("zip member " + schemagen::quoted(name) + ": expected at most " +
                    std::to_string(kMaxTextSize) + " bytes of text, got " + std::to_string(member->size));
  }
  const MemberBytes text = zip.read(*member);
  return std::string(trimmed(text.view()));
}

std::vector<ArchivedModel> find_models(const ZipReader& zip, const std::string& top_folder) {
  const std::string prefix = top_folder + "/" + std::string(record::kModels);
  std::vector<ArchivedModel> models;
  for (const ZipMember& member : zip.members()) {
    if (!starts_with(member.name, prefix) || !ends_with(member.name, record::kJson)) continue;
    const std::string_view file = member.name.substr(prefix.size());
    models.push_back(
        {std::string(file.substr(0, file.size() - record::kJson.size())), std::string(member.name)});
  }
  return models;
}

Archive open_at_root(ZipReader zip, Container container, const char* default_version,
                     std::vector<ArchivedModel> models) {
  std::string version = read_text(zip, std::string(record::kOldVersion)).value_or(default_version);
  return {std::move(zip), container, "", std::move(version), ByteOrder::not_stated, std::move(models)};
}

Archive open_pt2_archive(ZipReader zip, std::string top_folder) {
  const std::string prefix = top_folder + "/";
  const std::string format = read_text(zip, prefix + std::string(record::kFormat)).value_or("");
  if (format != "pt2") {
    throw DataError("archive_format of the archive: expected 'pt2', got " + schemagen::quoted(format));
  }
  std::string version = read_text(zip, prefix + std::string(record::kVersion)).value_or("0");
  require_readable_archive(version);
  const std::optional<std::string> stated = read_text(zip, prefix + std::string(record::kByteOrder));
  const ByteOrder byte_order = stated ? byte_order_named(*stated, "archive") : ByteOrder::not_stated;
  std::vector<ArchivedModel> models = find_models(zip, top_folder);
  return {std::move(zip), Container::pt2_archive, std::move(top_folder), std::move(version),
          byte_order,     std::move(models)};
}

}  // namespace

ByteOrder byte_order_named(std::string_view text, const char* what) {
  if (text == "little") return ByteOrder::little;
  if (text == "big") return ByteOrder::big;
  throw DataError("byteorder of the " + std::string(what) + ": expected 'little' or 'big', got " +
                  schemagen::quoted(text));
}

Archive open_archive(const SparseBytes& bytes, const schemagen::Limits& limits, Checksums checksums,
                     MappedPages pages) {
  ZipReader zip(bytes, limits, checksums, pages);
  const std::vector<std::string_view> names = names_of(zip.members());
  switch (kind_of(names)) {
    case ZipKind::old_zip:
      return open_at_root(std::move(zip), Container::old_zip, "",
                          {{"model", std::string(record::kOldProgram)}});
    case ZipKind::flat_package:  // source: torch/_inductor/package
      return open_at_root(std::move(zip), Container::pt2_archive, "0", {});
    case ZipKind::programs:
    case ZipKind::compiled_package:
    case ZipKind::other_archive: {
      const std::vector<std::string_view> folders = top_folders(names);
      if (folders.size() > 1)
        throw DataError("the archive has several top-level folders: " + schemagen::quoted_list(folders));
      return open_pt2_archive(std::move(zip), std::string(folders.front()));
    }
    default:
      throw DataError(why_no_program(names));
  }
}

const ArchivedModel& find_model(const Archive& archive, const std::optional<std::string>& name) {
  const std::vector<ArchivedModel>& models = archive.models;
  if (models.empty()) {
    const std::string why = why_no_program(names_of(archive.zip.members()));
    const std::vector<CompiledModel> compiled = compiled_models(archive);
    const std::string text = compiled.empty() ? "" : description_of(compiled[0]);
    throw DataError(text.empty() ? why : why + "; " + schemagen::quoted(compiled[0].name) + " has " + text);
  }
  if (!name && models.size() == 1) return models.front();
  std::vector<std::string> names;
  for (const ArchivedModel& model : models) {
    if (name && model.name == *name) return model;
    names.push_back(model.name);
  }
  if (!name) throw SeveralModels(std::move(names));
  throw schemagen::UsageError("unknown model " + schemagen::quoted(*name) + ": the archive has " +
                              schemagen::quoted_list({names.begin(), names.end()}));
}

MemberBytes program_json(const Archive& archive, const std::optional<std::string>& name) {
  return archive.zip.read(*archive.zip.find(find_model(archive, name).member));
}

const ZipMember* find_record(const Archive& archive, std::string_view record) {
  if (archive.top_folder.empty()) return archive.zip.find(record);
  return archive.zip.find(archive.top_folder + "/" + std::string(record));
}

const ZipMember* find_sample_inputs(const Archive& archive, const ArchivedModel& model) {
  const bool is_old = archive.container == Container::old_zip;
  return find_record(archive, is_old ? std::string(record::kOldInputs).append(record::kPickle)
                                     : record::joined(record::kSampleInputs, model.name, record::kPickle));
}

}  // namespace pt2
