// Writes archives from which torch cannot run any code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/file.h"
#include "schemagen/base/limits.h"

namespace pt2 {

class ProgramFile;

struct HardenOptions {
  /// Whether to drop AOTInductor packages, which consist of native code and source code.
  bool drop_native = false;
  /// Whether to keep extra files, which torch passes to the caller unchanged.
  bool keep_extra = false;
  /// The model to write; nullopt for all models.
  std::optional<std::string> model;
};

/// A record that is missing or empty in the new archive, or a program that contains calls that could not be
/// ported to the current torch.
struct LeftOut {
  std::string record;  // the record's name without the top-level folder
  std::string why;
  bool has_old_calls = false;  // whether this is a program with calls that could not be ported
};

/// Writes the models of `source` to `out` as a new archive, and returns what was dropped.
///
/// Copies extra files if they are kept, and encodes everything else again from the values that it read. The
/// new archive contains programs in the newest schema, with current operator calls and without calls that
/// have no results (see drop_calls_without_results()), tensors as raw bytes with their configs, sample inputs
/// if they consist of plain values and tensors, and the other records that torch requires. Streams weights.
///
/// Throws UsageError if `source` is not an archive. Throws DataError if the archive has no exported program,
/// if part of a model cannot be read, if a weight is an object or a tensor subclass that take_apart()
/// refuses, or if there is a compiled model but `drop_native` is false. Also throws whatever `out` throws.
std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options = {});

/// Throws DataError, with the record's name, if scan_file() has findings other than notes for `archive`, or
/// if validate_file() has errors, other than checksums. Call this function on the output of harden_archive()
/// before you use that output, because the output contains names, strings and programs from the source.
void require_harmless(std::string_view archive, const schemagen::Limits& limits = {});

}  // namespace pt2
