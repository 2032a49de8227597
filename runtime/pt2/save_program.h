// Programs written to files, to memory, or to a callback.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/archive/archive_rewrite.h"
#include "pt2/archive/file.h"
#include "pt2/archive/tensors/tensor.h"
#include "pt2/binary/binary_file.h"
#include "pt2/load_program.h"
#include "pt2/program_file.h"
#include "pt2/types.h"
#include "schemagen/base/result.h"
#include "schemagen/json/json.h"

namespace pt2 {

enum class FileFormat { json, pt2b, archive };

/// Returns the format that a file's extension names: .json, .pt2b, .pt2; nullopt for any other extension.
std::optional<FileFormat> format_of_name(std::string_view path);

/// Where save_program() writes to, and in which format.
class SaveTarget {
 public:
  /// The file at `path`, in the format of its extension. It appears whole or not at all.
  // NOLINTNEXTLINE(google-explicit-constructor): a path is a target
  SaveTarget(std::string path) : path_(std::move(path)), format_(format_of_name(path_)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  SaveTarget(const char* path) : SaveTarget(std::string(path)) {}
  /// The same in another format than that of its extension.
  SaveTarget(std::string path, FileFormat format) : path_(std::move(path)), format_(format) {}
  /// A callback that is given the bytes in parts. If writing fails, it has been given some of them.
  SaveTarget(ByteSink sink, FileFormat format) : sink_(std::move(sink)), format_(format) {}

  /// Memory: the bytes are appended to `bytes`, which must outlive the target.
  static SaveTarget memory(std::string& bytes, FileFormat format) {
    return {ByteSink([&bytes](std::string_view part) { bytes += part; }), format};
  }

  const std::string& path() const noexcept { return path_; }             // empty for memory and callbacks
  std::optional<FileFormat> format() const noexcept { return format_; }  // nullopt: an unknown extension

  /// Passes to the target what `write` passes to its argument. Errors: IoError; those of `write`.
  void write(const ByteSource& write) const;

 private:
  std::string path_;
  ByteSink sink_;
  std::optional<FileFormat> format_;
};

/// Which weights an archive gets from SaveOptions::source.
enum class SaveWeights {
  as_stored,  // all of them, byte for byte; raw if the program has constants in itself, as of schema 1
  raw,        // all of them; pickled ones become raw, see write_raw_archive()
  used,       // those that the program reads, in a new archive without sample inputs: for extract()
};

/// Returns how .pt2b files are written by default: compressed, if this library was built with libzstd.
BinaryFileWriteOptions default_binary_options();

struct SaveOptions {
  /// For an archive: the archive to copy, with the program in place of one of its models. It may be the file
  /// that is written.
  const ProgramFile* source = nullptr;
  /// The model of `source`; nullopt: the one that the LoadedProgram was read from, or else the only one.
  std::optional<std::string> model = std::nullopt;
  SaveWeights weights = SaveWeights::as_stored;
  /// For an archive without `source`: the program's tensors by name. It is written as torch 2.13 would,
  /// without sample inputs, and its model is called `model`. The bytes of the tensors pass through in parts,
  /// those that share a Storage once.
  const std::vector<NamedTensor>* tensors = nullptr;
  /// Writes a LoadedProgram that was read without some of its fields.
  bool incomplete = false;
  schemagen::JsonWriteOptions json = {};
  BinaryFileWriteOptions binary = default_binary_options();

  /// Options for a new archive. `tensors` must live until it is written.
  static SaveOptions with_tensors(const std::vector<NamedTensor>& tensors) {
    SaveOptions options;
    options.tensors = &tensors;
    return options;
  }
};

/// Writes `program`. Errors: UsageError if the target's extension is none of FileFormat's, an archive is to
/// be written without `source` or `tensors`, or `source` is not an archive; those of find_model(),
/// load_weights(), weights_for(), rewrite_archive() and write_raw_archive(); DataError if the program cannot
/// be written, see schemagen::to_json() and to_pt2b(); IoError.
void save_program(const ExportedProgram& program, const SaveTarget& target, const SaveOptions& options = {});

/// Writes `loaded.program` with the unknown fields that load_program() kept: those of JSON to JSON, those of
/// binary to binary. A .pt2b file of which nothing was skipped keeps its schema's minor version and id.
/// Errors: also UsageError if fields were left out, unless `options.incomplete`; DataError if a kept field
/// has no place; those of require_no_constants(), unless an archive is written.
void save_program(const LoadedProgram& loaded, const SaveTarget& target, const SaveOptions& options = {});

/// Like save_program(), but return exceptions, including running out of memory, as a failure.
schemagen::Result<void> try_save_program(const ExportedProgram& program, const SaveTarget& target,
                                         const SaveOptions& options = {}) noexcept;
schemagen::Result<void> try_save_program(const LoadedProgram& loaded, const SaveTarget& target,
                                         const SaveOptions& options = {}) noexcept;

/// Throws DataError if the program came with constants in itself, see LoadedProgram::constants, and not from
/// an archive that still has them: JSON and .pt2b have no place for them.
void require_no_constants(const LoadedProgram& loaded);

/// Returns the members that make `archive` one with `program` in place of its model `model` (nullopt: the
/// only one): its JSON, as `writing` says, and what torch asks for in an archive of the program's version,
/// see version_members(). Errors: those of find_model() and schemagen::to_json().
std::vector<NewMember> model_members(const Archive& archive, const std::optional<std::string>& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing = {});

}  // namespace pt2
