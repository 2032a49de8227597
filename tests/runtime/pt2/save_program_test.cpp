#include "pt2/save_program.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "pt2/archive/file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/json/json.h"
#include "schemagen/value/error.h"

namespace fs = std::filesystem;
using pt2::Archive;
using pt2::ExportedProgram;
using pt2::FileFormat;
using pt2::ProgramFile;
using pt2::save_program;

namespace {

/// A folder that is gone at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("save_program_test-" + std::to_string(std::random_device{}()));

  Folder() { fs::create_directory(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }

  std::string operator/(const char* name) const { return (path / name).string(); }
};

std::string fixture(const std::string& name) {
  return PT2_SOURCE_DIR "/tests/data/programs/" + name;
}

ExportedProgram load(const std::string& path) {
  return pt2::load_program(path).program;
}

std::string content(const std::string& path) {
  const pt2::FileBytes bytes = pt2::read_file(path);
  return std::string(bytes.view());
}

/// The names of the members, and the contents of those that are not the program.
std::vector<std::string> other_members(const std::string& path) {
  const ProgramFile file = pt2::open_program_file(path);
  std::vector<std::string> members;
  for (const pt2::ZipMember& member : file.archive()->zip.members()) {
    const bool is_program = member.name == pt2::find_model(*file.archive()).member;
    const pt2::MemberBytes bytes = file.archive()->zip.read(member);
    members.push_back(std::string(member.name) + "=" + (is_program ? "" : std::string(bytes.view())));
  }
  return members;
}

template <class Action>
std::string usage_error(Action action) {
  try {
    action();
    return "no error";
  } catch (const schemagen::UsageError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("names of files tell their formats") {
  CHECK(pt2::format_of_name("a.json") == FileFormat::json);
  CHECK(pt2::format_of_name("a.pt2b") == FileFormat::pt2b);
  CHECK(pt2::format_of_name("a.pt2") == FileFormat::archive);
  CHECK_FALSE(pt2::format_of_name("a.pt"));
  CHECK_FALSE(pt2::format_of_name("-"));
}

TEST_CASE("saves JSON and binary files that give the program back") {
  const Folder folder;
  const ExportedProgram program = load(fixture("torch-2.13.0/cond.pt2"));
  save_program(program, folder / "a.json");
  CHECK(content(folder / "a.json") == content(fixture("torch-2.13.0/cond.json")));
  save_program(program, folder / "a.pt2b");
  CHECK(load(folder / "a.pt2b") == program);
  const ProgramFile file = pt2::open_program_file(folder / "a.pt2b");
  CHECK((file.envelope()->compression() == pt2::Compression::zstd) == pt2::has_zstd());
}

TEST_CASE("saves a copy of an archive with a changed program, also over the archive itself") {
  const Folder folder;
  const std::string path = folder / "a.pt2";
  fs::copy_file(fixture("torch-2.13.0/mlp.pt2"), path);
  const std::vector<std::string> members = other_members(path);
  const ProgramFile file = pt2::open_program_file(path);
  ExportedProgram program = pt2::load_program(file).program;
  program.torch_version = "changed";
  save_program(program, path, file);
  CHECK(load(path) == program);
  CHECK(other_members(path) == members);
}

TEST_CASE("a saved copy of an old zip has what torch asks for in one of the program's version") {
  const Folder folder;
  const std::string path = folder / "a.pt2";
  for (const std::string release : {"2.1.2", "2.2.2", "2.4.1", "2.5.1"}) {
    CAPTURE(release);
    const ProgramFile file = pt2::open_program_file(fixture("torch-" + release + "/mlp.pt2"));
    const ExportedProgram program = pt2::load_program(file).program;
    save_program(program, path, file);
    const ProgramFile copy = pt2::open_program_file(path);
    CHECK(copy.archive()->version == "8.20");
    for (const char* name : {"serialized_state_dict", "serialized_constants", "serialized_example_inputs"}) {
      CHECK((pt2::find_record(*copy.archive(), std::string(name) + ".pt") != nullptr ||
             pt2::find_record(*copy.archive(), std::string(name) + ".json") != nullptr));
    }
    CHECK(pt2::load_program(copy).program == program);
  }
  // What is not upgraded keeps its version.
  const ProgramFile kept = pt2::open_program_file(fixture("torch-2.6.0/mlp.pt2"));
  save_program(pt2::load_program(kept).program, path, kept);
  CHECK(pt2::open_program_file(path).archive()->version == "8.2");
}

TEST_CASE("refuses names of which it cannot tell what to write") {
  const ExportedProgram program = load(fixture("torch-2.13.0/mlp.json"));
  const ProgramFile json = pt2::open_program_file(fixture("torch-2.13.0/mlp.json"));
  CHECK(usage_error([&] { save_program(program, "a.onnx"); }) ==
        "cannot write 'a.onnx': the name must end in .json, .pt2b or .pt2");
  CHECK(usage_error([&] { save_program(program, "a.pt2"); }) ==
        "cannot write 'a.pt2': an archive holds weights; pass the file that the program comes from");
  CHECK(usage_error([&] { save_program(program, "a.pt2", json); }) ==
        "cannot write 'a.pt2': an archive holds weights, which the source does not have, as it is not an "
        "archive");
}
