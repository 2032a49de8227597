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

/// A kind of data that can be dropped from a program or its archive. torch can still load and run the rest.
enum class SlimPart {
  stack_traces,  // the `stack_trace` entries in the metadata of nodes
  metadata,      // all metadata of nodes, including stack traces; torch.export.unflatten() needs the metadata
  samples,       // the sample inputs of archives; without them, torch loads `example_inputs` as None
  unused,        // unused parameters, buffers and constants, and their bytes
  names,         // the names of values, nodes, subgraphs and symbols; see CanonicalForm::names
};

/// Returns the name of `part`: `stack-traces`, `metadata`, `samples`, `unused` or `names`.
std::string_view name_of(SlimPart part);
/// Throws UsageError if there is no such part.
SlimPart slim_part_named(std::string_view name);
inline constexpr SlimPart kSlimParts[] = {SlimPart::stack_traces, SlimPart::metadata, SlimPart::samples,
                                          SlimPart::unused, SlimPart::names};

/// Drops `part` from `program`. If `part` is `unused`, returns the names that the dropped tensors have in the
/// model; an archive's tables of weights no longer need them. A tensor counts as used if an output mutates it
/// or a module's signature names it. Takes O(nodes) time. Throws whatever canonicalize() throws.
std::vector<std::string> slim(ExportedProgram& program, SlimPart part);

struct SlimOptions {
  std::vector<SlimPart> parts;
  /// Whether equal contents produce equal bytes. If true, everything that has no defined order (tables of
  /// values and weights, metadata, guards, models and records) is sorted, and tensors are renumbered.
  bool reproducible = false;
  std::optional<std::string> model;  // the model to change; nullopt for all models
};

struct SlimSaving {
  SlimPart part;
  std::uint64_t bytes = 0;  // size of the dropped JSON and records, uncompressed
};

/// Returns whether a program's unknown fields can be preserved. They cannot if values are dropped or renamed,
/// because unknown fields might use these values.
bool can_keep_unknown(const SlimOptions& options);

/// Drops `options.parts` from the program, in the order of the enumerators, and preserves its unknown fields.
/// Returns how many bytes of JSON each part took. Throws DataError if the fields cannot be preserved.
std::vector<SlimSaving> slim(LoadedProgram& loaded, const SlimOptions& options);

/// Writes the archive `file` to `out` without `options.parts`. Copies the rest byte for byte, and preserves
/// the programs' unknown fields if possible. Streams weights. Throws UsageError if `file` is not an archive
/// or does not contain the model. Throws DataError if the archive's weights are pickled (torch up to 2.8; see
/// write_raw_archive()). Also throws whatever load_program() and ZipReader::copy() throw.
std::vector<SlimSaving> slim_archive(const ProgramFile& file, const SlimOptions& options,
                                     const ByteSink& out);

}  // namespace pt2
