#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "pt2/types.h"

namespace pt2::tool {

/// With its record.
struct EditedConfig {
  std::string record;
  PayloadConfig config;
  std::vector<std::string> empty_records;  // additional ones in the copy
};

struct EditedProgram {
  ProgramFile file;
  LoadedProgram loaded;
  std::optional<std::string> model;   // in an archive
  std::vector<EditedConfig> configs;  // for an archive output; empty if weights are pickled
  bool is_archive = false;
};

/// Commands that keep all lists and the positions of their items preserve unknown fields of a newer schema;
/// others pass a reason to reject them. Throws UsageError if `out` cannot be written, and the errors of
/// load_to_write().
EditedProgram open_to_edit(const std::string& in, const std::string& out,
                           const std::optional<std::string>& model, const char* why_refused = nullptr);

/// A copy of the archive, .pt2b, or JSON.
void write_edited(const EditedProgram& edited, const std::string& out);

}  // namespace pt2::tool
