#include "pt2/archive/archive_rewrite.h"

#include "pt2/archive/record_names.h"
#include "pt2/versions/version.h"

namespace pt2 {

void copy_member(const ZipReader& zip, const ZipMember& member, std::string_view name, ZipWriter& out) {
  const ByteSource content = [&](const ByteSink& sink) { zip.copy(member, sink); };
  // Unverified checksums may be wrong.
  const bool is_known = zip.checksums() == Checksums::verify;
  out.add(name, member.size, content, is_known ? std::optional(member.crc32) : std::nullopt);
}

void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out) {
  std::map<std::string_view, const NewMember*> by_name;
  for (const NewMember& member : changed) by_name.emplace(member.name, &member);
  ZipWriter writer(out);
  for (const ZipMember& member : archive.zip.members()) {
    const auto change = by_name.find(member.name);
    change == by_name.end() ? copy_member(archive.zip, member, member.name, writer)
                            : writer.add(member.name, change->second->content);
  }
  for (const NewMember& member : changed) {
    if (archive.zip.find(member.name) == nullptr) writer.add(member.name, member.content);
  }
  writer.finish();
}

std::vector<NewMember> version_members(const Archive& archive, const SchemaVersion& program_version) {
  std::vector<NewMember> members;
  if (archive.container != Container::old_zip) return members;
  const std::string version = version_text(program_version);
  if (archive.version != version) members.push_back({std::string(record::kOldVersion), version});
  for (const std::string_view part : {record::kOldStateDict, record::kOldConstants, record::kOldInputs}) {
    const std::string name(part);
    // Early releases wrote the suffix .json, although these are not JSON; torch 2.13 reads both.
    const bool is_there =
        archive.zip.find(name + ".pt") != nullptr || archive.zip.find(name + ".json") != nullptr;
    if (!is_there) members.push_back({name + ".pt", ""});
  }
  return members;
}

}  // namespace pt2
