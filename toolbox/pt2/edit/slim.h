// Removes the parts of programs and archives that torch does not need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/types.h"

namespace pt2 {

class ProgramFile;
struct LoadedProgram;

/// What can be dropped from a program or its archive. torch can still load and run the rest.
enum class SlimPart {
  stack_traces,  // the metadata `stack_trace` of nodes
  metadata,      // all metadata of nodes, stack traces included; torch.export.unflatten() needs it
  samples,       // the sample inputs of archives: torch then loads `example_inputs` as None
  unused,        // parameters, buffers and constants that nothing uses, and their bytes
  names,         // names of values, nodes, subgraphs and symbols; see CanonicalForm::names
};

/// Returns `stack-traces`, `metadata`, `samples`, `unused` or `names`.
std::string_view name_of(SlimPart part);
inline constexpr SlimPart kSlimParts[] = {SlimPart::stack_traces, SlimPart::metadata, SlimPart::samples,
                                          SlimPart::unused, SlimPart::names};

/// Drops `part` from `program`. For `unused`, returns the names in the model of the dropped tensors, which an
/// archive's tables of weights no longer need; a tensor counts as used if an output mutates it or a module's
/// signature names it. O(nodes). Throws the errors of canonicalize().
std::vector<std::string> slim(ExportedProgram& program, SlimPart part);

struct SlimOptions {
  std::vector<SlimPart> parts;
  /// Whether to write equal bytes for equal content. This sorts everything without a defined order (tables of
  /// values and weights, metadata, guards, models and records) and renumbers tensors.
  bool reproducible = false;
  std::optional<std::string> model;  // nullopt for all models
};

struct SlimSaving {
  SlimPart part;
  std::uint64_t bytes = 0;  // size of the dropped JSON and records, uncompressed
};

/// Returns whether a program's unknown fields can be preserved. They cannot if values, which they may use,
/// are dropped or renamed.
bool can_keep_unknown(const SlimOptions& options);

/// Drops the parts from `program`, in the order of the enumerators. Returns the bytes of JSON that each
/// saved.
std::vector<SlimSaving> slim(ExportedProgram& program, const SlimOptions& options);
/// Does the same for a loaded program with its unknown fields. Also throws DataError if they cannot be
/// preserved.
std::vector<SlimSaving> slim(LoadedProgram& loaded, const SlimOptions& options);

/// Writes the archive `file` to `out` without the parts. Copies the rest byte for byte, and preserves unknown
/// fields of programs if possible. Streams weights. Throws UsageError if `file` is not an archive or has no
/// such model; DataError if its weights are pickled (torch up to 2.8; see write_raw_archive()); and the
/// errors of load_program() and ZipReader::copy().
std::vector<SlimSaving> slim_archive(const ProgramFile& file, const SlimOptions& options,
                                     const ByteSink& out);

}  // namespace pt2
