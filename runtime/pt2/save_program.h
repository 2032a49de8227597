// Saves programs to files, to memory, or to a callback.
#pragma once

#include <string_view>
#include <utility>

#include "pt2/archive/archive_rewrite.h"
#include "pt2/load_program.h"
#include "schemagen/json/json.h"

namespace pt2 {

enum class FileFormat { json, pt2b, archive };

/// Returns the format for the path's extension (.json, .pt2b or .pt2), or nullopt for any other extension.
std::optional<FileFormat> format_of_name(std::string_view path);

/// The place that save_program() writes to, and the format.
class SaveTarget {
 public:
  /// Writes a file at `path`, in the format that its extension selects. The file appears either complete or
  /// not at all.
  // NOLINTNEXTLINE(google-explicit-constructor): a path can be passed as a target
  SaveTarget(std::string path) : path_(std::move(path)), format_(format_of_name(path_)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  SaveTarget(const char* path) : SaveTarget(std::string(path)) {}
  /// Writes a file at `path` in `format`, whatever the file's extension is.
  SaveTarget(std::string path, FileFormat format) : path_(std::move(path)), format_(format) {}
  /// Passes the bytes to a callback, in parts. If saving fails, the callback might already have received some
  /// of the bytes.
  SaveTarget(ByteSink sink, FileFormat format) : sink_(std::move(sink)), format_(format) {}

  /// Returns a target that appends to `bytes`, which must outlive the target.
  static SaveTarget memory(std::string& bytes, FileFormat format) {
    return {ByteSink([&bytes](std::string_view part) { bytes += part; }), format};
  }

  const std::string& path() const noexcept { return path_; }             // empty for memory and callbacks
  std::optional<FileFormat> format() const noexcept { return format_; }  // nullopt for an unknown extension

  /// Calls `write` and passes its output to the target. Throws IoError if writing to a file fails. Also
  /// throws whatever `write` throws.
  void write(const ByteSource& write) const;

  /// Throws UsageError with a message such as `cannot write 'model.pt2': WHY`.
  [[noreturn]] void cannot_write(const std::string& why) const;

 private:
  std::string path_;
  ByteSink sink_;
  std::optional<FileFormat> format_;
};

/// Selects the weights in SaveOptions::source that are written to an archive.
enum class SaveWeights {
  as_stored,  // all, copied byte for byte; converted to raw records if the program itself contains constants
              // (torch 2.1)
  raw,        // all, with pickled weights converted to raw records; see write_raw_archive()
  used,       // only the weights that the program reads, in a new archive without sample inputs; for the
              // results of extract()
};

/// Returns the default options for .pt2b files: compressed if this library was built with libzstd.
BinaryFileWriteOptions default_binary_options();

struct SaveOptions {
  /// The archive to copy. The program replaces one of the archive's models. The target can be the same file.
  const ProgramFile* source = nullptr;
  /// The model in `source` to replace. nullopt means the model that the LoadedProgram was read from, or the
  /// only model.
  std::optional<std::string> model = std::nullopt;
  SaveWeights weights = SaveWeights::as_stored;
  /// Whether to leave out the other models in `source`, with their weights and sample inputs.
  bool only_model = false;
  /// Whether to leave out the model's sample inputs, which torch then reads as none.
  bool drop_samples = false;
  /// The program's tensors by name, for a new archive. Used only if `source` is null. The new archive has the
  /// form that torch 2.13 writes, has no sample inputs, and calls its model `model`. Tensors are streamed,
  /// and each Storage is written once.
  const std::vector<NamedTensor>* tensors = nullptr;
  /// Whether a LoadedProgram may be saved if it was read without some of its fields.
  bool incomplete = false;
  schemagen::JsonWriteOptions json = {};
  BinaryFileWriteOptions binary = default_binary_options();

  /// Returns options for a new archive. `tensors` must stay alive until the archive has been written.
  static SaveOptions with_tensors(const std::vector<NamedTensor>& tensors) {
    SaveOptions options;
    options.tensors = &tensors;
    return options;
  }
};

/// Writes `program` to `target`.
///
/// Throws UsageError if the target's extension is unknown. If the target is an archive, also throws
/// UsageError if neither `source` nor `tensors` is set, or if `source` is not an archive. Throws DataError if
/// the program cannot be encoded (see schemagen::to_json() and to_pt2b()). Throws IoError if writing fails.
/// Also throws whatever find_model(), load_weights(), weights_for(), rewrite_archive() and
/// write_raw_archive() throw.
void save_program(const ExportedProgram& program, const SaveTarget& target, const SaveOptions& options = {});

/// Writes `loaded.program` and its unknown fields. Unknown fields from JSON can be written only to JSON, and
/// those from binary files only to binary files. If no field was skipped, a .pt2b file keeps the minor
/// version and id of its schema.
///
/// Also throws UsageError if fields were left out and `options.incomplete` is false. Also throws DataError if
/// the value that an unknown field belonged to no longer exists. Unless the target is an archive, also throws
/// DataError if require_no_constants() does.
void save_program(const LoadedProgram& loaded, const SaveTarget& target, const SaveOptions& options = {});

/// Like save_program(), but returns a failure instead of throwing, even when out of memory.
schemagen::Result<void> try_save_program(const ExportedProgram& program, const SaveTarget& target,
                                         const SaveOptions& options = {}) noexcept;
schemagen::Result<void> try_save_program(const LoadedProgram& loaded, const SaveTarget& target,
                                         const SaveOptions& options = {}) noexcept;

/// Throws UsageError if the program was read without some of its fields.
void require_whole(const LoadedProgram& loaded, const SaveTarget& target);

/// Throws DataError if the program itself contained constants (see LoadedProgram::constants) and did not come
/// from an archive. Such constants would be lost, because JSON and .pt2b cannot store them.
void require_no_constants(const LoadedProgram& loaded);

/// Returns the archive members that replace `model` in `archive` with `program`. These are the program's
/// JSON, written with the options `writing`, and the members that torch requires for the program's version
/// (see version_members()). Throws whatever schemagen::to_json() throws.
std::vector<NewMember> model_members(const Archive& archive, const ArchivedModel& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing = {});

}  // namespace pt2
