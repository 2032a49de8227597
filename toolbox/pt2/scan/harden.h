// Archives rewritten so that nothing in them could run code when torch loads them.
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
  /// Leave out AOTInductor's packages, which are native code and sources.
  bool drop_native = false;
  /// Keep extra files, which torch hands to the caller as they are.
  bool keep_extra = false;
  /// The only model to be written; nullopt: all of the archive.
  std::optional<std::string> model;
};

/// A record that the new archive does not have, or has without content; or a program that it has, some calls
/// of which could not be made those of today's torch.
struct LeftOut {
  std::string record;  // as it is in the archive, without the top folder
  std::string why;
  bool has_old_calls = false;  // a program
};

/// Writes to `out` an archive of the models of `source`, and says what was left out. All is made anew of
/// values that were read: programs, in the schema of today and with its calls of operators; tensors as raw
/// bytes, with their configs; sample inputs of plain values and tensors, else none; what torch asks for
/// beside them. Only extra files, if they are to be kept, are copied. No more than a part of the weights is
/// in memory. Errors: UsageError if `source` is no archive; DataError if it holds no exported program, a part
/// of a model that cannot be read or is no tensor, or a compiled model, unless that is to be dropped; those
/// of `out`.
std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options = {});

/// Errors: DataError, with the record, if scan_file() finds more than notes in `archive`: what
/// harden_archive() writes is as its names and texts are, and is to be used only if nothing is wrong with
/// them.
void require_harmless(std::string_view archive, const schemagen::Limits& limits = {});

}  // namespace pt2
