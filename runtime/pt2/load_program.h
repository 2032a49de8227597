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

/// Which programs to upgrade; see upgrade.h.
enum class Upgrading {
  older_majors,  // only those that cannot be read otherwise; others keep their version
  older_minors,  // also older minor versions; newer ones stay unchanged
  all,           // also older minor versions; a newer one is an error
};

/// Which program of a file to read, and how. What the program's version requires is always allowed; see
/// read_options_for().
struct LoadOptions {
  std::optional<std::string> model;  // in an archive; optional if it has only one
  /// `keep` preserves unknown fields in LoadedProgram::unknown_fields.
  schemagen::UnknownFields unknown_fields = schemagen::UnknownFields::error;
  /// Replaces `error` for programs of a newer minor version. Code that only inspects programs can skip fields
  /// that a newer torch added; LoadedProgram::skipped names them.
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
  std::size_t payload_bytes = 0;  // before compression
  std::size_t file_bytes = 0;
};

/// Where a program was found.
struct ProgramSource {
  std::optional<BinaryFileSource> binary_file;  // set for a .pt2b file; the other members are then empty
  std::optional<Container> container;           // nullopt for JSON without a container
  std::string archive_version;                  // "0"; "8.2" for an old zip; empty without a container
  std::vector<std::string> models;              // all models in the archive, in order
  std::string model;                            // the model that was read; empty without a container
  std::size_t json_bytes = 0;
};

struct LoadedProgram {
  ExportedProgram program;
  ProgramSource source;
  std::optional<SchemaVersion> upgraded_from;           // the file's version, if the program was upgraded
  std::vector<NamedTensor> constants;                   // constants inside the program itself (schema 1)
  std::vector<UpgradeChange> changes;                   // made by the upgrade, if requested
  std::vector<schemagen::SkippedField> skipped;         // skipped fields of a newer schema
  std::vector<schemagen::UnknownField> unknown_fields;  // preserved fields; save_program() writes them back
  std::vector<schemagen::FieldName> left_out;           // fields of LoadOptions::leave_out that were skipped
};

/// Returns the schema version that wrote the file; a .pt2b file states it in its header.
SchemaVersion writer_of(const LoadedProgram& loaded);

/// Returns a program from `file`. Besides the value, it takes at most memory for the parsed form of the JSON,
/// and for the JSON itself unless it is mapped from a file; twice that for an upgrade; nothing for binary.
/// Sizes that are known in advance are checked against `memory_bytes`. Throws the UsageErrors of
/// find_model(), and DataError if, for example, the version cannot be read, or the JSON or payload violates
/// the schema. If the document was upgraded, errors have paths but no positions.
LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options = {});

/// Replaces `into` with a program from `file`, equal to what the function above returns. Strings, lists and
/// maps keep their memory, and as much capacity as they ever had: to load many programs, reuse one
/// LoadedProgram. If the program has the same shape and needs no upgrade, this takes half as long as loading
/// a new one and destroying it, because nothing is allocated. Otherwise it takes as long as loading a new
/// one. Throws as above; `into` is then empty and can be used again.
void load_program(const ProgramFile& file, LoadedProgram& into, const LoadOptions& options = {});

/// Returns a program from the file at `path`; see open_program_file().
LoadedProgram load_program(const std::string& path, const LoadOptions& options = {},
                           const FileOptions& file_options = {});

/// Does the same as load_program(), but returns exceptions, even for running out of memory, as a failure.
schemagen::Result<LoadedProgram> try_load_program(const ProgramFile& file,
                                                  const LoadOptions& options = {}) noexcept;
schemagen::Result<void> try_load_program(const ProgramFile& file, LoadedProgram& into,
                                         const LoadOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const std::string& path, const LoadOptions& options = {},
                                                  const FileOptions& file_options = {}) noexcept;

}  // namespace pt2
