#include "pt2/report/reports.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/contents.h"
#include "pt2/binary/binary_file.h"
#include "pt2/schema_info.h"
#include "pt2/stats/stats.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"

namespace pt2 {
namespace {

std::string_view key_of(const std::string& name) {
  return name;
}
template <class Kind>
std::string_view key_of(Kind kind) {
  return name_of(kind);
}

template <class Counts>
void write_counts(schemagen::JsonWriter& json, const Counts& counts) {
  json.begin('{');
  for (const auto& [name, count] : counts) json.key(key_of(name)).count(count);
  json.end('}');
}

void write_tensors(schemagen::JsonWriter& json, const TensorCount& count) {
  json.begin('{').key("tensors").count(count.tensors);
  json.key("elements").integer(count.elements).key("bytes").integer(count.bytes);
  json.key("unsized").count(count.unsized).end('}');
}

const char* container_name(const ProgramSource& source) {
  if (source.binary_file) return "pt2b";
  if (!source.container) return "json";
  return *source.container == Container::old_zip ? "old_zip" : "pt2_archive";
}

schemagen::JsonWriter& write_binary_file(schemagen::JsonWriter& json,
                                         const std::optional<BinaryFileSource>& source) {
  if (!source) return json.null();
  const BinaryFileHeader& header = source->header;
  json.begin('{').key("schema_version");
  json.string(version_text({header.schema_major, header.schema_minor}));
  json.key("schema_id").string(schema_id_text(header));
  json.key("schema_is_known").boolean(is_own_schema(header)).key("root").string(header.root);
  json.key("compression").string(source->compression == Compression::zstd ? "zstd" : "none");
  json.key("payload_bytes").count(source->payload_bytes).key("file_bytes").count(source->file_bytes);
  return json.end('}');
}

schemagen::JsonWriter& write_package(schemagen::JsonWriter& json, const Archive* archive) {
  if (archive == nullptr) return json.null();
  const ArchiveContents contents = contents_of(*archive);
  json.begin('{').key("aotinductor").value(contents.aotinductor).key("compiled").begin('[');
  for (const CompiledModel& model : compiled_models(*archive)) {
    json.begin('{').key("name").string(model.name).key("metadata").begin('{');
    for (const auto& [key, value] : model.metadata) json.key(key).string(value);
    json.end('}').key("inputs").value(model.inputs).key("outputs").value(model.outputs).end('}');
  }
  json.end(']').key("executorch").value(contents.executorch);
  json.key("sample_inputs").value(contents.sample_inputs);
  return json.key("extra").value(contents.extra).key("other").value(contents.other).end('}');
}

void write_source(schemagen::JsonWriter& json, const ProgramSource& source) {
  const auto if_contained = [&](const std::string& text) {
    return source.container ? std::optional(text) : std::nullopt;
  };
  json.key("container").string(container_name(source));
  json.key("archive_version").string_or_null(if_contained(source.archive_version));
  json.key("models").value(source.models);
  const bool has_model = !source.model.empty();
  json.key("model").string_or_null(has_model ? std::optional(source.model) : std::nullopt);
  json.key("json_bytes");
  source.binary_file || (source.container && !has_model) ? json.null() : json.count(source.json_bytes);
  write_binary_file(json.key("envelope"), source.binary_file);
}

void write_header(schemagen::JsonWriter& json, const LoadedProgram& loaded) {
  const ExportedProgram& program = loaded.program;
  json.key("schema_version").string(version_text(program.schema_version));
  json.key("upgraded_from").string_or_null(old_version_text(loaded.upgraded_from));
  json.key("torch_version").string(program.torch_version);
  json.key("opset_version").value(program.opset_version).key("verifiers").value(program.verifiers);
}

void write_symbols(schemagen::JsonWriter& json, const schemagen::Map<RangeConstraint>& ranges) {
  json.begin('{');
  for (const auto& [symbol, range] : ranges) {
    json.key(symbol).begin('{').key("min").integer_or_null(range.min_val);
    json.key("max").integer_or_null(range.max_val).end('}');
  }
  json.end('}');
}

void write_summary(schemagen::JsonWriter& json, const ProgramSummary& summary) {
  write_values(json.key("inputs"), summary.user_inputs);
  write_counts(json.key("other_inputs"), summary.other_inputs);
  write_values(json.key("outputs"), summary.user_outputs);
  write_counts(json.key("other_outputs"), summary.other_outputs);
  write_tensors(json.key("parameters"), summary.parameters);
  write_tensors(json.key("buffers"), summary.buffers);
  write_tensors(json.key("non_persistent_buffers"), summary.non_persistent_buffers);
  write_tensors(json.key("constants"), summary.constants);
  json.key("nodes").count(summary.nodes).key("subgraphs").count(summary.subgraphs);
  write_counts(json.key("operators"), summary.operators);
}

constexpr const char* kBeforePackage[] = {
    "schema_version", "upgraded_from", "torch_version",          "opset_version", "verifiers", "inputs",
    "other_inputs",   "outputs",       "other_outputs",          "parameters",    "buffers",   "constants",
    "nodes",          "subgraphs",     "non_persistent_buffers", "operators",     "signature"};
constexpr const char* kAfterPackage[] = {"symbols", "guards", "skipped_fields"};

void write_package_only(schemagen::JsonWriter& json, const Archive& archive) {
  for (const char* const key : kBeforePackage) json.key(key).null();
  write_package(json.key("package"), &archive);
  for (const char* const key : kAfterPackage) json.key(key).null();
}

void write_program(schemagen::JsonWriter& json, const LoadedProgram& loaded, const Archive* archive) {
  write_header(json, loaded);
  write_summary(json, summarize(loaded.program));
  write_signature(json.key("signature"), loaded.program.graph_module.signature);
  write_package(json.key("package"), archive);
  write_symbols(json.key("symbols"), loaded.program.range_constraints);
  std::vector<std::string> skipped;
  for (const schemagen::SkippedField& field : loaded.skipped) skipped.push_back(printable(field.path));
  json.key("guards").value(loaded.program.guards_code).key("skipped_fields").value(skipped);
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

void write_values(schemagen::JsonWriter& json, const std::vector<SummaryValue>& values) {
  json.begin('[');
  for (const SummaryValue& value : values) {
    json.begin('{').key("name").string(value.name).key("type").string(value.type);
    json.key("constant").string_or_null(value.constant).end('}');
  }
  json.end(']');
}

std::string info_json(const std::string& file, const LoadedProgram* loaded, const Archive* archive) {
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("file").string(file);
  write_source(json, loaded == nullptr ? source_of(*archive) : loaded->source);
  loaded == nullptr ? write_package_only(json, *archive) : write_program(json, *loaded, archive);
  json.end('}');
  return std::string(json.view());
}

}  // namespace pt2
