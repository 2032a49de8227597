// Reads programs from files, and upgrades older ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/program_file.h"
#include "pt2/types.h"
#include "pt2/upgrade/upgrade.h"
#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/map.h"
#include "schemagen/base/result.h"
#include "schemagen/base/unknown_fields.h"

namespace pt2 {

/// Which programs to upgrade, see upgrade.h.
enum class Upgrading {
  older_majors,  // only those that cannot be read otherwise; others keep their version
  older_minors,  // also older minors; newer minors stay unchanged
  all,           // also older minors; a newer minor is an error
};

/// Which program of a file is read, and how. What the program's version requires is always allowed, see
/// read_options_for().
struct LoadOptions {
  std::optional<std::string> model;  // in an archive; optional if there is only one
  /// `keep` preserves unknown fields in LoadedProgram::unknown_fields.
  schemagen::UnknownFields unknown_fields = schemagen::UnknownFields::error;
  /// Replaces `error` for programs of a newer minor version. Code that only inspects a program can skip
  /// what a newer torch added; LoadedProgram::skipped names it.
  schemagen::UnknownFields newer_fields = schemagen::UnknownFields::skip_empty;
  /// Fields to skip, such as `{schemagen::field_name<&pt2::Node::metadata>}` (schemagen/base/visit.h): the
  /// metadata of nodes is half of a large program. See JsonReadOptions::leave_out.
  std::vector<schemagen::FieldName> leave_out;
  /// Accepts bare NaN and Infinity in JSON of every version.
  bool bare_nonfinite = false;
  Upgrading upgrading = Upgrading::older_majors;
  UpgradeOptions upgrade;
  /// The newest operator sets that the caller can run, by namespace; others are not checked.
  schemagen::Map<std::int64_t> supported_opset;
};

/// The .pt2b file that a program was read from.
struct BinaryFileSource {
  BinaryFileHeader header;
  Compression compression = Compression::none;
  std::size_t payload_bytes = 0;  // not compressed
  std::size_t file_bytes = 0;
};

/// Where a program was found.
struct ProgramSource {
  std::optional<BinaryFileSource> binary_file;  // of a .pt2b file; then the other members are empty
  std::optional<Container> container;           // nullopt: JSON without a container
  std::string archive_version;                  // "0"; "8.2" of an old zip; empty without a container
  std::vector<std::string> models;              // all models of the archive, in order
  std::string model;                            // the model that was read; empty without a container
  std::size_t json_bytes = 0;
};

struct LoadedProgram {
  ExportedProgram program;
  ProgramSource source;
  std::optional<SchemaVersion> upgraded_from;           // the version in the file; nullopt: as in `program`
  std::vector<NamedTensor> constants;                   // those inside the program itself (schema 1)
  std::vector<UpgradeChange> changes;                   // changes of the upgrade, if requested in LoadOptions
  std::vector<schemagen::SkippedField> skipped;         // skipped fields of a newer schema
  std::vector<schemagen::UnknownField> unknown_fields;  // preserved ones; save_program() writes them back
  std::vector<schemagen::FieldName> left_out;           // the skipped fields of LoadOptions::leave_out
};

/// Returns the schema version that wrote the file; a .pt2b file states it in its header.
SchemaVersion writer_of(const LoadedProgram& loaded);

/// Returns a program of `file`.
/// Memory, besides the value: at most the parsed form of the JSON, and the JSON itself unless it is mapped
/// from a file; twice that for an upgrade; none for binary. Sizes that are known in advance are checked
/// against `memory_bytes`.
/// Throws UsageError of find_model(); DataError if, for example, the version cannot be read, or the JSON
/// or payload violates the schema. If the document was upgraded, errors have paths but no places.
LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options = {});

/// Replaces `into` by a program of `file`, equal to what the function above returns. Strings, lists and
/// maps keep their memory, and the capacity of the longest: to load many programs, reuse one
/// LoadedProgram.
/// Cost for a program of the same shape, without an upgrade: half of a load and destruction, because
/// nothing is allocated. For another shape: that of a new one.
/// Errors: as above; `into` is then empty, and can be used again.
void load_program(const ProgramFile& file, LoadedProgram& into, const LoadOptions& options = {});

/// Returns a program of the file at `path`, see open_program_file().
LoadedProgram load_program(const std::string& path, const LoadOptions& options = {},
                           const FileOptions& file_options = {});

/// Like load_program(), but return exceptions, including running out of memory, as a failure.
schemagen::Result<LoadedProgram> try_load_program(const ProgramFile& file,
                                                  const LoadOptions& options = {}) noexcept;
schemagen::Result<void> try_load_program(const ProgramFile& file, LoadedProgram& into,
                                         const LoadOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const std::string& path, const LoadOptions& options = {},
                                                  const FileOptions& file_options = {}) noexcept;

}  // namespace pt2
