// Loads programs for reading or for writing them again, and says what the caller should know about them.
#pragma once

#include <functional>

#include "pt2/save_program.h"

namespace pt2 {

/// Receives printable notices, such as `warning: graph_module.x: skipped; ...`, while a function works.
using NoticeSink = std::function<void(const std::string& notice)>;

/// Returns `written with schema VERSION, read with schema VERSION`.
std::string newer_text(const SchemaVersion& written_by);

/// Returns a warning for each skipped field of a newer schema.
std::vector<std::string> skipped_notices(const std::vector<schemagen::SkippedField>& skipped,
                                         const SchemaVersion& written_by);

/// Passes skipped_notices() to `notify`, and a warning if the archive lacks the records of weights or
/// constants that the program needs.
void notify_about(const ProgramFile& file, const LoadedProgram& loaded, const NoticeSink& notify);

/// Skips unknown fields of a newer schema, and tells about them. Throws whatever load_program() throws.
LoadedProgram load_to_read(const ProgramFile& file, LoadOptions options, const NoticeSink& notify);

/// Does the same, or returns nullopt if the file is an archive with none or several models and
/// `options.model` chooses none.
std::optional<LoadedProgram> load_only_model(const ProgramFile& file, const LoadOptions& options,
                                             const NoticeSink& notify);

/// Preserves unknown fields of a newer schema if they can be written back (JSON to JSON, binary to binary)
/// and `why_refused` is null. Otherwise, skips empty unknown fields, tells about them, and throws DataError,
/// with the reason and both versions, for others. Also throws whatever load_program() and, unless `out` is an
/// archive, require_no_constants() throw.
LoadedProgram load_to_write(const ProgramFile& file, LoadOptions options, FileFormat out,
                            const NoticeSink& notify, const char* why_refused = nullptr);

}  // namespace pt2
