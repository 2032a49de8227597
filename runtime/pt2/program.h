// Exported programs and their files, read and written: the front door of this library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/binary/binary_file.h"
#include "pt2/types.h"
#include "pt2/upgrade/upgrade.h"
#include "schemagen/base/error.h"
#include "schemagen/base/left_out_fields.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/result.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/json/json.h"

namespace pt2 {

/// How a file is read, whatever it holds.
struct FileOptions {
  /// Hold for the whole way from the file's bytes to a program: opening, decompressing, parsing, upgrading.
  /// Those of Limits::for_file() are taken.
  schemagen::Limits limits;
  /// Of members of archives. Of .pt2b files, the checksum is always verified.
  Checksums checksums = Checksums::verify;
  /// Who is told as the file's bytes are gone through, see FileBytes::watch(); empty: nobody.
  ByteSink watcher = {};
};

/// A file that holds exported programs: the JSON of one, one in binary, or an archive. It owns the bytes that
/// the parts borrow; it can be moved, and moving it leaves them where they are.
class ProgramFile {
 public:
  /// Tells by content what the bytes are.
  /// Errors: DataError of open_archive() or BinaryFile, or if the bytes are none of the three.
  explicit ProgramFile(FileBytes bytes, const FileOptions& options = {});

  const FileBytes& bytes() const noexcept { return bytes_; }
  /// The archive; null if the file is not one.
  const Archive* archive() const noexcept { return archive_ ? &*archive_ : nullptr; }
  /// The envelope of a .pt2b file; null if the file is not one. Without both, the bytes are JSON.
  const BinaryFile* envelope() const noexcept { return envelope_ ? &*envelope_ : nullptr; }
  const schemagen::Limits& limits() const noexcept { return limits_; }

 private:
  FileBytes bytes_;
  schemagen::Limits limits_;
  std::optional<Archive> archive_;
  std::optional<BinaryFile> envelope_;
};

/// The file at `path`, `-` for standard input. Errors: IoError; those of ProgramFile.
ProgramFile open_program_file(const std::string& path, const FileOptions& options = {});

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

/// The same functions without exceptions: what they would throw, or memory that runs out, is the result's
/// failure.
schemagen::Result<ProgramFile> try_open_program_file(const std::string& path,
                                                     const FileOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const ProgramFile& file,
                                                  const LoadOptions& options = {}) noexcept;
schemagen::Result<void> try_load_program(const ProgramFile& file, LoadedProgram& into,
                                         const LoadOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const std::string& path, const LoadOptions& options = {},
                                                  const FileOptions& file_options = {}) noexcept;

struct LoadedProgram;
class ProgramFile;

enum class FileFormat { json, pt2b, archive };

/// The format that a file's extension names: .json, .pt2b, .pt2; nullopt for any other extension.
std::optional<FileFormat> format_of_name(std::string_view path);

/// How save_program() writes .pt2b files: compressed, if this library was built with libzstd.
BinaryFileWriteOptions default_binary_options();
/// `options` with what puts back what load_program() kept, which they borrow from `loaded`.
BinaryFileWriteOptions binary_options_of(const LoadedProgram& loaded, BinaryFileWriteOptions options);

/// Writes `program` to the file at `path`, which ends in .json or .pt2b. The file appears whole or not at
/// all. Errors: UsageError for other endings; DataError, if the program cannot be written, see
/// schemagen::to_json() and to_pt2b(); IoError.
void save_program(const ExportedProgram& program, const std::string& path,
                  const BinaryFileWriteOptions& binary = default_binary_options());

/// The same; and where `path` ends in .pt2, writes a copy of the archive `source`, in which `program` takes
/// the place of its model `model`, see model_members(); where that has constants in itself, which only schema
/// 1 had, one in which no tensor is pickled, see save_raw(). The copy may be written over `source`. Errors:
/// also UsageError, if `source` is not an archive; those of find_model() and rewrite_archive().
void save_program(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
                  const std::optional<std::string>& model = std::nullopt);

/// The same functions without exceptions: what they would throw, or memory that runs out, is the result's
/// failure.
schemagen::Result<void> try_save_program(
    const ExportedProgram& program, const std::string& path,
    const BinaryFileWriteOptions& binary = default_binary_options()) noexcept;
schemagen::Result<void> try_save_program(const ExportedProgram& program, const std::string& path,
                                         const ProgramFile& source,
                                         const std::optional<std::string>& model = std::nullopt) noexcept;

/// What is done with a program that was read without some of its fields.
enum class Incomplete { refuse, write };

/// Writes what load_program() gave, as the functions above do, with what it kept: JSON as JSON, binary as
/// binary. A .pt2b file of which nothing was skipped keeps its schema's minor version and id. Errors: also
/// UsageError, where fields were left out, unless `incomplete` says to write what is there; DataError, where
/// a kept field has no place; those of require_no_constants(), unless an archive is written.
void save_program(const LoadedProgram& loaded, const std::string& path,
                  Incomplete incomplete = Incomplete::refuse);
void save_program(const LoadedProgram& loaded, const std::string& path, const ProgramFile& source,
                  Incomplete incomplete = Incomplete::refuse);

/// Errors: DataError if the program came with constants in itself, see LoadedProgram::constants, and from no
/// archive in which they still are: JSON and .pt2b have no place for them.
void require_no_constants(const LoadedProgram& loaded);

/// The members that make `archive` one with `program` in place of its model `model` (nullopt: the only one):
/// its JSON, as `writing` says, and what torch asks for in an archive of the program's version, see
/// version_members().
/// Errors: those of find_model() and schemagen::to_json().
std::vector<NewMember> model_members(const Archive& archive, const std::optional<std::string>& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing = {});

}  // namespace pt2
