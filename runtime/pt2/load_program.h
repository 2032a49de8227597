// Loads programs from files and upgrades programs with older schema versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/program_file.h"
#include "pt2/types.h"
#include "pt2/upgrade/upgrade.h"
#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/map.h"
#include "schemagen/base/unknown_fields.h"

namespace pt2 {

/// Selects the programs to upgrade to the current schema version; see upgrade.h.
enum class Upgrading {
  older_majors,  // only programs that cannot be read otherwise; all others keep their version
  older_minors,  // also programs with older minor versions; newer ones are left unchanged
  all,           // also programs with older minor versions; a program with a newer version is an error
};

/// Options that select the program to read and specify how to read it. Syntax that the program's version
/// requires is always accepted; see read_options_for().
struct LoadOptions {
  std::optional<std::string> model;  // the model to read from an archive; optional if there is only one
  /// How to treat unknown fields. `keep` preserves them in LoadedProgram::unknown_fields.
  schemagen::UnknownFields unknown_fields = schemagen::UnknownFields::error;
  /// Replaces `unknown_fields` if that is `error` and the program has a newer minor version. Code that only
  /// inspects programs can use `skip` to skip fields that a newer torch added; LoadedProgram::skipped lists
  /// these fields.
  schemagen::UnknownFields newer_fields = schemagen::UnknownFields::skip_empty;
  /// Fields to skip. For example, `{schemagen::field_name<&pt2::Node::metadata>}` skips node metadata, which
  /// makes up half of a large program. See schemagen/base/visit.h and JsonReadOptions::leave_out.
  std::vector<schemagen::FieldName> leave_out;
  /// Whether to accept bare NaN and Infinity in JSON of any schema version.
  bool bare_nonfinite = false;
  Upgrading upgrading = Upgrading::older_majors;
  UpgradeOptions upgrade;
  /// The newest operator set version that the caller can run, by namespace. Other namespaces are not checked.
  schemagen::Map<std::int64_t> supported_opset;
};

/// The .pt2b file that a program was read from.
struct BinaryFileSource {
  BinaryFileHeader header;
  Compression compression = Compression::none;
  std::size_t payload_bytes = 0;  // size before compression
  std::size_t file_bytes = 0;
};

/// Where a program was read from.
struct ProgramSource {
  std::optional<BinaryFileSource> binary_file;  // set for a .pt2b file; all other members are then empty
  std::optional<Container> container;           // nullopt for JSON without a container
  /// For example, "0", or the schema version for an old zip. Empty without a container.
  std::string archive_version;
  std::vector<std::string> models;  // all models in the archive, in the archive's order
  std::string model;                // the model that was read; empty without a container
  std::size_t json_bytes = 0;
};

struct LoadedProgram {
  ExportedProgram program;
  ProgramSource source;
  std::optional<SchemaVersion> upgraded_from;    // the version in the file, if the program was upgraded
  std::vector<NamedTensor> constants;            // constants inside the program itself (torch 2.1)
  std::vector<UpgradeChange> changes;            // changes that the upgrade made, if reporting was requested
  std::vector<schemagen::SkippedField> skipped;  // unknown fields that were skipped
  std::vector<schemagen::UnknownField> unknown_fields;  // preserved fields; save_program() writes them back
  std::vector<schemagen::FieldName> left_out;           // fields in LoadOptions::leave_out that were skipped
};

/// Returns the schema version of the code that wrote the file. A .pt2b file contains that version in its
/// header.
SchemaVersion writer_of(const LoadedProgram& loaded);

/// Loads a program from `file`.
///
/// Besides the program itself, loading needs memory for the parsed JSON, and for the JSON text unless that is
/// mapped from a file. An upgrade needs twice as much; a binary payload needs no additional memory. Sizes
/// that are known in advance are checked against Limits::memory_bytes.
///
/// Throws UsageError if find_model() does. Throws DataError if the version cannot be read, if the JSON or
/// payload violates the schema, or if the data is otherwise invalid. If the document was upgraded, errors
/// have paths but no positions.
LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options = {});

/// Replaces `into` with the program that the function above would return for `file`. Strings, lists and maps
/// keep their capacity, which never shrinks. To load many programs quickly, reuse one LoadedProgram.
///
/// If the new program has the same structure as the old one and needs no upgrade, nothing is allocated, and
/// this function takes half as long as loading a new LoadedProgram and destroying it. Otherwise, both take
/// the same time.
///
/// Throws the same exceptions as the function above. After an exception, `into` is empty and can be used
/// again.
void load_program(const ProgramFile& file, LoadedProgram& into, const LoadOptions& options = {});

/// Loads a program from the file at `path`; see open_program_file().
LoadedProgram load_program(const std::string& path, const LoadOptions& options = {},
                           const FileOptions& file_options = {});

/// Like load_program(), but returns a failure instead of throwing, even when out of memory.
schemagen::Result<LoadedProgram> try_load_program(const ProgramFile& file,
                                                  const LoadOptions& options = {}) noexcept;
schemagen::Result<void> try_load_program(const ProgramFile& file, LoadedProgram& into,
                                         const LoadOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const std::string& path, const LoadOptions& options = {},
                                                  const FileOptions& file_options = {}) noexcept;

}  // namespace pt2
