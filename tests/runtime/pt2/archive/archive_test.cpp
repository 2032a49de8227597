#include "pt2/archive/archive.h"

#include <catch2/catch.hpp>
#include <random>

#include "pt2/archive/file.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"

using pt2::Archive;
using pt2::ByteOrder;
using pt2::Container;
using schemagen::DataError;
using zip_builder::build;
using zip_builder::deflated;
using zip_builder::Entry;
using zip_builder::stored;

namespace {

struct Program {
  const char* release;
  const char* model;
  Container container;
  const char* version;
};

// torch 2.8.0 could not write `nonfinite`.
const Program kPrograms[] = {
    {"2.13.0", "cond", Container::pt2_archive, "0"},      {"2.13.0", "mlp", Container::pt2_archive, "0"},
    {"2.13.0", "nonfinite", Container::pt2_archive, "0"}, {"2.8.0", "cond", Container::pt2_archive, "0"},
    {"2.8.0", "mlp", Container::pt2_archive, "0"},        {"2.6.0", "cond", Container::old_zip, "8.2"},
    {"2.6.0", "mlp", Container::old_zip, "8.2"},          {"2.6.0", "nonfinite", Container::old_zip, "8.2"},
    {"2.5.1", "cond", Container::old_zip, "7.3"},         {"2.5.1", "mlp", Container::old_zip, "7.3"},
    {"2.5.1", "nonfinite", Container::old_zip, "7.3"},    {"2.4.1", "cond", Container::old_zip, "5.3"},
    {"2.4.1", "mlp", Container::old_zip, "5.3"},          {"2.4.1", "nonfinite", Container::old_zip, "5.3"},
    {"2.2.2", "cond", Container::old_zip, "2"},           {"2.2.2", "mlp", Container::old_zip, "2"},
    {"2.2.2", "nonfinite", Container::old_zip, "2"},      {"2.1.2", "mlp", Container::old_zip, "1"},
};

std::string read_program_file(const Program& program, const std::string& suffix) {
  const std::string folder =
      PT2_SOURCE_DIR "/tests/data/programs/torch-" + std::string(program.release) + "/";
  return std::string(pt2::read_file(folder + program.model + suffix).view());
}

std::vector<Entry> pt2_entries() {
  return {stored("top/data/weights/weight_0", "abcd"), stored("top/models/model.json", "{\"a\": 1}"),
          stored("top/archive_format", "pt2"),         stored("top/archive_version", "0"),
          stored("top/.data/version", "6\n"),          stored("top/byteorder", "little")};
}

std::string error_of(const std::vector<Entry>& entries,
                     const std::optional<std::string>& model = std::nullopt) {
  const std::string bytes = build(entries);
  try {
    pt2::program_json(pt2::open_archive(bytes), model);
    return "no error";
  } catch (const schemagen::Error& error) {
    return error.what();
  }
}

std::optional<std::string> read_all_models(const std::string& archive_bytes) {
  const std::vector<char> bytes(archive_bytes.begin(), archive_bytes.end());
  try {
    const Archive archive = pt2::open_archive(std::string_view(bytes.data(), bytes.size()));
    std::string text;
    for (const pt2::ArchivedModel& model : archive.models)
      text += pt2::program_json(archive, model.name).view();
    return text;
  } catch (const DataError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("reads the programs that torch releases wrote") {
  for (const Program& program : kPrograms) {
    INFO(program.release << " " << program.model);
    const std::string bytes = read_program_file(program, ".pt2");
    const Archive archive = pt2::open_archive(bytes);
    CHECK(archive.container == program.container);
    CHECK(archive.version == program.version);
    CHECK(archive.top_folder == (program.container == Container::old_zip ? "" : program.model));
    CHECK(archive.byte_order ==
          (program.container == Container::old_zip ? ByteOrder::not_stated : ByteOrder::little));
    REQUIRE(archive.models.size() == 1);
    CHECK(archive.models[0].name == "model");
    CHECK(pt2::program_json(archive).view() == read_program_file(program, ".json"));
    CHECK(pt2::program_json(archive, "model").view() == read_program_file(program, ".json"));
  }
}

TEST_CASE("offers the JSON of a stored program as a view of the archive") {
  const std::string bytes = build(pt2_entries());
  CHECK(pt2::program_json(pt2::open_archive(bytes)).view().data() == bytes.data() + bytes.find("{\"a\": 1}"));
}

TEST_CASE("reads archives that were packed again, compressed") {
  std::vector<Entry> entries = pt2_entries();
  for (Entry& entry : entries) entry.deflated = true;
  entries.insert(entries.begin(), stored("top/", ""));
  entries.push_back(stored("__MACOSX/models/other.json", "{}"));
  const std::string bytes = build(entries);
  const Archive archive = pt2::open_archive(bytes);
  CHECK(archive.models.size() == 1);
  CHECK(archive.byte_order == ByteOrder::little);
  CHECK(pt2::program_json(archive).view() == "{\"a\": 1}");
}

TEST_CASE("finds records by their name without the top folder") {
  const std::string bytes = build(pt2_entries());
  const Archive archive = pt2::open_archive(bytes);
  const pt2::ZipMember* const weight = pt2::find_record(archive, "data/weights/weight_0");
  REQUIRE(weight != nullptr);
  CHECK(archive.zip.read(*weight).view() == "abcd");
  CHECK(pt2::find_record(archive, "data/weights/weight_1") == nullptr);

  const std::string old_bytes =
      build({stored("serialized_exported_program.json", "{}"), stored("extra_files/archive_format", "text")});
  const Archive old = pt2::open_archive(old_bytes);
  CHECK(pt2::find_record(old, "extra_files/archive_format") != nullptr);
}

TEST_CASE("chooses among several models by name") {
  std::vector<Entry> entries = pt2_entries();
  entries.push_back(stored("top/models/sub/decode.json", "{\"b\": 2}"));
  entries.push_back(stored("top/models/notes.txt", "no model"));
  const std::string bytes = build(entries);
  const Archive archive = pt2::open_archive(bytes);
  REQUIRE(archive.models.size() == 2);
  CHECK(pt2::program_json(archive, "model").view() == "{\"a\": 1}");
  CHECK(pt2::program_json(archive, "sub/decode").view() == "{\"b\": 2}");
  CHECK(error_of(entries) ==
        "the archive has 2 models: 'model', 'sub/decode'; choose one with model: \"model\"");
  CHECK(error_of(entries, "encode") == "unknown model 'encode': the archive has 'model', 'sub/decode'");
  CHECK(error_of({stored("serialized_exported_program.json", "{}")}, "x") ==
        "unknown model 'x': the archive has 'model'");
}

TEST_CASE("lists ten models at most in a message") {
  std::vector<Entry> entries = {stored("top/archive_format", "pt2")};
  for (int i = 10; i < 22; ++i) entries.push_back(stored("top/models/m" + std::to_string(i) + ".json", "{}"));
  CHECK(error_of(entries, "x") ==
        "unknown model 'x': the archive has 'm10', 'm11', 'm12', 'm13', 'm14' and 7 more");
}

TEST_CASE("opens an archive of compiled models only, which has no program") {
  const std::vector<Entry> entries = {stored("top/archive_format", "pt2"),
                                      stored("top/data/aotinductor/model/a.so", "")};
  const std::string bytes = build(entries);
  CHECK(pt2::open_archive(bytes).models.empty());
  const std::string message =
      "this is a package of models that AOTInductor compiled, which have no graph, not an exported program: "
      "export the model with torch.export.export() and torch.export.save()";
  CHECK(error_of(entries) == message);
  CHECK(error_of(entries, "model") == message);
  CHECK(error_of({stored("top/archive_format", "pt2"), stored("top/extra/notes.txt", "")}) ==
        "the archive has no exported program: missing member 'models/*.json'");
  CHECK(error_of({stored("t\x1b[31m/archive_format", "pt2")}) ==
        "torch.export.save() did not finish this archive: it has no model; hint: save the program again");
}

TEST_CASE("takes a missing version as version 0 and refuses all others") {
  std::vector<Entry> entries = pt2_entries();
  entries.erase(entries.begin() + 3);
  CHECK(error_of(entries) == "no error");
  const std::string without = build(entries);
  CHECK(pt2::open_archive(without).version == "0");
  entries.push_back(stored("top/archive_version", "1"));
  CHECK(error_of(entries) ==
        "archive_version: expected '0', got '1'; save the program again with torch 2.8 to 2.15");
  entries.back().content = "0\n";
  CHECK(error_of(entries) == "no error");
  entries.back().content = "";
  CHECK(error_of(entries) ==
        "archive_version: expected '0', got ''; save the program again with torch 2.8 to 2.15");
}

TEST_CASE("reads an old zip without version") {
  const std::string bytes = build({stored("serialized_exported_program.json", "{}")});
  CHECK(pt2::open_archive(bytes).version.empty());
  CHECK(error_of(
            {stored("serialized_exported_program.json", "{}"), stored("version", std::string(257, '8'))}) ==
        "zip member 'version': expected at most 256 bytes of text, got 257");
}

TEST_CASE("refuses an unknown format or byte order") {
  std::vector<Entry> entries = pt2_entries();
  entries[2].content = "pt3";
  CHECK(error_of(entries) == "archive_format of the archive: expected 'pt2', got 'pt3'");
  entries = pt2_entries();
  entries.back().content = "middle";
  CHECK(error_of(entries) == "byteorder of the archive: expected 'little' or 'big', got 'middle'");
  entries.back().content = "big";
  const std::string big = build(entries);
  CHECK(pt2::open_archive(big).byte_order == ByteOrder::big);
  entries.pop_back();
  const std::string not_stated = build(entries);
  CHECK(pt2::open_archive(not_stated).byte_order == ByteOrder::not_stated);
}

TEST_CASE("refuses several top-level folders") {
  std::vector<Entry> entries = pt2_entries();
  entries.push_back(stored("second/archive_format", "pt2"));
  CHECK(error_of(entries) == "the archive has several top-level folders: 'top', 'second'");
}

TEST_CASE("says what it looked for in other zip archives") {
  const std::string message =
      "the zip archive has no exported program: expected '<folder>/archive_format' (PT2 archive) or "
      "'serialized_exported_program.json' (torch.export up to 2.7), found ";
  CHECK(error_of({}) == message + "no members");
  // PyTorch also requires exactly one top folder.
  CHECK(error_of({stored("archive_format", "pt2"), stored("a/b/archive_format", "pt2"),
                  stored("/archive_format", "pt2")}) ==
        message + "'archive_format', 'a/b/archive_format', '/archive_format'");
  std::vector<Entry> entries;
  for (int i = 0; i < 12; ++i) entries.push_back(stored(std::to_string(i), ""));
  CHECK(error_of(entries) == message + "'0', '1', '2', '3', '4' and 7 more");
}

TEST_CASE("refuses every truncation of real files") {
  for (const Program& program : {kPrograms[0], kPrograms[5]}) {
    const std::string bytes = read_program_file(program, ".pt2");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      INFO(program.release << " " << size);
      // A member may be an archive (torch.save) with its own end record.
      CHECK(!read_all_models(bytes.substr(0, size)));
    }
  }
}

TEST_CASE("a changed byte in a real file gives an error or the same program") {
  for (const Program& program : {kPrograms[0], kPrograms[5]}) {
    const std::string bytes = read_program_file(program, ".pt2");
    const std::string json = read_program_file(program, ".json");
    const std::uint64_t seed = test_seed();
    CAPTURE(program.release, seed);
    std::mt19937_64 random(seed);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 + static_cast<int>(random() % 255)));
      const std::optional<std::string> text = read_all_models(changed);
      INFO(at);
      // There is no model without `models/`.
      CHECK((!text || text->empty() || *text == json));
    }
  }
}
