#include "pt2/program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <type_traits>

#include "folder.h"
#include "program_files.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/binary/binary_file.h"
#include "pt2/json.h"
#include "pt2/versions/version.h"
#include "pt2/visit.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "runtime/pt2/head_version.h"
#include "runtime/show_value.h"
#include "runtime/test_seed.h"
#include "schemagen/base/base64.h"
#include "schemagen/base/error.h"

using pt2::FileOptions;
using pt2::LoadedProgram;
using pt2::LoadOptions;
using pt2::ProgramFile;
using schemagen::DataError;
using zip_builder::deflated;
using zip_builder::Entry;
using zip_builder::stored;

using namespace std::string_literals;

namespace {

namespace fs = std::filesystem;

std::string path_of(const std::string& release, const std::string& file) {
  return PT2_SOURCE_DIR "/tests/data/programs/torch-" + release + "/" + file;
}

std::string text_of(const std::string& release, const std::string& file) {
  return std::string(pt2::read_file(path_of(release, file)).view());
}

LoadedProgram load_text(std::string text, const LoadOptions& options = {},
                        const FileOptions& file_options = {}) {
  return pt2::load_program(ProgramFile(pt2::FileBytes(std::move(text)), file_options), options);
}

LoadOptions with_model(const std::string& model) {
  LoadOptions options;
  options.model = model;
  return options;
}

std::string error_of(std::string text, const LoadOptions& options = {},
                     const FileOptions& file_options = {}) {
  try {
    load_text(std::move(text), options, file_options);
    return "no error";
  } catch (const schemagen::Error& error) {
    return error.what();
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string two_models() {
  return zip_builder::build({stored("top/archive_format", "pt2"), stored("top/archive_version", "0"),
                             stored("top/models/a.json", text_of("2.13.0", "mlp.json")),
                             deflated("top/models/b.json", text_of("2.13.0", "cond.json"))});
}

std::string in_binary(const pt2::ExportedProgram& program,
                      pt2::Compression compression = pt2::Compression::none) {
  pt2::BinaryFileWriteOptions options;
  options.compression = compression;
  return pt2::to_pt2b(program, options);
}

}  // namespace

TEST_CASE("loads the same program from JSON and from its archive") {
  for (const char* release : {"2.6.0", "2.8.0", "2.13.0"}) {
    CAPTURE(release);
    const LoadedProgram from_json = pt2::load_program(path_of(release, "mlp.json"));
    const LoadedProgram from_archive = pt2::load_program(path_of(release, "mlp.pt2"));
    CHECK(from_json.program == from_archive.program);
    CHECK(from_json.source.json_bytes == from_archive.source.json_bytes);
    CHECK(from_json.source.json_bytes == text_of(release, "mlp.json").size());
  }
}

TEST_CASE("loading over another program gives the same program as a new load") {
  std::vector<ProgramFile> files;
  for (const char* extension : {".json", ".pt2"}) {
    for (const fs::path& path : program_files("programs", extension)) {
      files.push_back(pt2::open_program_file(path.string()));
    }
  }
  REQUIRE(files.size() > 100);
  std::mt19937_64 random(test_seed());
  std::shuffle(files.begin(), files.end(), random);
  LoadedProgram used;
  std::size_t errors = 0;
  for (std::size_t round = 0; round < 2; ++round) {
    for (const ProgramFile& file : files) {
      CAPTURE(test_seed(), file.bytes().view().substr(0, 300));
      const auto fresh = pt2::try_load_program(file);
      const auto over = pt2::try_load_program(file, used);
      REQUIRE(bool(over) == bool(fresh));
      if (!fresh) {
        ++errors;
        CHECK(std::string(over.failure().what()) == fresh.failure().what());
        CHECK(used.program == pt2::ExportedProgram());
        continue;
      }
      CHECK(schemagen::to_json(used.program) == schemagen::to_json(fresh->program));
      CHECK(used.source.models == fresh->source.models);
      CHECK(used.upgraded_from == fresh->upgraded_from);
      CHECK(used.skipped.size() == fresh->skipped.size());
      CHECK(used.constants.size() == fresh->constants.size());
      const ProgramFile binary(pt2::FileBytes(in_binary(fresh->program)));
      pt2::load_program(files.front(), used);
      pt2::load_program(binary, used);
      CHECK(schemagen::to_json(used.program) == schemagen::to_json(fresh->program));
      CHECK(used.source.binary_file);
    }
  }
  CHECK(errors < files.size() / 2);
}

TEST_CASE("a program that is loaded over one of its shape takes no more memory for it") {
  const ProgramFile file = pt2::open_program_file(path_of("2.13.0", "gpt2.json"));
  LoadedProgram used = pt2::load_program(file);
  const auto& nodes = used.program.graph_module.graph.nodes;
  const void* const node = nodes.data();
  const void* const name = nodes.front().inputs.front().name.data();
  for (const ProgramFile& same : {ProgramFile(pt2::FileBytes(schemagen::to_json(used.program))),
                                  ProgramFile(pt2::FileBytes(in_binary(used.program)))}) {
    pt2::load_program(same, used);
    CHECK(nodes.data() == node);
    CHECK(nodes.front().inputs.front().name.data() == name);
  }
}

TEST_CASE("what is left out of a program that is loaded over another is at its default") {
  const ProgramFile file = pt2::open_program_file(path_of("2.13.0", "mlp.json"));
  LoadOptions options;
  options.leave_out = {schemagen::field_name<&pt2::Node::metadata>};
  LoadedProgram used = pt2::load_program(file);
  const ProgramFile binary(pt2::FileBytes(in_binary(used.program)));
  pt2::load_program(file, used, options);
  CHECK(used.program == pt2::load_program(file, options).program);
  pt2::load_program(file, used);
  pt2::load_program(binary, used, options);
  CHECK(used.program == pt2::load_program(binary, options).program);
}

TEST_CASE("tells where a program was found") {
  const LoadedProgram json = pt2::load_program(path_of("2.13.0", "mlp.json"));
  CHECK_FALSE(json.source.container);
  CHECK(json.source.models.empty());
  CHECK(json.source.model.empty());

  const LoadedProgram archive = pt2::load_program(path_of("2.13.0", "mlp.pt2"));
  CHECK(archive.source.container == pt2::Container::pt2_archive);
  CHECK(archive.source.archive_version == "0");
  CHECK(archive.source.models == std::vector<std::string>{"model"});
  CHECK(archive.source.model == "model");

  const LoadedProgram old = pt2::load_program(path_of("2.6.0", "mlp.pt2"));
  CHECK(old.source.container == pt2::Container::old_zip);
  CHECK(old.source.archive_version == "8.2");
}

TEST_CASE("loads the requested model") {
  const LoadedProgram mlp = load_text(two_models(), with_model("a"));
  CHECK(mlp.program == pt2::load_program(path_of("2.13.0", "mlp.json")).program);
  CHECK(mlp.source.model == "a");
  CHECK(mlp.source.models == std::vector<std::string>{"a", "b"});
  const LoadedProgram cond = load_text(two_models(), with_model("b"));
  CHECK(cond.program == pt2::load_program(path_of("2.13.0", "cond.json")).program);
}

TEST_CASE("refuses to guess a model") {
  CHECK(error_of(two_models()) == "the archive has 2 models: 'a', 'b'; choose one with model: \"a\"");
  CHECK(error_of(two_models(), with_model("c")) == "unknown model 'c': the archive has 'a', 'b'");
  CHECK(error_of(text_of("2.13.0", "mlp.json"), with_model("a")) ==
        "unknown model 'a': this is the JSON of a single program");
}

TEST_CASE("keeps a program file usable after it was moved") {
  ProgramFile file = ProgramFile(pt2::FileBytes(two_models()));
  const ProgramFile moved = std::move(file);
  CHECK(pt2::load_program(moved, with_model("b")).program.schema_version == pt2::SchemaVersion{8, 20});
}

TEST_CASE("reads files whose last page has no room after them") {
  const std::string text = text_of("2.13.0", "mlp.json");
  const pt2::ExportedProgram program = pt2::load_program(path_of("2.13.0", "mlp.json")).program;
  const Folder folder;
  for (const std::size_t short_of_a_page : {0u, 1u, 63u, 64u, 65u}) {
    CAPTURE(short_of_a_page);
    const std::size_t size = (text.size() / 4096 + 1) * 4096 - short_of_a_page;
    const std::string padded = text + std::string(size - text.size(), ' ');
    CHECK(pt2::load_program(folder.write("padded.json", padded)).program == program);
  }
}

TEST_CASE("says where an error is in a mapped file whose memory was given back") {
  const std::string text =
      replaced(text_of("2.13.0", "mlp.json"), R"("verifiers": [)", R"("verifiers": [7, )");
  const Folder folder;
  try {
    pt2::load_program(folder.write("cut.json", text));
    FAIL("no error");
  } catch (const DataError& error) {
    CHECK(error.path() == "verifiers[0]");
    CHECK(error.place().line == 1);
    CHECK(error.place().column == text.find("[7") + 2);
  }
}

TEST_CASE("reports the fields of a newer minor that it skips") {
  std::string text = replaced(text_of("2.13.0", "mlp.json"), R"("minor": 20)",
                              R"("minor": )" + std::to_string(kNextMinor.minor));
  text = replaced(text, R"("opset_version")", R"("new": [], "opset_version")");
  const LoadedProgram loaded = load_text(text);
  REQUIRE(loaded.skipped.size() == 1);
  CHECK(loaded.skipped[0].path == "new");
  CHECK(loaded.skipped[0].place.line == 1);
  CHECK(loaded.program.schema_version == kNextMinor);
}

TEST_CASE("refuses what a newer minor says and this one cannot, unless it may be skipped") {
  std::string text = replaced(text_of("2.13.0", "mlp.json"), R"("minor": 20)",
                              R"("minor": )" + std::to_string(kNextMinor.minor));
  text = replaced(text, R"("opset_version")", R"("new": 1, "opset_version")");
  const std::string place = " (line 1, column " + std::to_string(text.find("\"new\"") + 1) + ")";
  CHECK(error_of(text) == "new: unknown field 'new'; written with schema " + pt2::version_text(kNextMinor) +
                              ", read with schema " + kHeadText +
                              ": use a newer release, or skip or keep unknown fields" + place);
  LoadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  CHECK(load_text(text, options).skipped.size() == 1);
  for (const auto newer_fields : {schemagen::UnknownFields::skip, schemagen::UnknownFields::keep}) {
    options = {};
    options.newer_fields = newer_fields;
    const LoadedProgram loaded = load_text(text, options);
    CHECK(loaded.skipped.size() + loaded.unknown_fields.size() == 1);
    // Additional fields are errors unless the program is newer.
    const std::string ours =
        replaced(text, R"("minor": )" + std::to_string(kNextMinor.minor), R"("minor": 20)");
    CHECK_THROWS_AS(load_text(ours, options), DataError);
  }
}

TEST_CASE("errors in a program of a newer minor say both versions") {
  std::string text = replaced(text_of("2.13.0", "mlp.json"), R"("minor": 20)",
                              R"("minor": )" + std::to_string(kNextMinor.minor));
  text = replaced(text, R"("graph_module": )", R"("verifiers": 7, "graph_module": )");
  const std::string versions = "; written with schema " + pt2::version_text(kNextMinor) +
                               ", read with schema " + kHeadText + " (line 1, column ";
  CHECK(error_of(text).find(versions) != std::string::npos);
}

TEST_CASE("takes bare NaN and Infinity of the releases that wrote them") {
  const std::string text = text_of("2.6.0", "nonfinite.json");
  REQUIRE(text.find(": NaN") != std::string::npos);
  CHECK(load_text(text).program.schema_version == pt2::SchemaVersion{8, 2});
  const std::string newer = replaced(text, R"("minor": 2})", R"("minor": 3})");
  CHECK(error_of(newer).find("bare NaN and Infinity are not JSON") != std::string::npos);
  LoadOptions options;
  options.bare_nonfinite = true;
  CHECK(load_text(newer, options).program.schema_version == pt2::SchemaVersion{8, 3});
}

TEST_CASE("brings programs of older releases to the head version") {
  struct Case {
    const char* release;
    pt2::SchemaVersion version;
  };
  for (const Case& c :
       {Case{"2.1.2", {1, 0}}, Case{"2.2.2", {2, 0}}, Case{"2.4.1", {5, 3}}, Case{"2.5.1", {7, 3}}}) {
    CAPTURE(c.release);
    const LoadedProgram from_json = pt2::load_program(path_of(c.release, "mlp.json"));
    const LoadedProgram from_archive = pt2::load_program(path_of(c.release, "mlp.pt2"));
    CHECK(from_json.program == from_archive.program);
    CHECK(from_json.program.schema_version == kHeadVersion);
    REQUIRE(from_json.upgraded_from);
    CHECK(*from_json.upgraded_from == c.version);
    CHECK(from_json.source.json_bytes == text_of(c.release, "mlp.json").size());
  }
}

TEST_CASE("keeps the version of older minors, unless upgrading them is requested") {
  const std::string path = path_of("2.6.0", "cond.json");
  const LoadedProgram kept = pt2::load_program(path);
  CHECK(kept.program.schema_version == pt2::SchemaVersion{8, 2});
  CHECK_FALSE(kept.upgraded_from);
  LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  const LoadedProgram upgraded = pt2::load_program(path, options);
  CHECK(upgraded.program.schema_version == kHeadVersion);
  CHECK(upgraded.upgraded_from == pt2::SchemaVersion{8, 2});
  pt2::ExportedProgram program = pt2::load_program(path_of("2.13.0", "cond.json")).program;
  program.schema_version = kHeadVersion;
  const LoadedProgram head = load_text(schemagen::to_json(program), options);
  CHECK_FALSE(head.upgraded_from);
  CHECK(head.program == program);
}

TEST_CASE("says of faults that an upgrade leaves what it was upgraded from") {
  const std::string text =
      replaced(text_of("2.5.1", "mlp.json"), R"("opset_version")", R"("news": 3, "opset_version")");
  CHECK(error_of(text) == "news: unknown field 'news'; found after the upgrade from version 7.3");
  LoadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  const LoadedProgram loaded = load_text(text, options);
  REQUIRE(loaded.skipped.size() == 1);
  CHECK(loaded.skipped[0].path == "news");
  CHECK(loaded.skipped[0].place.line == 0);
}

TEST_CASE("refuses a program that needs newer operators than the caller has") {
  LoadOptions options;
  options.supported_opset["aten"] = 9;
  CHECK(error_of(text_of("2.13.0", "mlp.json"), options)
            .find("operator set 'aten': expected version 9 or earlier, got 10") != std::string::npos);
  options.supported_opset["aten"] = 10;
  CHECK(error_of(text_of("2.13.0", "mlp.json"), options) == "no error");
}

TEST_CASE("refuses what is neither an archive nor JSON") {
  CHECK(error_of("") == "the file is empty");
  CHECK(error_of("hello") == "expected JSON, a zip archive or a .pt2b file");
  CHECK(error_of(std::string("\0\1\2", 3)) == "expected JSON, a zip archive or a .pt2b file");
  CHECK(error_of("   ") == "expected JSON, a zip archive or a .pt2b file");
}

TEST_CASE("says where JSON is malformed") {
  CHECK(error_of("{").find("(line 1, column 2)") != std::string::npos);
  CHECK(error_of("{\n  ]}").find("(line 2, column 3)") != std::string::npos);
  CHECK(error_of("\xef\xbb\xbf{}") == error_of("{}"));
  CHECK(error_of(std::string("\xff\xfe{\0}\0", 6)) == "the text is UTF-16; hint: save it as UTF-8");
}

TEST_CASE("holds a program to the limits it is given") {
  FileOptions options;
  options.limits.input_bytes = 1000;
  CHECK(error_of(text_of("2.13.0", "mlp.json"), {}, options) ==
        "a document of 7640 bytes, over the limit of 1000");
  options = {};
  options.limits.depth = 5;
  CHECK(error_of(text_of("2.13.0", "mlp.json"), {}, options).find("nested more than 5 levels deep") !=
        std::string::npos);
}

TEST_CASE("one limit on memory holds for what is decompressed on the way to a program") {
  FileOptions options;
  options.limits.memory_bytes = 5000;
  const std::string json = text_of("2.13.0", "mlp.json");
  const std::string archive =
      zip_builder::build({stored("top/archive_format", "pt2"), deflated("top/models/a.json", json)});
  CHECK(error_of(archive, {}, options)
            .find("zip member 'top/models/a.json': it inflates to 7640 bytes, over the limit of 5000 "
                  "(memory_bytes)") != std::string::npos);
  const std::string old = text_of("2.4.1", "mlp.json");
  CHECK(error_of(old) == "no error");
  options.limits.memory_bytes = 3 * old.size();
  CHECK(error_of(old, {}, options).find("needs more memory than the limit of ") != std::string::npos);
  if (!schemagen::has_zstd()) return;
  options.limits.memory_bytes = 3000;
  const std::string binary = in_binary(load_text(json).program, pt2::Compression::zstd);
  CHECK(error_of(binary, {}, options) ==
        "the payload has 3181 bytes, over the limit of 3000 (memory_bytes) (byte 50)");
}

TEST_CASE("reads archives without right checksums if told to") {
  std::string archive = zip_builder::build(
      {stored("top/archive_format", "pt2"), stored("top/models/a.json", text_of("2.13.0", "mlp.json"))});
  const std::size_t at = archive.find("\"TRAINING\"");
  REQUIRE(at != std::string::npos);
  archive[at + 1] = 'D';
  CHECK(error_of(archive).find("CRC-32 mismatch") != std::string::npos);
  FileOptions options;
  options.checksums = pt2::Checksums::ignore;
  CHECK(load_text(archive, {}, options).program.verifiers == std::vector<std::string>{"DRAINING"});
  const Folder folder;
  CHECK(pt2::load_program(folder.write("draining.pt2", archive), {}, options).program.verifiers.front() ==
        "DRAINING");
}

TEST_CASE("reports what an upgrade changed, on request") {
  const std::string path = path_of("2.4.1", "mlp.pt2");
  LoadOptions options;
  CHECK(pt2::load_program(path, options).changes.empty());
  options.upgrade.report_changes = true;
  const LoadedProgram loaded = pt2::load_program(path, options);
  REQUIRE_FALSE(loaded.changes.empty());
  CHECK(loaded.changes.back().path == "schema_version");
  CHECK(loaded.changes.back().what == "changed from 5.3 to " + kHeadText);
}

TEST_CASE("views refuse temporaries") {
  CHECK_FALSE(std::is_constructible_v<pt2::ZipReader, std::string>);
  CHECK_FALSE(
      std::is_constructible_v<pt2::BinaryFile, schemagen::BinaryFileFormat, std::string, schemagen::Limits>);
  CHECK_FALSE(std::is_copy_constructible_v<ProgramFile>);
  CHECK(std::is_move_constructible_v<ProgramFile>);
}

TEST_CASE("says so if there is no such file") {
  CHECK_THROWS_AS(pt2::load_program(path_of("2.13.0", "missing.json")), schemagen::IoError);
  CHECK_THROWS_AS(pt2::load_program(path_of("2.13.0", "")), schemagen::IoError);
}

TEST_CASE("reads any truncation and any changed byte as a program or a DataError") {
  const std::string archive = text_of("2.13.0", "mlp.pt2");
  for (std::size_t size = 0; size < archive.size(); size += 97) {
    CAPTURE(size);
    CHECK(error_of(archive.substr(0, size)) != "no error");
  }
  const std::string json = text_of("2.13.0", "mlp.json");
  for (std::size_t at = 0; at < json.size(); at += 13) {
    std::string changed = json;
    changed[at] = static_cast<char>(changed[at] ^ 0x11);
    CAPTURE(at);
    CHECK_NOTHROW(error_of(changed));
  }
}

TEST_CASE("loads the same program from its binary form") {
  for (const char* release : {"2.6.0", "2.8.0", "2.13.0"}) {
    const LoadedProgram json = pt2::load_program(path_of(release, "cond.json"));
    for (const auto compression : {pt2::Compression::none, pt2::Compression::zstd}) {
      if (compression == pt2::Compression::zstd && !schemagen::has_zstd()) continue;
      const std::string file = in_binary(json.program, compression);
      const LoadedProgram binary = load_text(file);
      CHECK(binary.program == json.program);
      CHECK_FALSE(binary.source.container);
      CHECK(binary.source.json_bytes == 0);
      REQUIRE(binary.source.binary_file);
      CHECK(binary.source.binary_file->header.root == "ExportedProgram");
      CHECK(binary.source.binary_file->compression == compression);
      CHECK(binary.source.binary_file->payload_bytes == schemagen::to_binary(json.program).size());
      CHECK(binary.source.binary_file->file_bytes == file.size());
    }
    CHECK_FALSE(json.source.binary_file);
  }
}

TEST_CASE("keeps a binary file usable after it was moved") {
  const LoadedProgram json = pt2::load_program(path_of("2.13.0", "mlp.json"));
  ProgramFile file = ProgramFile(pt2::FileBytes(in_binary(json.program)));
  const ProgramFile moved = std::move(file);
  CHECK(pt2::load_program(moved).program == json.program);
}

TEST_CASE("maps binary files, and reads them as from memory") {
  const LoadedProgram json = pt2::load_program(path_of("2.13.0", "mlp.json"));
  const Folder folder;
  CHECK(pt2::load_program(folder.write("binary.pt2b", in_binary(json.program))).program == json.program);
}

TEST_CASE("a binary program is upgraded as its JSON is") {
  pt2::LoadOptions options;
  options.upgrading = pt2::Upgrading::all;
  const LoadedProgram json = pt2::load_program(path_of("2.6.0", "cond.json"), options);
  const std::string binary = in_binary(pt2::load_program(path_of("2.6.0", "cond.json")).program);
  const LoadedProgram upgraded = pt2::load_program(ProgramFile(pt2::FileBytes(binary)), options);
  CHECK(upgraded.program == json.program);
  REQUIRE(upgraded.upgraded_from);
  CHECK(*upgraded.upgraded_from == *json.upgraded_from);
}

TEST_CASE("refuses a binary program that states a version which cannot be read") {
  pt2::ExportedProgram program = pt2::load_program(path_of("2.13.0", "mlp.json")).program;
  program.schema_version = {9, 1};
  CHECK(error_of(in_binary(program)) ==
        "schema_version: cannot read binary schema version 9.1: expected 8.x (up to " + kHeadText +
            " in full); use a newer release of this library");
  program.schema_version = kNextMinor;
  CHECK(error_of(in_binary(program)) == "no error");
}

TEST_CASE("holds binary programs to the limits and options that JSON is held to") {
  const std::string file = in_binary(pt2::load_program(path_of("2.13.0", "mlp.json")).program);
  FileOptions options;
  options.limits.input_bytes = 1000;
  CHECK(error_of(file, {}, options) ==
        "the payload has 3181 bytes, over the limit of 1000 (input_bytes) (byte 50)");
  options = {};
  options.limits.depth = 5;
  CHECK(error_of(file, {}, options).find("nested more than 5 levels deep (byte ") != std::string::npos);
  CHECK(error_of(file, with_model("a")) == "unknown model 'a': this is the binary form of a single program");
}

TEST_CASE("reads any truncation of a binary file and any changed byte as an error") {
  const std::string file = in_binary(pt2::load_program(path_of("2.13.0", "no_inputs.json")).program);
  for (std::size_t at = 0; at < file.size(); ++at) {
    CAPTURE(at);
    CHECK(error_of(file.substr(0, at)) != "no error");
    std::string changed = file;
    changed[at] = static_cast<char>(changed[at] ^ 0x11);
    CHECK(error_of(changed) != "no error");
  }
}

namespace {

const std::string kStorage = "0123456789abcdef";

std::string saved(const std::string& pickle) {
  return zip_builder::build(
      {stored("archive/data.pkl", "\x80\x02" + pickle + "."), stored("archive/data/0", kStorage)});
}

std::string tensor_pickle() {
  return "ctorch._utils\n_rebuild_tensor_v2\n(("
         "X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0000X\3\0\0\0cpuK\4tQ"
         "K\1(K\2t(K\2t\x89NtR"s;
}

std::string with_constant(const std::string& file) {
  return replaced(
      text_of("2.1.2", "mlp.json"), R"("constants": {})",
      R"("constants": {"c": ")" + schemagen::to_base64(schemagen::Bytes(file.begin(), file.end())) + R"("})");
}

}  // namespace

TEST_CASE("the tensors that a program of torch 2.1 has pickled in it are beside what is loaded") {
  const LoadedProgram loaded = load_text(with_constant(saved(tensor_pickle())));
  REQUIRE(loaded.constants.size() == 1);
  CHECK(loaded.constants[0].name == "c");
  const pt2::Tensor& tensor = loaded.constants[0].tensor;
  CHECK(tensor.storage->read()->view() == kStorage);
  CHECK(tensor.layout.strides == std::vector<std::int64_t>{2});
  CHECK(tensor.layout.offset == 1);
  const pt2::TensorMeta& meta = loaded.program.graph_module.graph.tensor_values.at("c");
  CHECK(pt2::layout_of(meta) == tensor.layout);
}

TEST_CASE("pickled objects other than tensors in a program of torch 2.1 are refused by name") {
  const std::string start = "graph_module: the constant 'c', pickled in the program: ";
  CHECK(error_of(with_constant("not a torch.save file")).find(start) == 0);
  CHECK(error_of(with_constant(saved("K\1"))) == start + "its pickle does not contain a strided tensor");
  const std::string hostile = error_of(with_constant(saved("cposix\nsystem\n(X\2\0\0\0lstR"s)));
  CHECK(hostile.find(start) == 0);
  CHECK(hostile.find("posix.system") != hostile.npos);
}
