#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "pt2/types.h"

namespace pt2::tool {

struct EditedConfig {
  std::string record;
  PayloadConfig config;
  std::vector<std::string> empty_records;
};

struct EditedProgram {
  std::shared_ptr<const ProgramFile> file;
  LoadedProgram loaded;
  std::optional<std::string> model;
  std::vector<EditedConfig> configs;
  bool is_archive = false;
};

/// Commands that keep all lists and the positions of their items preserve unknown fields of a newer schema;
/// others give a reason not to. Throws UsageError if `out` cannot be written. Also throws whatever
/// load_to_write() throws.
EditedProgram open_to_edit(const std::string& in, const std::string& out,
                           const std::optional<std::string>& model, const char* why_refused = nullptr);

/// Does the same for all of models_of() if `out` is an archive.
std::vector<EditedProgram> open_all_to_edit(const std::string& in, const std::string& out,
                                            const std::optional<std::string>& model,
                                            const char* why_refused = nullptr);

/// `edited` are different models of one file.
void write_edited(const std::vector<EditedProgram>& edited, const std::string& out);

}  // namespace pt2::tool
