// Exported programs and their files: the front door of this library. save_program.h, which comes along,
// writes.
//
// All functions may be called from several threads at once, also on one ProgramFile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/binary/binary_file.h"
#include "pt2/save_program.h"
#include "pt2/types.h"
#include "pt2/upgrade/upgrade.h"
#include "schemagen/json/backend.h"
#include "schemagen/value/kept_fields.h"
#include "schemagen/value/left_out.h"
#include "schemagen/value/limits.h"
#include "schemagen/value/result.h"
#include "schemagen/value/unknown_fields.h"

namespace pt2 {

/// How a file is read, whatever it holds.
struct FileOptions {
  /// Hold for the whole way from the file's bytes to a program: opening, decompressing, parsing, upgrading.
  schemagen::Limits limits;
  /// Of members of archives. Of .pt2b files, the checksum is always verified.
  Checksums checksums = Checksums::verify;
};

/// A file that holds exported programs: the JSON of one, one in binary, or an archive. It owns the bytes that
/// the parts borrow; it can be moved, and moving it leaves them where they are.
class ProgramFile {
 public:
  /// Tells by content what the bytes are.
  /// Errors: DataError of open_archive() or Envelope, or if the bytes are none of the three.
  explicit ProgramFile(FileBytes bytes, const FileOptions& options = {});

  const FileBytes& bytes() const noexcept { return bytes_; }
  /// The archive; null if the file is not one.
  const Archive* archive() const noexcept { return archive_ ? &*archive_ : nullptr; }
  /// The envelope of a .pt2b file; null if the file is not one. Without both, the bytes are JSON.
  const Envelope* envelope() const noexcept { return envelope_ ? &*envelope_ : nullptr; }
  const schemagen::Limits& limits() const noexcept { return limits_; }

 private:
  FileBytes bytes_;
  schemagen::Limits limits_;
  std::optional<Archive> archive_;
  std::optional<Envelope> envelope_;
};

/// The file at `path`, `-` for standard input. Errors: IoError; those of ProgramFile.
ProgramFile open_program_file(const std::string& path, const FileOptions& options = {});

/// Which programs are upgraded, see upgrade.h.
enum class Upgrading {
  older_majors,  // those that cannot be read otherwise; the others keep their version
  all,           // also those of older minors
};

/// Which program of a file is read, and how. What the program's version asks for is allowed anyway, see
/// read_options_for().
struct LoadOptions {
  std::optional<std::string> model;  // which one of an archive; not needed where it has one
  /// `keep` puts what a newer schema added into LoadedProgram::kept.
  schemagen::UnknownFields unknown_fields = schemagen::UnknownFields::error;
  /// Fields that are passed over, as `{schemagen::field_name<&pt2::Node::metadata>}`, see
  /// schemagen/value/field_name.h: half of a large program is the metadata of its nodes. See
  /// JsonReadOptions::leave_out.
  std::vector<schemagen::FieldName> leave_out;
  /// Takes bare NaN and Infinity in JSON of all versions.
  bool bare_nonfinite = false;
  /// Which library parses JSON.
  schemagen::JsonBackend backend = schemagen::JsonBackend::automatic;
  Upgrading upgrading = Upgrading::older_majors;
  UpgradeOptions upgrade;
  /// The newest operator sets that the caller can run, by namespace; those not named are not compared.
  schemagen::Map<std::int64_t> supported_opset;
};

/// The envelope that a program was found in.
struct EnvelopeSource {
  EnvelopeHeader header;
  Compression compression = Compression::none;
  std::size_t payload_bytes = 0;  // not compressed
  std::size_t file_bytes = 0;
};

/// Where a program was found.
struct ProgramSource {
  std::optional<EnvelopeSource> envelope;  // of a .pt2b file, which has none of what follows
  std::optional<Container> container;      // nullopt: JSON without a container
  std::string archive_version;             // "0"; "8.2" of an old zip; empty without container
  std::vector<std::string> models;         // all of the archive, in its order
  std::string model;                       // the one that was read; empty without container
  std::size_t json_bytes = 0;
};

struct LoadedProgram {
  ExportedProgram program;
  ProgramSource source;
  std::optional<SchemaVersion> upgraded_from;    // what the file states; nullopt: as in `program`
  std::vector<NamedTensor> constants;            // those that the file has in the program itself: of schema 1
  std::vector<UpgradeChange> changes;            // of the upgrade, if LoadOptions has them reported
  std::vector<schemagen::SkippedField> skipped;  // of a newer schema
  std::vector<schemagen::KeptField> kept;        // likewise; save_program() puts it back
  std::vector<schemagen::FieldName> left_out;    // of LoadOptions::leave_out; all else is in `program`
};

/// A program of `file`.
/// Memory: beside the value, at most the parsed form of its JSON, and the JSON itself where it is not mapped
/// from a file; twice that for an upgrade; nothing for binary. What is known beforehand is held against
/// `memory_bytes`.
/// Errors: DataError, e.g. if the version cannot be read, the JSON or payload breaks a rule of the schema, or
/// the choice of the model is not clear. Of a document that was upgraded, errors have paths, but no places.
LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options = {});

/// A program of the file at `path`, see open_program_file().
LoadedProgram load_program(const std::string& path, const LoadOptions& options = {},
                           const FileOptions& file_options = {});

/// The same functions without exceptions: what they would throw, or memory that runs out, is the result's
/// failure.
schemagen::Result<ProgramFile> try_open_program_file(const std::string& path,
                                                     const FileOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const ProgramFile& file,
                                                  const LoadOptions& options = {}) noexcept;
schemagen::Result<LoadedProgram> try_load_program(const std::string& path, const LoadOptions& options = {},
                                                  const FileOptions& file_options = {}) noexcept;

}  // namespace pt2
