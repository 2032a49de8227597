// Returns JSON reports about programs, for the option `--json` of the commands and for other languages.
#pragma once

#include <optional>

#include "pt2/diff/program_diff.h"
#include "pt2/infer/infer_types.h"
#include "pt2/program.h"
#include "pt2/report/columns.h"
#include "pt2/report/report_writer.h"
#include "pt2/stats/stats.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns one object, which always has these keys:
///   file, container ("json", "old_zip", "pt2_archive", "pt2b"), archive_version, models, model, json_bytes;
///   envelope {schema_version, schema_id, schema_is_known, root, compression ("zstd", "none"), payload_bytes,
///   file_bytes};
///   schema_version ("MAJOR.MINOR"), torch_version, opset_version {namespace: number}, verifiers;
///   inputs and outputs of the user [{name, type, constant}], other_inputs and other_outputs {kind: count};
///   parameters, buffers, non_persistent_buffers, constants {tensors, elements, bytes, unsized};
///   signature, see signature_json(); package {aotinductor, executorch, sample_inputs: names of models or
///   files; compiled [{name, metadata {key: text}, inputs, outputs}], see CompiledModel; extra, other: names
///   of records}; nodes, subgraphs, operators {name: count}, most frequent first; symbols {expression: {min,
///   max}}, guards; skipped_fields [path].
/// These are null: archive_version, model and package without an archive; json_bytes for a .pt2b file, and
/// envelope for other files; a missing bound; constant, unless the export fixed the input. Without a program
/// (`loaded` is null, and `archive` is not), everything about programs is null.
std::string info_json(const std::string& file, const LoadedProgram* loaded, const Archive* archive);

void write_values(ReportWriter& json, const std::vector<SummaryValue>& values);

/// Returns the properties of torch.export.graph_signature.ExportGraphSignature, under the same names.
/// Constants among user_inputs and user_outputs are JSON values; floats that are not finite are strings.
std::string signature_json(const GraphSignature& signature);
void write_signature(ReportWriter& json, const GraphSignature& signature);

/// Returns {"same", "differences": [{"kind", "part", "where", "before", "after", "details": [],
/// "largest_absolute", "largest_relative"}]}. Null means that there is no counterpart or no such number.
std::string differences_json(const std::vector<Difference>& differences);
const char* kind_name(Difference::Kind kind);

inline constexpr const char* kStatsKeys[] = {"operator", "module", "node"};
std::optional<StatsKey> find_stats_key(std::string_view name);
/// Returns a message such as `unknown key 'x', expected operator, module or node`.
std::string unknown_stats_key(std::string_view name);

/// Returns {"parameters", "parameter_bytes", "buffer_bytes", "multiply_adds", "not_counted": {operator:
/// nodes}, "value_bytes", "peak_bytes": null if unknown, "by": [{"name", "nodes", "multiply_adds",
/// "bytes"}]}. Numbers with symbols are strings.
std::string stats_json(const ProgramStats& stats);

/// Returns a number or polynomial as text, e.g. `1,234` or `2*s0 + 1`.
std::string shown(const Polynomial& value);
std::vector<Row> stats_rows(const ProgramStats& stats);

struct AskedOperators {
  std::string name;
  OperatorSupport support;
  bool is_backend = false;

  std::vector<std::string> still_missing(const OperatorUse& use) const;
};

std::vector<std::string> operator_texts(const std::vector<std::string>& targets);

/// Returns {"asked", "missing": count, "operators": [{"name", "nodes", "dtypes": [{"arguments", "results",
/// "nodes"}], "missing": null or {"why", "nodes": names, "decomposes_to": names, "still_missing": names}}]}.
/// The last two are null if they are unknown or not requested.
std::string operators_json(const std::vector<OperatorUse>& uses, const AskedOperators& asked);

/// Returns {"checked": nodes, "differences": [{"node", "operator", "result", "part", "recorded",
/// "inferred"}], "not_checked": [{"node", "operator", "why"}]}.
std::string comparison_json(const TypeComparison& comparison);

std::optional<std::string> old_version_text(const std::optional<SchemaVersion>& version);

}  // namespace pt2
