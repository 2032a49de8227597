#include "pt2/archive/archive_rewrite.h"

#include <algorithm>

#include "pt2/version/version.h"

namespace pt2 {

void rewrite_archive(const Archive& archive, const std::vector<NewMember>& changed, const ByteSink& out) {
  ZipWriter writer(out);
  for (const ZipMember& member : archive.zip.members()) {
    const auto change = std::find_if(changed.begin(), changed.end(),
                                     [&](const NewMember& other) { return other.name == member.name; });
    if (change == changed.end()) {
      writer.add(member.name, archive.zip.read(member).view());
    } else {
      writer.add(change->name, change->content);
    }
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
  if (archive.version != version) members.push_back({"version", version});
  for (const std::string name :
       {"serialized_state_dict", "serialized_constants", "serialized_example_inputs"}) {
    // The first releases named these members .json, though they are not; torch 2.13 knows both.
    const bool is_there =
        archive.zip.find(name + ".pt") != nullptr || archive.zip.find(name + ".json") != nullptr;
    if (!is_there) members.push_back({name + ".pt", ""});
  }
  return members;
}

}  // namespace pt2
