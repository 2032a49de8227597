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

void write_strings(schemagen::JsonWriter& json, const std::vector<std::string>& strings) {
  json.begin('[');
  for (const std::string& string : strings) json.string(string);
  json.end(']');
}

const char* container_name(const ProgramSource& source) {
  if (source.binary_file) return "pt2b";
  if (!source.container) return "json";
  return *source.container == Container::old_zip ? "old_zip" : "pt2_archive";
}

void write_binary_file(schemagen::JsonWriter& json, const std::optional<BinaryFileSource>& source) {
  if (!source) {
    json.null();
    return;
  }
  const BinaryFileHeader& header = source->header;
  json.begin('{').key("schema_version");
  json.string(version_text({header.schema_major, header.schema_minor}));
  json.key("schema_id").string(schema_id_text(header));
  json.key("schema_is_known").boolean(is_own_schema(header)).key("root").string(header.root);
  json.key("compression").string(source->compression == Compression::zstd ? "zstd" : "none");
  json.key("payload_bytes").count(source->payload_bytes).key("file_bytes").count(source->file_bytes);
  json.end('}');
}

void write_package(schemagen::JsonWriter& json, const Archive* archive) {
  json.key("package");
  if (archive == nullptr) {
    json.null();
    return;
  }
  const ArchiveContents contents = contents_of(*archive);
  json.begin('{').key("aotinductor");
  write_strings(json, contents.aotinductor);
  json.key("compiled").begin('[');
  for (const CompiledModel& model : compiled_models(*archive)) {
    json.begin('{').key("name").string(model.name).key("metadata").begin('{');
    for (const auto& [key, value] : model.metadata) json.key(key).string(value);
    json.end('}').key("inputs");
    write_strings(json, model.inputs);
    json.key("outputs");
    write_strings(json, model.outputs);
    json.end('}');
  }
  json.end(']');
  json.key("executorch");
  write_strings(json, contents.executorch);
  json.key("sample_inputs");
  write_strings(json, contents.sample_inputs);
  json.key("extra");
  write_strings(json, contents.extra);
  json.key("other");
  write_strings(json, contents.other);
  json.end('}');
}

void write_source(schemagen::JsonWriter& json, const ProgramSource& source) {
  const auto if_contained = [&](const std::string& text) {
    return source.container ? std::optional(text) : std::nullopt;
  };
  json.key("container").string(container_name(source));
  json.key("archive_version").string_or_null(if_contained(source.archive_version));
  json.key("models");
  write_strings(json, source.models);
  const bool has_model = !source.model.empty();
  json.key("model").string_or_null(has_model ? std::optional(source.model) : std::nullopt);
  json.key("json_bytes");
  source.binary_file || (source.container && !has_model) ? json.null() : json.count(source.json_bytes);
  json.key("envelope");
  write_binary_file(json, source.binary_file);
}

void write_header(schemagen::JsonWriter& json, const LoadedProgram& loaded) {
  const ExportedProgram& program = loaded.program;
  json.key("schema_version").string(version_text(program.schema_version));
  json.key("upgraded_from").string_or_null(old_version_text(loaded.upgraded_from));
  json.key("torch_version").string(program.torch_version);
  json.key("opset_version").begin('{');
  for (const auto& [name, version] : program.opset_version) json.key(name).integer(version);
  json.end('}').key("verifiers");
  write_strings(json, program.verifiers);
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
  json.key("inputs");
  write_values(json, summary.user_inputs);
  json.key("other_inputs");
  write_counts(json, summary.other_inputs);
  json.key("outputs");
  write_values(json, summary.user_outputs);
  json.key("other_outputs");
  write_counts(json, summary.other_outputs);
  json.key("parameters");
  write_tensors(json, summary.parameters);
  json.key("buffers");
  write_tensors(json, summary.buffers);
  json.key("non_persistent_buffers");
  write_tensors(json, summary.non_persistent_buffers);
  json.key("constants");
  write_tensors(json, summary.constants);
  json.key("nodes").count(summary.nodes).key("subgraphs").count(summary.subgraphs);
  json.key("operators");
  write_counts(json, summary.operators);
}

constexpr const char* kBeforePackage[] = {
    "schema_version", "upgraded_from", "torch_version",          "opset_version", "verifiers", "inputs",
    "other_inputs",   "outputs",       "other_outputs",          "parameters",    "buffers",   "constants",
    "nodes",          "subgraphs",     "non_persistent_buffers", "operators",     "signature"};
constexpr const char* kAfterPackage[] = {"symbols", "guards", "skipped_fields"};

void write_package_only(schemagen::JsonWriter& json, const Archive& archive) {
  for (const char* const key : kBeforePackage) json.key(key).null();
  write_package(json, &archive);
  for (const char* const key : kAfterPackage) json.key(key).null();
}

void write_program(schemagen::JsonWriter& json, const LoadedProgram& loaded, const Archive* archive) {
  write_header(json, loaded);
  write_summary(json, summarize(loaded.program));
  json.key("signature");
  write_signature(json, loaded.program.graph_module.signature);
  write_package(json, archive);
  json.key("symbols");
  write_symbols(json, loaded.program.range_constraints);
  json.key("guards");
  write_strings(json, loaded.program.guards_code);
  std::vector<std::string> skipped;
  for (const schemagen::SkippedField& field : loaded.skipped) skipped.push_back(printable(field.path));
  json.key("skipped_fields");
  write_strings(json, skipped);
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
