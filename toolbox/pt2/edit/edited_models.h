#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/edit/file_operations.h"
#include "pt2/types.h"

namespace pt2 {

struct EditedConfig {
  std::string record;
  PayloadConfig config;
  std::vector<std::string> empty_records;
};

struct EditedModel {
  LoadedProgram loaded;
  std::optional<std::string> model;
  std::vector<EditedConfig> configs;  // empty unless the target is an archive
};

/// Throws UsageError unless the target has a format that can be written from `file`.
FileFormat require_target(const ProgramFile& file, const SaveTarget& target);

/// Functions that keep all lists and the positions of their items preserve unknown fields of a newer schema;
/// others give a reason not to.
EditedModel model_to_edit(const FileSource& source, const SaveTarget& target,
                          const char* why_refused = nullptr);

/// Does the same for all of models_of() if the target is an archive.
std::vector<EditedModel> models_to_edit(const FileSource& source, const SaveTarget& target,
                                        const char* why_refused = nullptr);

/// `edited` are different models of the file.
void write_edited(const ProgramFile& file, const std::vector<EditedModel>& edited, const SaveTarget& target);

}  // namespace pt2
