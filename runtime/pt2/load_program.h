// Programs read from files, upgraded where they are older.
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

/// Which programs are upgraded, see upgrade.h.
enum class Upgrading {
  older_majors,  // those that cannot be read otherwise; the others keep their version
  older_minors,  // also those of older minors; those of newer ones as they are
  all,           // also those of older minors; one of a newer minor is an error
};

/// Which program of a file is read, and how. What the program's version asks for is allowed anyway, see
/// read_options_for().
struct LoadOptions {
  std::optional<std::string> model;  // which one of an archive; not needed where it has one
  /// `keep` puts what a newer schema added into LoadedProgram::unknown_fields.
  schemagen::UnknownFields unknown_fields = schemagen::UnknownFields::error;
  /// In its place for programs of a newer minor version, where it is `error`. Those that only look at a
  /// program can skip what a newer torch added; LoadedProgram::skipped names it.
  schemagen::UnknownFields newer_fields = schemagen::UnknownFields::skip_empty;
  /// Fields that are passed over, as `{schemagen::field_name<&pt2::Node::metadata>}`, see
  /// schemagen/base/visit.h: half of a large program is the metadata of its nodes. See
  /// JsonReadOptions::leave_out.
  std::vector<schemagen::FieldName> leave_out;
  /// Takes bare NaN and Infinity in JSON of all versions.
  bool bare_nonfinite = false;
  Upgrading upgrading = Upgrading::older_majors;
  UpgradeOptions upgrade;
  /// The newest operator sets that the caller can run, by namespace; those not named are not compared.
  schemagen::Map<std::int64_t> supported_opset;
};

/// The envelope that a program was found in.
struct BinaryFileSource {
  BinaryFileHeader header;
  Compression compression = Compression::none;
  std::size_t payload_bytes = 0;  // not compressed
  std::size_t file_bytes = 0;
};

/// Where a program was found.
struct ProgramSource {
  std::optional<BinaryFileSource> envelope;  // of a .pt2b file, which has none of what follows
  std::optional<Container> container;        // nullopt: JSON without a container
  std::string archive_version;               // "0"; "8.2" of an old zip; empty without container
  std::vector<std::string> models;           // all of the archive, in its order
  std::string model;                         // the one that was read; empty without container
  std::size_t json_bytes = 0;
};

struct LoadedProgram {
  ExportedProgram program;
  ProgramSource source;
  std::optional<SchemaVersion> upgraded_from;    // what the file states; nullopt: as in `program`
  std::vector<NamedTensor> constants;            // those that the file has in the program itself: of schema 1
  std::vector<UpgradeChange> changes;            // of the upgrade, if LoadOptions has them reported
  std::vector<schemagen::SkippedField> skipped;  // of a newer schema
  std::vector<schemagen::UnknownField> unknown_fields;  // likewise; save_program() writes them back
  std::vector<schemagen::FieldName> left_out;           // of LoadOptions::leave_out; all else is in `program`
};

/// Returns the schema version that wrote the file. A .pt2b states it in its header.
SchemaVersion writer_of(const LoadedProgram& loaded);

/// A program of `file`.
/// Memory: beside the value, at most the parsed form of its JSON, and the JSON itself where it is not mapped
/// from a file; twice that for an upgrade; nothing for binary. What is known beforehand is held against
/// `memory_bytes`.
/// Errors: UsageError of find_model(); DataError, e.g. if the version cannot be read, or the JSON or payload
/// breaks a rule of the schema. Of a document that was upgraded, errors have paths, but no places.
LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options = {});

/// Puts a program of `file` in the place of `into`, whose strings, lists and maps keep their memory: for who
/// loads one program after the other. It is equal to what the function above gives.
/// Cost: a program of the same shape, read without an upgrade, half of a load and its drop, as nothing is
/// allocated; of another shape, what a new one costs. Lists and strings keep the capacity of the longest.
/// Errors: as the function above; `into` is then as new, and can be loaded into again.
void load_program(const ProgramFile& file, LoadedProgram& into, const LoadOptions& options = {});

/// A program of the file at `path`, see open_program_file().
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
