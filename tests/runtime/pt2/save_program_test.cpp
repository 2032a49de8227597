#include "pt2/program.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "folder.h"
#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/json.h"
#include "pt2/visit.h"
#include "pt2/weights.h"
#include "runtime/pt2/head_version.h"
#include "runtime/show_value.h"
#include "schemagen/base/error.h"
#include "schemagen/base/visit.h"
#include "schemagen/json/json.h"
#include "thrown.h"

namespace fs = std::filesystem;
using pt2::Archive;
using pt2::ExportedProgram;
using pt2::FileFormat;
using pt2::ProgramFile;
using pt2::save_program;
using schemagen::field_name;

namespace {

std::string fixture(const std::string& name) {
  return PT2_SOURCE_DIR "/tests/data/programs/" + name;
}

ExportedProgram load(const std::string& path) {
  return pt2::load_program(path).program;
}

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
  return error_of<schemagen::UsageError>(action);
}

template <class Action>
std::string data_error(Action action) {
  return error_of<schemagen::DataError>(action);
}

pt2::LoadOptions keeping() {
  pt2::LoadOptions options;
  options.unknown_fields = schemagen::UnknownFields::keep;
  return options;
}

std::string newer_text() {
  ExportedProgram program = load(fixture("torch-2.13.0/mlp.json"));
  program.schema_version = kNextMinor;
  std::string text = schemagen::to_json(program);
  const auto replace = [&](const std::string& before, const std::string& after) {
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    text.replace(at, before.size(), after);
  };
  replace(R"({"graph_module": )", R"({"new": [1, {"a": null}], "graph_module": )");
  replace(R"("nodes": [{)", R"("nodes": [{"newer": "\u00e9", )");
  replace(R"("metadata": )", R"("more": 1.50, "metadata": )");
  return text;
}

std::string newer_binary() {
  std::string payload = schemagen::to_binary(load(fixture("torch-2.13.0/mlp.json")));
  payload.insert(payload.size() - 1, "\x08\xa0\x1f\x03new");
  schemagen::BinaryFileHeader header;
  header.schema_major = pt2::kSchemaMajor;
  header.schema_minor = pt2::kSchemaMinor + 1;
  header.schema_id = {1, 2, 3, 4, 5, 6, 7, 8};
  header.root = "ExportedProgram";
  return seal(pt2::kPt2b, header, payload, pt2::default_binary_options().compression);
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
  CHECK(content(folder / "a.json") == schemagen::to_json(program));
  save_program(program, folder / "a.pt2b");
  CHECK(load(folder / "a.pt2b") == program);
  const ProgramFile file = pt2::open_program_file(folder / "a.pt2b");
  CHECK((file.binary_file()->compression() == pt2::Compression::zstd) == schemagen::has_zstd());
}

TEST_CASE("a program that was read without some fields is written only on request") {
  const Folder folder;
  const ProgramFile file = pt2::open_program_file(fixture("torch-2.13.0/mlp.pt2"));
  pt2::LoadOptions options;
  options.leave_out = {field_name<&pt2::Node::metadata>, field_name<&pt2::RangeConstraint::min_val>};
  const pt2::LoadedProgram loaded = pt2::load_program(file, options);
  CHECK(loaded.left_out == std::vector<schemagen::FieldName>{field_name<&pt2::Node::metadata>});
  for (const char* const name : {"a.json", "a.pt2b", "a.pt2"}) {
    CAPTURE(name);
    const std::string path = folder / name;
    CHECK(usage_error([&] { save_program(loaded, path, {&file}); }) ==
          "cannot write '" + path +
              "': the program was read without Node.metadata; read all of it, or set SaveOptions::incomplete "
              "to write it as it is");
    CHECK_FALSE(fs::exists(path));
    pt2::SaveOptions incomplete;
    incomplete.source = &file;
    incomplete.incomplete = true;
    save_program(loaded, path, incomplete);
    CHECK(load(path) == loaded.program);
  }
  CHECK(usage_error([&] { save_program(loaded, folder / "b.json"); }) != "no error");
  save_program(pt2::load_program(file), folder / "b.json");
  CHECK(load(folder / "b.json") == pt2::load_program(file).program);
}

TEST_CASE("what a newer minor added to JSON is kept, and saved where it was, in archives too") {
  const Folder folder;
  const std::string text = newer_text();
  const pt2::LoadedProgram loaded = pt2::load_program(ProgramFile(pt2::FileBytes(text)), keeping());
  CHECK(loaded.program.schema_version == kNextMinor);
  CHECK(loaded.unknown_fields.size() == 3);
  CHECK(loaded.skipped.empty());
  save_program(loaded, folder / "a.json");
  CHECK(content(folder / "a.json") == text);

  const ProgramFile archive = pt2::open_program_file(fixture("torch-2.13.0/mlp.pt2"));
  save_program(loaded, folder / "a.pt2", {&archive});
  CHECK(other_members(folder / "a.pt2") == other_members(fixture("torch-2.13.0/mlp.pt2")));
  const ProgramFile saved = pt2::open_program_file(folder / "a.pt2");
  CHECK(pt2::program_json(*saved.archive()).view() == text);
  save_program(pt2::load_program(saved, keeping()), folder / "b.pt2", {&saved});
  CHECK(content(folder / "b.pt2") == content(folder / "a.pt2"));
}

TEST_CASE("what was kept is not dropped where constants of the program are moved into the archive") {
  const Folder folder;
  pt2::LoadedProgram loaded = pt2::load_program(ProgramFile(pt2::FileBytes(newer_text())), keeping());
  loaded.constants.push_back({"c", pt2::make_tensor(pt2::ScalarType::BYTE, {1}, "1")});
  const ProgramFile archive = pt2::open_program_file(fixture("torch-2.6.0/mlp.pt2"));
  CHECK(usage_error([&] { save_program(loaded, folder / "a.pt2", {&archive}); }) ==
        "cannot write '" + (folder / "a.pt2") +
            "': preserved unknown fields cannot be written when weights move");
  CHECK(!std::filesystem::exists(folder / "a.pt2"));
}

TEST_CASE("what a newer minor added to a binary file is kept, and saved with its schema's id and minor") {
  const Folder folder;
  const std::string path = folder / "newer.pt2b";
  pt2::write_file_atomically(path, newer_binary());
  const pt2::LoadedProgram loaded = pt2::load_program(path, keeping());
  REQUIRE(loaded.unknown_fields.size() == 1);
  CHECK(path_text(loaded.unknown_fields[0]) == "#2000");
  save_program(loaded, folder / "a.pt2b");
  CHECK(content(folder / "a.pt2b") == content(path));

  pt2::LoadOptions options = keeping();
  options.upgrading = pt2::Upgrading::all;
  CHECK(data_error([&] { pt2::load_program(path, options); }) ==
        "#2000: unknown field: an upgrade needs its JSON name, which is also unknown; written with schema " +
            kNextMinorText + ", read with schema " + kHeadText);
}

TEST_CASE("what is kept of one form is not written in another, nor without the header of its file") {
  const Folder folder;
  const std::string advice =
      "; hint: remove the field from the preserved fields to write the value without it";
  const std::string text = newer_text();
  const pt2::LoadedProgram of_json = pt2::load_program(ProgramFile(pt2::FileBytes(text)), keeping());
  pt2::BinaryFileWriteOptions options;
  options.payload.preserved = &of_json.unknown_fields;
  CHECK(usage_error([&] { save_program(of_json, folder / "a.pt2b"); }) ==
        "preserved unknown fields require BinaryFileWriteOptions::written_by, the header of their file");
  const schemagen::BinaryFileHeader header;
  options.written_by = &header;
  CHECK(data_error([&] { pt2::to_pt2b(of_json.program, options); }) ==
        "new: cannot write the unknown field back: it is JSON, but the output is binary" + advice);

  pt2::write_file_atomically(folder / "newer.pt2b", newer_binary());
  const pt2::LoadedProgram of_binary = pt2::load_program(folder / "newer.pt2b", keeping());
  CHECK(data_error([&] { save_program(of_binary, folder / "a.json"); }) ==
        "#2000: cannot write the unknown field back: it is binary, but the output is JSON" + advice);
}

TEST_CASE("fields are left out of older programs, and of binary files") {
  const Folder folder;
  pt2::LoadOptions options;
  options.leave_out = {field_name<&pt2::Node::metadata>};
  for (const char* const name : {"torch-2.2.2/mlp.json", "torch-2.13.0/mlp.json"}) {
    CAPTURE(name);
    ExportedProgram expected = load(fixture(name));
    save_program(expected, folder / "a.pt2b");
    for (pt2::Node& node : expected.graph_module.graph.nodes) node.metadata.clear();
    const pt2::LoadedProgram from_json = pt2::load_program(fixture(name), options);
    CHECK(from_json.program == expected);
    CHECK(from_json.left_out == options.leave_out);
    const pt2::LoadedProgram from_binary = pt2::load_program(folder / "a.pt2b", options);
    CHECK(from_binary.program == expected);
    CHECK(from_binary.left_out == options.leave_out);
  }
}

TEST_CASE("saves a copy of an archive with a changed program, also over the archive itself") {
  const Folder folder;
  const std::string path = folder / "a.pt2";
  fs::copy_file(fixture("torch-2.13.0/mlp.pt2"), path);
  const std::vector<std::string> members = other_members(path);
  const ProgramFile file = pt2::open_program_file(path);
  ExportedProgram program = pt2::load_program(file).program;
  program.torch_version = "changed";
  save_program(program, path, {&file});
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
    save_program(program, path, {&file});
    const ProgramFile copy = pt2::open_program_file(path);
    CHECK(copy.archive()->version == kHeadText);
    for (const char* name : {"serialized_state_dict", "serialized_constants", "serialized_example_inputs"}) {
      CHECK((pt2::find_record(*copy.archive(), std::string(name) + ".pt") != nullptr ||
             pt2::find_record(*copy.archive(), std::string(name) + ".json") != nullptr));
    }
    CHECK(pt2::load_program(copy).program == program);
  }
  // Without an upgrade, the version stays.
  const ProgramFile kept = pt2::open_program_file(fixture("torch-2.6.0/mlp.pt2"));
  save_program(pt2::load_program(kept).program, path, {&kept});
  CHECK(pt2::open_program_file(path).archive()->version == "8.2");
}

TEST_CASE("refuses output names with an unknown format") {
  const ExportedProgram program = load(fixture("torch-2.13.0/mlp.json"));
  const ProgramFile json = pt2::open_program_file(fixture("torch-2.13.0/mlp.json"));
  CHECK(usage_error([&] { save_program(program, "a.onnx"); }) ==
        "cannot write 'a.onnx': the name must end in .json, .pt2b or .pt2");
  CHECK(usage_error([&] { save_program(program, "a.pt2"); }) ==
        "cannot write 'a.pt2': an archive needs weights; pass the file that the program comes from");
  CHECK(usage_error([&] { save_program(program, "a.pt2", {&json}); }) ==
        "cannot write 'a.pt2': an archive needs weights, but the source file is not an archive");
}

TEST_CASE("memory and callbacks get the bytes of the file") {
  const Folder folder;
  const ProgramFile source = pt2::open_program_file(fixture("torch-2.13.0/mlp.pt2"));
  const ExportedProgram program = pt2::load_program(source).program;
  for (const char* const name : {"a.json", "a.pt2b", "a.pt2"}) {
    CAPTURE(name);
    save_program(program, folder / name, {&source});
    const pt2::FileFormat format = *pt2::format_of_name(name);
    std::string bytes;
    save_program(program, pt2::SaveTarget::memory(bytes, format), {&source});
    CHECK(bytes == content(folder / name));
    std::string parts;
    save_program(program, {[&](std::string_view part) { parts += part; }, format}, {&source});
    CHECK(parts == bytes);
  }
}

TEST_CASE("a program and tensors become an archive, and what shares a storage still does") {
  const Folder folder;
  const ProgramFile source = pt2::open_program_file(fixture("torch-2.13.0/shared_weights.pt2"));
  const ExportedProgram program = pt2::load_program(source).program;
  const std::vector<pt2::Weight> weights = pt2::load_weights(source);
  std::vector<pt2::NamedTensor> tensors;
  for (const pt2::Weight& weight : weights) tensors.push_back({weight.name, *weight.tensor});
  const std::string path = folder / "new.pt2";
  save_program(program, path, pt2::SaveOptions::with_tensors(tensors));

  const ProgramFile saved = pt2::open_program_file(path);
  CHECK(pt2::load_program(saved).program == program);
  const std::vector<pt2::Weight> again = pt2::load_weights(saved);
  REQUIRE(again.size() == weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    CHECK(again[i].name == weights[i].name);
    CHECK(again[i].kind == weights[i].kind);
    CHECK(again[i].record == weights[i].record);
    CHECK(again[i].tensor->layout == weights[i].tensor->layout);
    CHECK(again[i].tensor->storage->read()->view() == weights[i].tensor->storage->read()->view());
  }
}

TEST_CASE("tensors that do not match the program are refused by name") {
  const Folder folder;
  const ProgramFile source = pt2::open_program_file(fixture("torch-2.13.0/mlp.pt2"));
  const ExportedProgram program = pt2::load_program(source).program;
  std::vector<pt2::NamedTensor> tensors;
  for (const pt2::Weight& weight : pt2::load_weights(source))
    tensors.push_back({weight.name, *weight.tensor});
  const auto error_of = [&](const std::vector<pt2::NamedTensor>& given) {
    try {
      save_program(program, folder / "new.pt2", pt2::SaveOptions::with_tensors(given));
      return std::string("no error");
    } catch (const schemagen::DataError& error) {
      return std::string(error.what());
    }
  };
  CHECK(error_of(tensors) == "no error");
  std::vector<pt2::NamedTensor> changed = tensors;
  changed.pop_back();
  CHECK(error_of(changed) == "missing tensors that the program needs: 'np'");
  changed.push_back({"other", tensors.back().tensor});
  CHECK(error_of(changed) == "the program has no tensor 'other'");
  changed.back() = tensors.front();
  CHECK(error_of(changed) == "duplicate tensor 'l1.weight'");
  changed.back() = {"np", pt2::make_tensor(pt2::ScalarType::FLOAT, {3}, std::string(12, 'x'))};
  CHECK(error_of(changed) == "tensor 'np' is float32[3], but the program's is float32[2]");
  const auto options = pt2::SaveOptions::with_tensors(tensors);
  CHECK(usage_error([&] { save_program(program, folder / "new.json", options); }).find(".pt2") !=
        std::string::npos);
}

TEST_CASE("an old archive is saved without pickles") {
  const Folder folder;
  for (const char* const release : {"2.6.0", "2.8.0"}) {
    const ProgramFile source = pt2::open_program_file(fixture("torch-" + std::string(release) + "/mlp.pt2"));
    const std::string path = folder / "raw.pt2";
    save_program(pt2::load_program(source).program, path, {&source, std::nullopt, pt2::SaveWeights::raw});
    const ProgramFile saved = pt2::open_program_file(path);
    CHECK(!pt2::has_pickled_weights(*saved.archive()));
    CHECK(pt2::has_pickled_weights(*source.archive()));
    CHECK(pt2::load_program(saved).program == pt2::load_program(source).program);
    for (const pt2::Weight& weight : pt2::load_weights(saved)) CHECK(!weight.pickled);
    CHECK(pt2::find_record(*saved.archive(), "data/sample_inputs/model.pt") != nullptr);
  }
}
