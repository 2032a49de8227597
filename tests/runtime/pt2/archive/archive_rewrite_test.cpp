#include "pt2/archive/archive_rewrite.h"

#include "pt2/archive/archive.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/archive/zip_builder.h"

using pt2::Archive;
using pt2::NewMember;
using pt2::open_archive;

namespace {

zip_builder::Entry stored(const std::string& name, const std::string& content) {
  zip_builder::Entry entry;
  entry.name = name;
  entry.content = content;
  return entry;
}

std::vector<std::string> rewritten(const std::string& bytes, const std::vector<NewMember>& changed) {
  std::string copy;
  pt2::rewrite_archive(open_archive(bytes), changed, [&](std::string_view part) { copy += part; });
  const Archive archive = open_archive(copy);
  std::vector<std::string> members;
  for (const pt2::ZipMember& member : archive.zip.members()) {
    members.push_back(std::string(member.name) + "=" + std::string(archive.zip.read(member).view()));
  }
  return members;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a copy has all members but those that are changed, in their order") {
  zip_builder::Entry deflated = stored("extra_files/a", "a text that a text that a text that");
  deflated.deflated = true;
  const std::string bytes = zip_builder::build(
      {stored("serialized_exported_program.json", "{}"), deflated, stored("version", "7.3")});
  CHECK(rewritten(bytes, {}) == Lines{"serialized_exported_program.json={}",
                                      "extra_files/a=a text that a text that a text that", "version=7.3"});
  CHECK(rewritten(bytes, {{"new", "n"}, {"version", "8.20"}}) ==
        Lines{"serialized_exported_program.json={}", "extra_files/a=a text that a text that a text that",
              "version=8.20", "new=n"});
}

TEST_CASE("an old zip gets the version, and the members that torch asks for") {
  const auto names = [](const std::vector<zip_builder::Entry>& entries) {
    const std::string bytes = zip_builder::build(entries);
    Lines lines;
    for (const NewMember& member : pt2::version_members(open_archive(bytes), {8, 20})) {
      lines.push_back(member.name + "=" + member.content);
    }
    return lines;
  };
  CHECK(names({stored("serialized_exported_program.json", "{}")}) ==
        Lines{"version=8.20",
              "serialized_state_dict.pt=", "serialized_constants.pt=", "serialized_example_inputs.pt="});
  CHECK(names({stored("serialized_exported_program.json", "{}"), stored("version", "2"),
               stored("serialized_state_dict.json", "x"), stored("serialized_constants.pt", "y")}) ==
        Lines{"version=8.20", "serialized_example_inputs.pt="});
  CHECK(names({stored("serialized_exported_program.json", "{}"), stored("version", "8.20"),
               stored("serialized_state_dict.pt", ""), stored("serialized_constants.pt", ""),
               stored("serialized_example_inputs.pt", "")})
            .empty());
  CHECK(names({stored("top/archive_format", "pt2"), stored("top/models/a.json", "{}")}).empty());
}
