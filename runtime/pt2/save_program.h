// Writing exported programs.
//
// All functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive_rewrite.h"
#include "pt2/binary/binary_file.h"
#include "pt2/types.h"
#include "schemagen/json/options.h"
#include "schemagen/value/result.h"

namespace pt2 {

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
/// also UsageError, if `source` is not an archive; DataError of find_model() and rewrite_archive().
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
/// Errors: DataError of find_model() and schemagen::to_json().
std::vector<NewMember> model_members(const Archive& archive, const std::optional<std::string>& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing = {});

}  // namespace pt2
