// Changes the programs in files, together with their weights, and writes the results to other files.
#pragma once

#include "pt2/edit/extract.h"
#include "pt2/edit/join.h"
#include "pt2/edit/plain_trees.h"
#include "pt2/edit/retarget.h"
#include "pt2/edit/retype.h"
#include "pt2/edit/slim.h"
#include "pt2/notices.h"
#include "pt2/program.h"
#include "pt2/upgrade/release_target.h"

namespace pt2 {

/// The file that a function below reads, and who hears about what the function skips or drops.
///
/// All functions throw UsageError if the target's extension is unknown, or if the target is an archive but
/// the file is not one. They also throw whatever load_to_write() and save_program() throw. A target that is a
/// file appears either complete or not at all.
struct FileSource {
  const ProgramFile& file;
  /// If nullopt, functions that write whole archives change all models, and others need an only model.
  std::optional<std::string> model = std::nullopt;
  NoticeSink notify = [](const std::string&) {};
};

/// Returns `chosen` or, if that is null and `file` has several models (exported or else compiled), all of
/// them.
std::vector<std::optional<std::string>> models_of(const ProgramFile& file,
                                                  const std::optional<std::string>& chosen);

struct ModelChange {
  std::string model;  // empty for a program without a container
  UpgradeChange change;
};

struct UpgradedFile {
  std::vector<ModelChange> changes;
  std::vector<NewMember> members;  // of the archive, besides the programs
  std::size_t programs = 0;
  bool is_moved = false;  // whether pickled constants made the archive a PT2 archive with raw tensors
};

/// Upgrades all programs that `source` selects to the current schema, and ports their calls; see
/// port_calls(). Changes are listed if `report_changes` is true. Writes nothing if `target` is null.
UpgradedFile upgrade_file(const FileSource& source, const SaveTarget* target, bool report_changes);

/// Ports the calls of `program` to the release `to`, and returns the program's JSON in the schema of that
/// release. The notices are about what was changed or lost. Appends `PATH: REASON` to `refused` for
/// everything that the release cannot express; the JSON is then useless.
std::string downgrade_program(ExportedProgram& program, const ReleaseTarget& to,
                              std::vector<std::string>& refused, const NoticeSink& notify);

/// Does the same to the programs that `source` selects, and writes them in the layout that the release reads.
/// Returns what was refused; unless that is empty, nothing is written.
std::vector<std::string> downgrade_file(const FileSource& source, const ReleaseTarget& to,
                                        const SaveTarget& target);

/// Throws DataError, with all of `refused`, unless it is empty.
void require_none_refused(const std::vector<std::string>& refused);

/// Changes the devices of the programs that `source` selects and of their weights. Returns the number of
/// changes.
std::size_t retarget_file(const FileSource& source, const DeviceChange& change, const SaveTarget& target);

/// Changes the dtype of a program, its weights and its sample inputs; see retarget_archive().
Retyped retarget_file(const FileSource& source, const DtypeChange& change, const SaveTarget& target);

/// Renames values and weights. Returns the changes that renamed weights. Throws UsageError for an archive
/// with pickled weights.
std::vector<NameChange> rename_file(const FileSource& source, const std::vector<NameChange>& changes,
                                    const SaveTarget& target);

/// Joins two programs and their weights. By default, uses connections_in_order(). Also throws whatever join()
/// and matching_weights() throw.
JoinedProgram join_files(const FileSource& first, const FileSource& second,
                         const std::optional<std::vector<Connection>>& connections, const SaveTarget& target);

/// Writes a part of a program, and returns it. Also throws whatever extract() throws.
ExportedProgram extract_file(const FileSource& source, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs, const OperatorSet& operators,
                             const SaveTarget& target);

/// Writes a program, or all of an archive's, without `options.parts`; see slim_archive(). `options.model` is
/// ignored.
std::vector<SlimSaving> slim_file(const FileSource& source, SlimOptions options, const SaveTarget& target);

struct ConvertOptions {
  LoadOptions loading;                // FileSource::model replaces the model
  const ProgramFile* into = nullptr;  // the archive to copy; null means the source itself
  bool plain_tree = false;            // whether to replace classes; see make_trees_plain()
  schemagen::JsonWriteOptions json = {};
  BinaryFileWriteOptions binary = default_binary_options();
};

/// Writes a program in the target's format. In an archive, pickled weights become raw. Returns what
/// `plain_tree` replaced; sample inputs that contain it are dropped.
PlainTrees convert_file(const FileSource& source, const ConvertOptions& options, const SaveTarget& target);

}  // namespace pt2
