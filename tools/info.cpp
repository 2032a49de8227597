// `pt2 info`: what a program is, in numbers and names.
#include <algorithm>
#include <array>
#include <cstddef>

#include "commands.h"
#include "console.h"
#include "json_builder.h"
#include "pt2/binary/binary_file.h"
#include "pt2/program.h"
#include "pt2/show/print.h"
#include "pt2/show/summary.h"
#include "pt2/text/literal.h"
#include "pt2/version/version.h"
#include "signature_json.h"

namespace pt2::tool {
namespace {

// ---- For people ----

/// 1234567 as `1,234,567`.
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

/// `1 node`, `1,234 nodes`.
std::string counted(std::uint64_t number, const std::string& singular, const std::string& plural) {
  return grouped(number) + " " + (number == 1 ? singular : plural);
}

std::string counted(std::uint64_t number, const std::string& noun) {
  return counted(number, noun, noun + "s");
}

struct KindName {
  std::string_view kind;  // in the schema
  const char* singular;
  const char* plural;
};
constexpr KindName kKindNames[] = {
    {"parameter", "parameter", "parameters"},
    {"buffer", "buffer", "buffers"},
    {"tensor_constant", "constant", "constants"},
    {"custom_obj", "custom object", "custom objects"},
    {"token", "token", "tokens"},
    {"loss_output", "loss", "losses"},
    {"buffer_mutation", "mutation of a buffer", "mutations of buffers"},
    {"gradient_to_parameter", "gradient of a parameter", "gradients of parameters"},
    {"gradient_to_user_input", "gradient of a user input", "gradients of user inputs"},
    {"user_input_mutation", "mutation of a user input", "mutations of user inputs"},
    {"parameter_mutation", "mutation of a parameter", "mutations of parameters"},
};

std::string counted_kind(const std::string& kind, std::size_t count) {
  for (const KindName& name : kKindNames) {
    if (name.kind == kind) return counted(count, name.singular, name.plural);
  }
  return counted(count, kind, kind);
}

/// Left-aligned columns, two spaces between them and before the first.
using Row = std::vector<std::string>;
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += "  " + row[i] + std::string(widths[i] - text_width(row[i]), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string envelope_text(const EnvelopeSource& source) {
  const EnvelopeHeader& header = source.header;
  return ".pt2b, schema " + version_text({header.schema_major, header.schema_minor}) + " (id " +
         schema_id_text(header) + (is_own_schema(header) ? ", known" : ", not known") + "), root " +
         printable(header.root) +
         (source.compression == Compression::zstd ? ", compressed (zstd)" : ", not compressed");
}

std::string container_text(const ProgramSource& source) {
  if (source.envelope) return envelope_text(*source.envelope);
  if (!source.container) return "JSON";
  const std::string version =
      source.archive_version.empty() ? "" : ", version " + printable(source.archive_version);
  if (*source.container == Container::old_zip) return "torch.export zip" + version;
  std::string text = "PT2 archive" + version + (source.models.size() == 1 ? ", model " : ", models ");
  for (std::size_t i = 0; i < source.models.size(); ++i) {
    text += (i == 0 ? "" : ", ") + string_literal(source.models[i]);
  }
  return source.models.size() == 1 ? text : text + "; this is " + string_literal(source.model);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + printable(word);
  return text.empty() ? "none" : text;
}

std::vector<Row> size_rows(const ProgramSource& source) {
  if (!source.envelope) return {{"JSON", counted(source.json_bytes, "byte")}};
  return {{"payload", counted(source.envelope->payload_bytes, "byte")},
          {"file", counted(source.envelope->file_bytes, "byte")}};
}

std::string schema_text(const LoadedProgram& loaded) {
  const std::string version = version_text(loaded.program.schema_version);
  return loaded.upgraded_from ? version + ", upgraded from " + version_text(*loaded.upgraded_from) : version;
}

std::string head_text(const std::string& path, const LoadedProgram& loaded) {
  const ExportedProgram& program = loaded.program;
  std::vector<std::string> opset;
  for (const auto [name, version] : program.opset_version)
    opset.push_back(name + " " + std::to_string(version));
  std::vector<Row> rows = {{"container", container_text(loaded.source)},
                           {"schema", schema_text(loaded)},
                           {"torch", printable(program.torch_version)},
                           {"opset", joined(opset)},
                           {"verifiers", joined(program.verifiers)}};
  for (Row& row : size_rows(loaded.source)) rows.push_back(std::move(row));
  return shown_path(path) + "\n" + table(rows);
}

/// A section of values, and a line that counts the others.
std::string values_text(const std::string& title, const std::vector<SummaryValue>& values,
                        const Counts& others) {
  std::vector<Row> rows;
  for (const SummaryValue& value : values) {
    rows.push_back({value.name, value.constant ? "always " + *value.constant : value.type});
  }
  std::string text = "\n" + title + "\n" + table(rows);
  std::string rest;
  for (const auto& [kind, count] : others) rest += (rest.empty() ? "" : ", ") + counted_kind(kind, count);
  if (!rest.empty()) text += std::string("  ") + (values.empty() ? "" : "and ") + rest + "\n";
  return values.empty() && others.empty() ? text + "  none\n" : text;
}

std::string weights_text(const ProgramSummary& summary) {
  const std::array<std::pair<const char*, const TensorCount*>, 4> kinds = {{
      {"parameters", &summary.parameters},
      {"buffers", &summary.buffers},
      {"buffers, not persistent", &summary.non_persistent_buffers},
      {"constants", &summary.constants},
  }};
  std::array<std::size_t, 3> widths = {0, 0, 0};
  std::vector<std::array<std::string, 3>> numbers;
  for (const auto& [name, count] : kinds) {
    numbers.push_back({counted(count->tensors, "tensor"),
                       counted(static_cast<std::uint64_t>(count->elements), "element"),
                       counted(static_cast<std::uint64_t>(count->bytes), "byte")});
    if (count->tensors == 0) continue;
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], numbers.back()[i].size());
  }
  std::vector<Row> rows;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const TensorCount& count = *kinds[k].second;
    if (count.tensors == 0) continue;
    Row row = {kinds[k].first};
    for (std::size_t i = 0; i < widths.size(); ++i) row.push_back(padded_left(numbers[k][i], widths[i]));
    if (count.unsized != 0) row.push_back("and " + grouped(count.unsized) + " of unknown size");
    rows.push_back(std::move(row));
  }
  return rows.empty() ? "" : "\nweights\n" + table(rows);
}

std::string lines_text(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = "\n" + title + "\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

std::string operators_text(const ProgramSummary& summary) {
  std::string text = "\noperators: " + counted(summary.nodes, "node");
  if (summary.subgraphs != 0) text += ", some of them in " + counted(summary.subgraphs, "subgraph");
  text += "\n";
  const std::size_t width = summary.operators.empty() ? 0 : grouped(summary.operators.front().second).size();
  for (const auto& [name, count] : summary.operators) {
    text += "  " + padded_left(grouped(count), width) + "  " + name + "\n";
  }
  return text;
}

std::string info_text(const std::string& path, const LoadedProgram& loaded) {
  const ProgramSummary summary = summarize(loaded.program);
  std::vector<std::string> ranges;
  for (const auto [symbol, range] : loaded.program.range_constraints)
    ranges.push_back(range_text(symbol, range));
  std::vector<std::string> guards;
  for (const std::string& guard : loaded.program.guards_code) guards.push_back(printable(guard));
  return head_text(path, loaded) + values_text("inputs", summary.user_inputs, summary.other_inputs) +
         values_text("outputs", summary.user_outputs, summary.other_outputs) + weights_text(summary) +
         lines_text("symbols", ranges) + lines_text("guards", guards) + operators_text(summary);
}

// ---- For programs ----

void write_values(JsonBuilder& json, const std::vector<SummaryValue>& values) {
  json.begin('[');
  for (const SummaryValue& value : values) {
    json.begin('{').key("name").string(value.name).key("type").string(value.type);
    json.key("constant").string_or_null(value.constant).end('}');
  }
  json.end(']');
}

void write_counts(JsonBuilder& json, const Counts& counts) {
  json.begin('{');
  for (const auto& [name, count] : counts) json.key(name).count(count);
  json.end('}');
}

void write_tensors(JsonBuilder& json, const TensorCount& count) {
  json.begin('{').key("tensors").count(count.tensors);
  json.key("elements").integer(count.elements).key("bytes").integer(count.bytes);
  json.key("unsized").count(count.unsized).end('}');
}

void write_strings(JsonBuilder& json, const std::vector<std::string>& strings) {
  json.begin('[');
  for (const std::string& string : strings) json.string(string);
  json.end(']');
}

const char* container_name(const ProgramSource& source) {
  if (source.envelope) return "pt2b";
  if (!source.container) return "json";
  return *source.container == Container::old_zip ? "old_zip" : "pt2_archive";
}

void write_envelope(JsonBuilder& json, const std::optional<EnvelopeSource>& source) {
  if (!source) {
    json.null();
    return;
  }
  const EnvelopeHeader& header = source->header;
  json.begin('{').key("schema_version");
  json.string(version_text({header.schema_major, header.schema_minor}));
  json.key("schema_id").string(schema_id_text(header));
  json.key("schema_is_known").boolean(is_own_schema(header)).key("root").string(header.root);
  json.key("compression").string(source->compression == Compression::zstd ? "zstd" : "none");
  json.key("payload_bytes").count(source->payload_bytes).key("file_bytes").count(source->file_bytes);
  json.end('}');
}

void write_source(JsonBuilder& json, const ProgramSource& source) {
  const auto if_contained = [&](const std::string& text) {
    return source.container ? std::optional(text) : std::nullopt;
  };
  json.key("container").string(container_name(source));
  json.key("archive_version").string_or_null(if_contained(source.archive_version));
  json.key("models");
  write_strings(json, source.models);
  json.key("model").string_or_null(if_contained(source.model));
  json.key("json_bytes");
  source.envelope ? json.null() : json.count(source.json_bytes);
  json.key("envelope");
  write_envelope(json, source.envelope);
}

void write_header(JsonBuilder& json, const LoadedProgram& loaded) {
  const ExportedProgram& program = loaded.program;
  json.key("schema_version").string(version_text(program.schema_version));
  json.key("upgraded_from").string_or_null(old_version_text(loaded.upgraded_from));
  json.key("torch_version").string(program.torch_version);
  json.key("opset_version").begin('{');
  for (const auto [name, version] : program.opset_version) json.key(name).integer(version);
  json.end('}').key("verifiers");
  write_strings(json, program.verifiers);
}

void write_symbols(JsonBuilder& json, const schemagen::Map<RangeConstraint>& ranges) {
  json.begin('{');
  for (const auto [symbol, range] : ranges) {
    json.key(symbol).begin('{').key("min").integer_or_null(range.min_val);
    json.key("max").integer_or_null(range.max_val).end('}');
  }
  json.end('}');
}

void write_summary(JsonBuilder& json, const ProgramSummary& summary) {
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

/// One object, whose keys always are there:
///   file, container ("json", "old_zip", "pt2_archive", "pt2b"), archive_version, models, model, json_bytes;
///   envelope {schema_version, schema_id, schema_is_known, root, compression ("zstd", "none"), payload_bytes,
///   file_bytes};
///   schema_version ("8.20"), torch_version, opset_version {namespace: number}, verifiers;
///   inputs and outputs of the user [{name, type, constant}], other_inputs and other_outputs {kind: count};
///   parameters, buffers, non_persistent_buffers, constants {tensors, elements, bytes, unsized};
///   signature, see signature_json.h; nodes, subgraphs, operators {name: count}, the most frequent first;
///   symbols {expression: {min, max}}, guards; skipped_fields [path].
/// archive_version and model are null without an archive, json_bytes for a .pt2b file, envelope for all
/// others, min and max where there is no bound, constant but for inputs that the export fixed: then it is the
/// literal as Python writes it. Kinds are as in the schema.
std::string info_json(const std::string& path, const LoadedProgram& loaded) {
  JsonBuilder json;
  json.begin('{').key("file").string(shown_path(path));
  write_source(json, loaded.source);
  write_header(json, loaded);
  write_summary(json, summarize(loaded.program));
  json.key("signature");
  write_signature(json, loaded.program.graph_module.signature);
  json.key("symbols");
  write_symbols(json, loaded.program.range_constraints);
  json.key("guards");
  write_strings(json, loaded.program.guards_code);
  std::vector<std::string> skipped;
  for (const schemagen::SkippedField& field : loaded.skipped) skipped.push_back(printable(field.path));
  json.key("skipped_fields");
  write_strings(json, skipped);
  json.end('}');
  return std::string(json.view()) + "\n";
}

}  // namespace

int run_info(const InfoArguments& arguments) {
  LoadOptions options;
  options.model = arguments.model;
  const LoadedProgram loaded = load_program(arguments.file, options);
  write_diagnostic(skipped_warnings(arguments.file, loaded.skipped));
  write_output(arguments.json ? info_json(arguments.file, loaded) : info_text(arguments.file, loaded));
  return kDone;
}

}  // namespace pt2::tool
