// Loading programs: from a file's bytes to the value, whatever the file is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/binary/envelope.h"
#include "pt2/types.h"
#include "pt2/upgrade/upgrade.h"
#include "schemagen/json/options.h"

namespace pt2 {

/// A file that holds exported programs: the JSON of one, one in binary, or an archive.
struct ProgramFile {
  FileBytes bytes;
  // Of a zip and of a .pt2b file. They borrow `bytes`; if both are nullopt, these are JSON.
  std::optional<Archive> archive;
  std::optional<Envelope> envelope;
};

/// The file at `path`, `-` for standard input. What it is, is told by its content, not by its name.
/// Errors: IoError; DataError of open_archive() or Envelope, or if it is none of the three.
ProgramFile open_program_file(const std::string& path, const ZipLimits& limits = {});

/// The same of bytes that are in memory already.
ProgramFile open_program_bytes(FileBytes bytes, const ZipLimits& limits = {});

/// Which programs are upgraded, see upgrade.h.
enum class Upgrading {
  older_majors,  // those that cannot be read otherwise; the others keep their version
  all,           // also those of older minors
};

struct LoadOptions {
  std::optional<std::string> model;  // which one of an archive; not needed where it has one
  /// What is set here holds; the document's version may allow more, see read_options_for(). Of `skipped` and
  /// `readable_after` no use is made; `limits` and `unknown_fields` hold for binary files, too.
  schemagen::JsonReadOptions json;
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
  std::vector<schemagen::SkippedField> skipped;  // of a newer schema; all else is in `program`
};

/// A program of `file`. Memory: beside the value, at most the parsed form of its JSON, and the JSON itself
/// where it is not mapped from a file; twice that for an upgrade; nothing for binary. Errors: DataError, e.g.
/// if the version cannot be read, the JSON or payload breaks a rule of the schema, or the choice of the model
/// is not clear. Of a document that was upgraded, errors have paths, but no places.
LoadedProgram load_program(const ProgramFile& file, const LoadOptions& options = {});

/// A program of the file at `path`, see open_program_file().
LoadedProgram load_program(const std::string& path, const LoadOptions& options = {});

}  // namespace pt2
