// Writes the output of a command to a file, or to standard output for `-`.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/command_line.h"
#include "pt2/program.h"
#include "pt2/report/report_options.h"

namespace pt2::tool {

/// Help for the output of commands that change a program.
constexpr const char* kEditedOutput =
    "The output: .json, .pt2b, or an archive if IN is one; - is standard output";

/// Adds the option -o.
void add_output_option(tools::Command command, std::string& out, const std::string& what);

/// Adds --json to a command that writes to -o.
void add_report_option(tools::Command command, bool& json);

/// The report of such a command for --json: an object that begins with "file" and "out"; "out" is null for a
/// dry run.
class DoneReport {
 public:
  /// `is_wanted`: --json was given. Throws UsageError if the output also goes to standard output.
  DoneReport(bool is_wanted, const std::string& in, const std::string& out);

  /// If the report is wanted, calls `add(json)` for its other members and prints it.
  void print(const std::function<void(schemagen::JsonWriter&)>& add) const;

 private:
  bool is_wanted_;
  std::string in_;
  std::string out_;
};

/// Returns the format for the name `out`; nullopt for `-`. Throws UsageError if `out` is empty, or its
/// extension is not that of one of `formats`; IoError if it is a folder.
std::optional<FileFormat> require_output(const std::string& out, std::initializer_list<FileFormat> formats);

/// Throws IoError if `out` is a folder, whatever its extension.
void require_no_folder(const std::string& out);

/// Throws UsageError if `out` has an archive's extension but `in` is not an archive to copy.
void require_source(const ProgramFile& in, const std::string& out);

/// Loads the program of `file`, called `in`, to write it to `out`. Unknown fields of a newer schema are
/// preserved if they can be written back (JSON to JSON, binary to binary) and `why_refused` is empty.
/// Otherwise empty ones are skipped with a warning. Throws what load_program() throws and, unless `out` is an
/// archive, what require_no_constants() throws; DataError with the reason and both versions.
LoadedProgram load_to_write(const std::string& in, const ProgramFile& file, LoadOptions options,
                            FileFormat out, const char* why_refused = nullptr);

/// Writes `bytes` to `out`. A file appears complete or not at all. Throws IoError.
void write_bytes(std::string_view bytes, const std::string& out);

/// Streams the output of `write` to `out`. A file appears complete or not at all. Throws IoError, and what
/// `write` throws.
void write_parts(const std::function<void(const ByteSink&)>& write, const std::string& out);

/// The same after `check` has seen all parts: if it throws, nothing is written.
void write_checked_parts(const std::function<void(const ByteSink&)>& write, const ByteSink& check,
                         const std::string& out);

/// Throws UsageError if `out` is the file `in`, which writing would destroy.
void require_other_file(const std::string& in, const std::string& out);

/// Writes a copy of `archive` with the `changed` members to `out`. Throws what rewrite_archive() throws;
/// IoError.
void write_archive(const Archive& archive, const std::vector<NewMember>& changed, const std::string& out);

/// Returns the target `out`, or standard output for `-`. `format` defaults to the extension's; JSON for `-`.
SaveTarget output_target(const std::string& out, std::optional<FileFormat> format = std::nullopt);

}  // namespace pt2::tool
