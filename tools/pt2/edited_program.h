// A program that a command changes and writes again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "pt2/types.h"

namespace pt2::tool {

/// A table of weights or constants of a program, and its record.
struct EditedConfig {
  std::string record;
  PayloadConfig config;
  std::vector<std::string> empty_records;  // additional empty records for the copy
};

struct EditedProgram {
  ProgramFile file;
  LoadedProgram loaded;
  std::optional<std::string> model;   // in an archive
  std::vector<EditedConfig> configs;  // for an archive output; empty: its weights are pickled
  bool is_archive = false;            // whether the output is an archive
};

/// Reads the program of the file `in` for the output `out`. Commands that keep all lists and the positions of
/// their items preserve unknown fields of a newer schema; others pass a reason to reject them. Throws
/// UsageError if `out` cannot be written; also what load_to_write() throws.
EditedProgram open_to_edit(const std::string& in, const std::string& out,
                           const std::optional<std::string>& model, const char* why_refused = nullptr);

/// Writes the program in the format of `out`: a copy of the archive with it, .pt2b, or JSON.
void write_edited(const EditedProgram& edited, const std::string& out);

}  // namespace pt2::tool
