// Validates a file and each program in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/file.h"
#include "pt2/findings/finding.h"
#include "pt2/types.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/unknown_fields.h"

namespace pt2 {

/// A program that could be read.
struct GoodProgram {
  std::optional<std::string> model;  // nullopt if the file is not an archive
  std::string record;  // the name without the top-level folder; empty if the file is not an archive
  SchemaVersion version;
  std::optional<SchemaVersion> upgraded_from;
  std::size_t nodes = 0;
  std::vector<schemagen::SkippedField> skipped;
  SchemaVersion written_by;  // see writer_of()
  /// Findings from verify(), verify_weights() and, for the first program, verify_checksums().
  std::vector<Finding> findings;
  std::vector<Finding> record_findings;  // findings from verify_records()
};

/// A file or program that could not be read.
struct Unreadable {
  std::optional<std::string> model;  // nullopt for the whole file
  /// An UNREADABLE finding. Its record is the model's record, or empty for the whole file.
  Finding finding;
};

/// Returns an UNREADABLE finding for `error`.
Finding unreadable(const schemagen::DataError& error, std::string record = {});

struct ValidatedFile {
  std::vector<GoodProgram> programs;
  std::vector<Unreadable> unreadable;
  std::string compiled;  // compiled_package_text(); unless it is empty, nothing was checked
};

/// Whether to verify the checksums of an archive's records, which requires reading the whole archive.
enum class RecordChecksums { compare, skip };

/// Checks all programs in a file, with the operators in `operators`.
/// `newer_fields` specifies how to treat unknown fields of newer schemas. Findings from verify_checksums()
/// are added to those of the first program. A file or program that cannot be read is listed in `unreadable`;
/// no exception is thrown.
ValidatedFile validate_file(FileBytes bytes, const OperatorSet& operators,
                            schemagen::UnknownFields newer_fields,
                            RecordChecksums checksums = RecordChecksums::compare,
                            const schemagen::Limits& limits = {});

}  // namespace pt2
