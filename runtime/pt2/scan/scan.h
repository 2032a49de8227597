// What in a file could run code when torch loads it, told by content and not by name.
// Functions may be called from several threads at once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/verify/rules.h"
#include "schemagen/value/limits.h"

namespace pt2 {

/// The rules of scan_file(), by id. An error could run code when torch loads the file, a warning when
/// somebody uses what is in it; a note could not.
const std::vector<Rule>& scan_rules();

/// One place of a file. Names and texts are as in the file: not printable as they stand.
struct ScanFinding {
  const Rule* rule = nullptr;
  /// The record, without the top folder of a PT2 archive: `data/weights/model.pt`; in archives in archives
  /// `data/weights/model.pt!model/data.pkl`; in a text of JSON `models/model.json!byte 1234`; empty: the file
  /// itself.
  std::string record;
  std::string what;  // the global (`posix.system`), symbol or member that it is about
  std::string message;
  std::optional<std::size_t> position;  // byte of the record
};

/// What is found in `bytes`, a whole file: archives and archives in them, pickles of any protocol, texts of
/// JSON that are base64 of such, native code and source code. At most 1000 findings of a rule. Limits:
/// archives in archives 16 levels deep; what is inflated and kept, `limits.memory_bytes`, of each part.
/// Errors: DataError if the file is nothing that torch loads, or is an archive that cannot be read.
std::vector<ScanFinding> scan_file(std::string_view bytes, const schemagen::Limits& limits = {});

}  // namespace pt2
