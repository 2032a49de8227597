// Writes programs to files, to memory, or to a callback.
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

/// Returns the format for a file's extension: .json, .pt2b or .pt2; nullopt for any other.
std::optional<FileFormat> format_of_name(std::string_view path);

/// Where save_program() writes, and in which format.
class SaveTarget {
 public:
  /// A file at `path`, in the format of its extension. It appears either complete or not at all.
  // NOLINTNEXTLINE(google-explicit-constructor): a path can be passed as a target
  SaveTarget(std::string path) : path_(std::move(path)), format_(format_of_name(path_)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  SaveTarget(const char* path) : SaveTarget(std::string(path)) {}
  /// A file whose format differs from its extension's.
  SaveTarget(std::string path, FileFormat format) : path_(std::move(path)), format_(format) {}
  /// A callback that receives the bytes in parts. If writing fails, it may have received some of them.
  SaveTarget(ByteSink sink, FileFormat format) : sink_(std::move(sink)), format_(format) {}

  /// Appends the bytes to `bytes`, which must outlive the target.
  static SaveTarget memory(std::string& bytes, FileFormat format) {
    return {ByteSink([&bytes](std::string_view part) { bytes += part; }), format};
  }

  const std::string& path() const noexcept { return path_; }             // empty for memory and callbacks
  std::optional<FileFormat> format() const noexcept { return format_; }  // nullopt for an unknown extension

  /// Passes the output of `write` to the target. Throws IoError, and whatever `write` throws.
  void write(const ByteSource& write) const;

  /// Throws UsageError with the message `cannot write 'model.pt2': ` and the reason.
  [[noreturn]] void cannot_write(const std::string& why) const;

 private:
  std::string path_;
  ByteSink sink_;
  std::optional<FileFormat> format_;
};

/// Which weights of SaveOptions::source go into an archive.
enum class SaveWeights {
  as_stored,  // all, byte for byte; as raw records if the program itself contains constants (schema 1)
  raw,        // all; pickled ones are converted to raw records, see write_raw_archive()
  used,       // those that the program reads, in a new archive without sample inputs; for extract()
};

/// Returns the default for .pt2b files: compressed, if this library was built with libzstd.
BinaryFileWriteOptions default_binary_options();

struct SaveOptions {
  /// The archive to copy, with the program in place of one of its models. It may be the target.
  const ProgramFile* source = nullptr;
  /// The model in `source`; nullopt means the one that the LoadedProgram was read from, or the only one.
  std::optional<std::string> model = std::nullopt;
  SaveWeights weights = SaveWeights::as_stored;
  /// The program's tensors by name, for a new archive without `source`. The archive is written as by torch
  /// 2.13, without sample inputs; its model is called `model`. Streams the tensors, and writes each Storage
  /// once.
  const std::vector<NamedTensor>* tensors = nullptr;
  /// Allows saving a LoadedProgram that was read without some of its fields.
  bool incomplete = false;
  schemagen::JsonWriteOptions json = {};
  BinaryFileWriteOptions binary = default_binary_options();

  /// Returns options for a new archive. `tensors` must live until it is written.
  static SaveOptions with_tensors(const std::vector<NamedTensor>& tensors) {
    SaveOptions options;
    options.tensors = &tensors;
    return options;
  }
};

/// Writes `program`. Throws UsageError if the target has an unknown extension, if an archive lacks both
/// `source` and `tensors`, or if `source` is not an archive. Throws DataError if the program cannot be
/// written (see schemagen::to_json() and to_pt2b()), and IoError. Also throws the errors of find_model(),
/// load_weights(), weights_for(), rewrite_archive() and write_raw_archive().
void save_program(const ExportedProgram& program, const SaveTarget& target, const SaveOptions& options = {});

/// Writes `loaded.program` with its unknown fields: fields from JSON to JSON, and fields from binary to
/// binary. If nothing was skipped, a .pt2b file keeps its schema's minor version and id. Also throws
/// UsageError if fields were left out, unless `options.incomplete` is set; DataError if the value that an
/// unknown field belonged to no longer exists; and, unless an archive is written, the errors of
/// require_no_constants().
void save_program(const LoadedProgram& loaded, const SaveTarget& target, const SaveOptions& options = {});

/// Do the same as save_program(), but return exceptions, even for running out of memory, as a failure.
schemagen::Result<void> try_save_program(const ExportedProgram& program, const SaveTarget& target,
                                         const SaveOptions& options = {}) noexcept;
schemagen::Result<void> try_save_program(const LoadedProgram& loaded, const SaveTarget& target,
                                         const SaveOptions& options = {}) noexcept;

/// Throws UsageError if the program was read without some of its fields.
void require_whole(const LoadedProgram& loaded, const SaveTarget& target);

/// Throws DataError if the program itself contained constants (see LoadedProgram::constants) that would be
/// lost because no archive has them: JSON and .pt2b have no place for them.
void require_no_constants(const LoadedProgram& loaded);

/// Returns the members that put `program` in place of `model` (nullopt: the only one) in `archive`: its JSON,
/// written with `writing`, and what torch requires for the program's version; see version_members(). Throws
/// the errors of find_model() and schemagen::to_json().
std::vector<NewMember> model_members(const Archive& archive, const std::optional<std::string>& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing = {});

}  // namespace pt2
