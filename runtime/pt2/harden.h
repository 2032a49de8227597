// Archives without anything that could run code when torch loads them.
// Functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/byte_sink.h"
#include "pt2/program.h"

namespace pt2 {

struct HardenOptions {
  /// Leave out native code and source code, AOTInductor's packages with all that is in them.
  bool drop_native = false;
  /// Of an archive whose tensors are pickled, the model that is read and upgraded; nullopt: the only one.
  std::optional<std::string> model;
};

/// A record that the copy does not have, or has without content.
struct LeftOut {
  std::string record;  // as it is in the archive, without the top folder
  std::string why;
};

/// Writes the archive of `source` to `out` without what could run code, and says what was left out: sample
/// inputs that weights_only refuses (torch reads: none), and records that no model needs. Pickled tensors
/// become raw bytes. All else is copied byte for byte, one record after the other. Errors, before anything is
/// written: UsageError if `source` is no archive; DataError, with the record and the name of the global or
/// member, if the model would not be the same without it: objects of custom classes, what scan_file() finds
/// in programs and raw weights, and native code unless it is to be dropped. While writing: those of
/// write_raw_archive() and rewrite_archive(), as for a global in pickled weights.
std::vector<LeftOut> harden_archive(const ProgramFile& source, const ByteSink& out,
                                    const HardenOptions& options = {});

}  // namespace pt2
