// released_minor FOLDER...: reads programs of a released minor of schema 8, in JSON and binary form, with the
// head types.
//
// Torch 2.13 wrote FOLDER/<model>.json. The minor's own codec reads it, without fields that the minor lacks,
// and writes both forms. Skips programs with unknown union members. That codec must also read the output of
// downgrade_document() strictly, which must reject values that the minor cannot express.
#include <pt2/binary/binary_file.h>
#include <pt2/json.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

#include "pt2/program.h"
#include "pt2/upgrade/upgrade.h"

#include SCHEMA_BINARY_HEADER
#include SCHEMA_INFO_HEADER
#include SCHEMA_JSON_HEADER

namespace {

namespace fs = std::filesystem;
namespace released = SCHEMA_NAMESPACE;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

released::ExportedProgram read_released(const fs::path& path) {
  schemagen::JsonReadOptions options;
  options.unknown_fields = schemagen::UnknownFields::skip;
  auto program = schemagen::from_json<released::ExportedProgram>(read_file(path), options);
  program.schema_version = {released::kSchemaMajor, released::kSchemaMinor};
  return program;
}

std::string to_released_pt2b(const released::ExportedProgram& program) {
  pt2::BinaryFileHeader header;
  header.schema_major = released::kSchemaMajor;
  header.schema_minor = released::kSchemaMinor;
  std::copy_n(released::kSchemaHashBytes.begin(), header.schema_id.size(), header.schema_id.begin());
  header.root = "ExportedProgram";
  return seal(pt2::kPt2b, header, schemagen::to_binary(program), pt2::Compression::none);
}

bool reads_alike(const released::ExportedProgram& program) {
  const pt2::ProgramFile json = pt2::ProgramFile(pt2::FileBytes(schemagen::to_json(program)));
  const pt2::ExportedProgram from_json = pt2::load_program(json).program;
  const auto from_binary = pt2::from_pt2b<pt2::ExportedProgram>(to_released_pt2b(program));
  return schemagen::to_json(from_binary) == schemagen::to_json(from_json);  // NaN is not equal to itself
}

/// Minors before 8.6 do not mark the result of a higher-order operator, and write a tuple of one tensor as a
/// list.
void write_tuples_of_one(const pt2::Graph& graph, released::ExportedProgram& program) {
  if (released::kSchemaMinor >= 6) return;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    std::vector<released::Argument>& outputs = program.graph_module.graph.nodes[i].outputs;
    const bool is_tuple = graph.nodes[i].is_hop_single_tensor_return == false;
    if (!is_tuple || outputs.size() != 1 || !outputs[0].is<released::Argument::as_tensor>()) continue;
    const released::TensorArgument only = outputs[0].get<released::Argument::as_tensor>();
    outputs[0].emplace<released::Argument::as_tensors>({only});
  }
}

/// The released codec must read the downgraded program strictly, with the same result as the original, which
/// it can read only if `is_known`.
bool downgrades(const fs::path& path, bool is_known) {
  const std::string json = schemagen::to_json(pt2::load_program(path.string()).program);
  const pt2::DowngradedDocument document = pt2::downgrade_document(
      schemagen::JsonDocument(json, {}), {released::kSchemaMajor, released::kSchemaMinor});
  for (const pt2::UnsupportedValue& value : document.unsupported) {
    std::cout << path.filename() << ": refused: " << value.path << ": " << value.what << "\n";
  }
  if (!document.unsupported.empty()) return document.text.empty();
  schemagen::JsonReadOptions strict;
  strict.bare_nonfinite = released::kSchemaMinor <= 2;
  if (!is_known) return false;
  released::ExportedProgram expected = read_released(path);
  write_tuples_of_one(pt2::load_program(path.string()).program.graph_module.graph, expected);
  return schemagen::to_json(schemagen::from_json<released::ExportedProgram>(document.text, strict)) ==
         schemagen::to_json(expected);
}

bool check(const fs::path& path, const std::optional<released::ExportedProgram>& program) {
  try {
    if (program && !reads_alike(*program)) {
      std::cerr << path << ": the two forms differ\n";
    } else if (!downgrades(path, program.has_value())) {
      std::cerr << path << ": the downgraded program is not what this minor reads\n";
    } else {
      return true;
    }
  } catch (const schemagen::Error& error) {
    std::cerr << path << ": " << error.what() << "\n";
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  int checked = 0;
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : fs::directory_iterator(argv[i])) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "about.json") continue;
      std::optional<released::ExportedProgram> program;
      try {
        program = read_released(entry.path());
        ++checked;
      } catch (const schemagen::DataError& error) {
        std::cout << entry.path().filename() << ": not in this minor: " << error.what() << "\n";
      }
      if (!check(entry.path(), program)) ++failed;
    }
  }
  std::cout << checked << " programs\n";
  return failed == 0 && checked >= 10 ? 0 : 1;
}
