// Programs and archives without the parts that torch can do without.
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

/// What can be left out of a program, or of the archive that it is in: torch loads and runs what stays.
enum class SlimPart {
  stack_traces,  // the metadata `stack_trace` of nodes
  metadata,      // all metadata of nodes, which torch.export.unflatten() needs, stack traces included
  samples,       // the sample inputs of archives: `example_inputs` of what torch loads is None
  unused,        // parameters, buffers and constants that nothing uses, and their bytes
  names,         // of values, nodes, subgraphs and symbols: see CanonicalForm::names
};

/// `stack-traces`, `metadata`, `samples`, `unused`, `names`
std::string_view name_of(SlimPart part);
inline constexpr SlimPart kSlimParts[] = {SlimPart::stack_traces, SlimPart::metadata, SlimPart::samples,
                                          SlimPart::unused, SlimPart::names};

/// Takes `part` out of `program`. Of `unused`, returns what the model calls the tensors that are gone: an
/// archive's tables of weights need not have them any more. What an output mutates or a module's signature
/// names is used. O(nodes). Errors: those of canonicalize().
std::vector<std::string> slim(ExportedProgram& program, SlimPart part);

struct SlimOptions {
  std::vector<SlimPart> parts;
  /// Puts in order what has none (tables of values and weights, metadata, guards, models, records) and
  /// numbers tensors anew, so that the same content gives the same bytes, whatever order it was written in.
  bool reproducible = false;
  std::optional<std::string> model;  // nullopt: all
};

struct SlimSaving {
  SlimPart part;
  std::uint64_t bytes = 0;  // of JSON and records, not compressed
};

/// Whether what a newer schema added to a program can stay: not where values are dropped or renamed, which it
/// may use.
bool can_keep_unknown(const SlimOptions& options);

/// Takes the parts out of `program`, one after the other in the order of the enumerators; what each saved, of
/// its JSON.
std::vector<SlimSaving> slim(ExportedProgram& program, const SlimOptions& options);
/// The same of what was read, with what was kept of it. Errors: also DataError, if something was that cannot
/// stay.
std::vector<SlimSaving> slim(LoadedProgram& loaded, const SlimOptions& options);

/// The same of the models of `file`, an archive, which is written to `out` without the parts; all else is
/// copied byte for byte, and what a newer schema added to programs is kept if it can be. Weights pass through
/// in parts. Errors: UsageError if it is no archive, or there is no such model; DataError if its weights are
/// pickled (torch up to 2.8): see write_raw_archive(); those of load_program() and ZipReader::copy().
std::vector<SlimSaving> slim_archive(const ProgramFile& file, const SlimOptions& options,
                                     const ByteSink& out);

}  // namespace pt2
