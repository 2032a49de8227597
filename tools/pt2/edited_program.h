// A program that a command changes and writes again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "pt2/types.h"

namespace pt2::tool {

/// A table of weights or constants beside a program, and the record that holds it.
struct EditedConfig {
  std::string record;
  PayloadConfig config;
  std::vector<std::string> empty_records;  // that the copy is to have beside those of the archive
};

struct EditedProgram {
  ProgramFile file;
  LoadedProgram loaded;
  std::optional<std::string> model;   // which one of the archive
  std::vector<EditedConfig> configs;  // of an archive that is to be written; none: its weights are pickled
  bool is_archive = false;            // what is to be written
};

/// The program of the file `in`, to be written to `out`. What a newer schema added is kept by commands that
/// leave each list as long as it is, and its items where they are; others have a reason to refuse it.
/// Errors: UsageError, if `out` cannot be written; those of load_to_write().
EditedProgram open_to_edit(const std::string& in, const std::string& out,
                           const std::optional<std::string>& model, const char* why_refused = nullptr);

/// Writes it: as `out` is called, an archive with everything else as it was, a .pt2b, or JSON.
void write_edited(const EditedProgram& edited, const std::string& out);

}  // namespace pt2::tool
