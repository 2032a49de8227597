// What `pt2 info --json` prints.
#pragma once

#include <string>
#include <vector>

#include "json_builder.h"
#include "pt2/analysis/stats/stats.h"
#include "pt2/program.h"

namespace pt2::tool {

/// A list of objects with name, type and constant.
void write_values(JsonBuilder& json, const std::vector<SummaryValue>& values);

/// One object, whose keys always are there:
///   file, container ("json", "old_zip", "pt2_archive", "pt2b"), archive_version, models, model, json_bytes;
///   envelope {schema_version, schema_id, schema_is_known, root, compression ("zstd", "none"), payload_bytes,
///   file_bytes};
///   schema_version ("8.20"), torch_version, opset_version {namespace: number}, verifiers;
///   inputs and outputs of the user [{name, type, constant}], other_inputs and other_outputs {kind: count};
///   parameters, buffers, non_persistent_buffers, constants {tensors, elements, bytes, unsized};
///   signature, see signature_json.h; package {aotinductor, executorch, sample_inputs: names of models or
///   files; extra, other: names of records}, null where the file is no archive; nodes, subgraphs, operators
///   {name: count}, the most frequent first; symbols {expression: {min, max}}, guards; skipped_fields [path].
/// archive_version and model are null without an archive, json_bytes for a .pt2b file, envelope for all
/// others, min and max where there is no bound, constant but for inputs that the export fixed: then it is the
/// literal as Python writes it. Kinds are as in the schema.
std::string info_json(const std::string& path, const LoadedProgram& loaded, const Archive* archive);

/// Of an archive without programs, or with several of which none is chosen: it has no keys but those before
/// envelope, signature, which is null, and package.
std::string info_json(const std::string& path, const Archive& archive);

}  // namespace pt2::tool
