#include "pt2/report/reports.h"

#include "pt2/archive/contents.h"
#include "pt2/schema_info.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"

namespace pt2 {
namespace {

auto tensors_of(ReportWriter& json, const TensorCount& count) {
  return [&] {
    json.object("tensors", count.tensors, "elements", count.elements, "bytes", count.bytes, "unsized",
                count.unsized);
  };
}

const char* container_name(const ProgramSource& source) {
  if (source.binary_file) return "pt2b";
  if (!source.container) return "json";
  return *source.container == Container::old_zip ? "old_zip" : "pt2_archive";
}

void write_binary_file(ReportWriter& json, const std::optional<BinaryFileSource>& source) {
  if (!source) return static_cast<void>(json.null());
  const BinaryFileHeader& header = source->header;
  json.object("schema_version", version_text({header.schema_major, header.schema_minor}), "schema_id",
              schema_id_text(header), "schema_is_known", is_own_schema(header), "root", header.root,
              "compression", source->compression == Compression::zstd ? "zstd" : "none", "payload_bytes",
              source->payload_bytes, "file_bytes", source->file_bytes);
}

void write_package(ReportWriter& json, const Archive* archive) {
  if (archive == nullptr) return static_cast<void>(json.null());
  const ArchiveContents contents = contents_of(*archive);
  const auto compiled = [&] {
    json.list(compiled_models(*archive), [&](const CompiledModel& model) {
      json.object("name", model.name, "metadata", model.metadata, "inputs", model.inputs, "outputs",
                  model.outputs);
    });
  };
  json.object("aotinductor", contents.aotinductor, "compiled", compiled, "executorch", contents.executorch,
              "sample_inputs", contents.sample_inputs, "extra", contents.extra, "other", contents.other);
}

void write_source(ReportWriter& json, const ProgramSource& source) {
  const bool has_model = !source.model.empty();
  const auto if_any = [](bool is_there, const auto& value) {
    return is_there ? std::optional(value) : std::nullopt;
  };
  json.members("container", container_name(source), "archive_version",
               if_any(source.container.has_value(), source.archive_version), "models", source.models, "model",
               if_any(has_model, source.model), "json_bytes",
               if_any(!source.binary_file && (has_model || !source.container), source.json_bytes), "envelope",
               [&] { write_binary_file(json, source.binary_file); });
}

void write_summary(ReportWriter& json, const ProgramSummary& summary) {
  json.members(
      "inputs", [&] { write_values(json, summary.user_inputs); }, "other_inputs", summary.other_inputs,
      "outputs", [&] { write_values(json, summary.user_outputs); }, "other_outputs", summary.other_outputs,
      "parameters", tensors_of(json, summary.parameters), "buffers", tensors_of(json, summary.buffers),
      "non_persistent_buffers", tensors_of(json, summary.non_persistent_buffers), "constants",
      tensors_of(json, summary.constants), "nodes", summary.nodes, "subgraphs", summary.subgraphs,
      "operators", summary.operators);
}

constexpr const char* kBeforePackage[] = {
    "schema_version", "upgraded_from", "torch_version",          "opset_version", "verifiers", "inputs",
    "other_inputs",   "outputs",       "other_outputs",          "parameters",    "buffers",   "constants",
    "nodes",          "subgraphs",     "non_persistent_buffers", "operators",     "signature"};
constexpr const char* kAfterPackage[] = {"symbols", "guards", "skipped_fields"};

void write_package_only(ReportWriter& json, const Archive& archive) {
  for (const char* const key : kBeforePackage) json.key(key).null();
  json.members("package", [&] { write_package(json, &archive); });
  for (const char* const key : kAfterPackage) json.key(key).null();
}

void write_program(ReportWriter& json, const LoadedProgram& loaded, const Archive* archive) {
  const ExportedProgram& program = loaded.program;
  const auto symbols = [&] {
    for (const auto& [symbol, range] : program.range_constraints) {
      json.key(symbol);
      json.object("min", range.min_val, "max", range.max_val);
    }
  };
  json.members("schema_version", version_text(program.schema_version), "upgraded_from",
               old_version_text(loaded.upgraded_from), "torch_version", program.torch_version,
               "opset_version", program.opset_version, "verifiers", program.verifiers);
  write_summary(json, summarize(program));
  json.members(
      "signature", [&] { write_signature(json, program.graph_module.signature); }, "package",
      [&] { write_package(json, archive); }, "symbols", [&] { json.object(symbols); }, "guards",
      program.guards_code);
  json.list("skipped_fields", loaded.skipped,
            [&](const schemagen::SkippedField& field) { json.string(printable(field.path)); });
}

ProgramSource source_of(const Archive& archive) {
  ProgramSource source;
  source.container = archive.container;
  source.archive_version = archive.version;
  for (const ArchivedModel& model : archive.models) source.models.push_back(model.name);
  return source;
}

}  // namespace

std::optional<std::string> old_version_text(const std::optional<SchemaVersion>& version) {
  return version ? std::optional(version_text(*version)) : std::nullopt;
}

void write_values(ReportWriter& json, const std::vector<SummaryValue>& values) {
  json.list(values, [&](const SummaryValue& value) {
    json.object("name", value.name, "type", value.type, "constant", value.constant);
  });
}

std::string info_json(const std::string& file, const LoadedProgram* loaded, const Archive* archive) {
  ReportWriter json;
  json.object("file", file, [&] {
    write_source(json, loaded == nullptr ? source_of(*archive) : loaded->source);
    loaded == nullptr ? write_package_only(json, *archive) : write_program(json, *loaded, archive);
  });
  return json.text();
}

}  // namespace pt2
