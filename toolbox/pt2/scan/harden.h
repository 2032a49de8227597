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
  /// Drops AOTInductor packages, which are native code and source code.
  bool drop_native = false;
  /// Keeps extra files, which torch passes on to the caller unchanged.
  bool keep_extra = false;
  /// The only model to write; nullopt for all models.
  std::optional<std::string> model;
};

/// A record that is missing or empty in the new archive, or a program in it with calls that could not be
/// ported to the current torch.
struct LeftOut {
  std::string record;  // its name in the archive, without the top folder
  std::string why;
  bool has_old_calls = false;  // whether it is a program with such calls
};

/// Writes the models of `source` to `out` as an archive, and returns what was dropped. Everything is written
/// from values that were read: programs in the newest schema and with current operator calls; tensors as raw
/// bytes with their configs; sample inputs if they are plain values and tensors; and the other records that
/// torch requires. Only extra files are copied, if they are kept. Streams weights. Throws UsageError if
/// `source` is not an archive; DataError if it has no exported program, if part of a model cannot be read, if
/// a weight is not a tensor, or if a compiled model would have to be dropped without `drop_native`; and what
/// `out` throws.
std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options = {});

/// Throws DataError, with the record, if scan_file() has findings other than notes for `archive`. Call this
/// on the output of harden_archive() before you use it, because it contains names and strings from the
/// source.
void require_harmless(std::string_view archive, const schemagen::Limits& limits = {});

}  // namespace pt2
