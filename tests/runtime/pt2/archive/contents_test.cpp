#include "pt2/archive/contents.h"

#include <catch2/catch.hpp>
#include <string>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "runtime/pt2/archive/zip_builder.h"

using pt2::ArchiveContents;
using pt2::contents_of;
using zip_builder::stored;
using Names = std::vector<std::string>;

namespace {

ArchiveContents contents_of_entries(const std::vector<zip_builder::Entry>& entries) {
  const std::string bytes = zip_builder::build(entries);
  return contents_of(pt2::open_archive(bytes));
}

}  // namespace

TEST_CASE("packages of torch are taken apart by what their records are for") {
  const auto read = [](const std::string& name) {
    const pt2::FileBytes bytes = pt2::read_file(PT2_SOURCE_DIR "/tests/data/packages/" + name);
    return contents_of(pt2::open_archive(bytes.view()));
  };
  const ArchiveContents both = read("both.pt2");
  CHECK(both.aotinductor == Names{"a"});
  CHECK(both.sample_inputs == Names{"a"});
  CHECK(both.extra == Names{"extra/note.txt"});
  CHECK(both.other.empty());
  CHECK(read("aoti.pt2").aotinductor == Names{"model"});
  CHECK(read("multi.pt2").sample_inputs == Names{"a", "b"});
}

TEST_CASE(
    "models of AOTInductor are named in packages without a top folder, as torch 2.5 to 2.7 wrote them") {
  const auto contents_with = [](const std::vector<std::string>& records) {
    std::vector<zip_builder::Entry> entries = {stored("version", "1"), stored("archive_format", "pt2")};
    for (const std::string& record : records) entries.push_back(stored(record, "x"));
    return contents_of_entries(entries);
  };
  const ArchiveContents of_2_5 = contents_with({"data/aotinductor/c.so", "data/aotinductor/c.cpp"});
  CHECK(of_2_5.aotinductor == Names{"model"});
  CHECK(of_2_5.other.empty());
  const ArchiveContents of_2_7 =
      contents_with({"data/aotinductor/a/c.so", "data/aotinductor/b/d.so", "data/aotinductor/b/d.cpp",
                     "data/constants/custom_obj_0", "notes"});
  CHECK(of_2_7.aotinductor == Names{"a", "b"});
  CHECK(of_2_7.other == Names{"notes"});
}

TEST_CASE("records that are not known are listed, also those outside of the top folder") {
  const ArchiveContents contents = contents_of_entries(
      {stored("top/archive_format", "pt2"), stored("top/", ""), stored("top/models/m.json", "{}"),
       stored("top/models/notes.txt", ""), stored("top/data/mtia/x", ""),
       stored("top/data/executorch/m.pte", ""), stored("top/data/weights/weight_0", ""),
       stored("top/data/constants/m_model_constants_config.json", "{}"), stored("top/.data/version", "6"),
       stored("__MACOSX/x", "")});
  CHECK(contents.executorch == Names{"m.pte"});
  CHECK(contents.other == Names{"models/notes.txt", "data/mtia/x", "__MACOSX/x"});
}

TEST_CASE("extra and unknown files of an old zip are listed") {
  const ArchiveContents contents = contents_of_entries(
      {stored("serialized_exported_program.json", "{}"), stored("serialized_state_dict.json", ""),
       stored("serialized_constants.pt", ""), stored("serialized_example_inputs.pt", ""),
       stored("version", "8.2"), stored("extra_files/note", ""), stored("more", "")});
  CHECK(contents.sample_inputs == Names{"model"});
  CHECK(contents.extra == Names{"extra_files/note"});
  CHECK(contents.other == Names{"more"});
}
