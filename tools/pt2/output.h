// What a command writes: to a file, or for `-` to standard output.
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

/// What commands that change a program write.
constexpr const char* kEditedOutput =
    "What to write: .json, .pt2b, or an archive if IN is one; - is standard output";

/// The option -o.
void add_output_option(tools::Command command, std::string& out, const std::string& what);

/// The option --json of a command that writes to -o.
void add_report_option(tools::Command command, bool& json);

/// What such a command did, for --json: an object that begins with "file" and "out"; null: nothing is
/// written.
class DoneReport {
 public:
  /// `is_wanted`: by --json. Errors: UsageError if what is written would also go to standard output.
  DoneReport(bool is_wanted, const std::string& in, const std::string& out);

  /// Calls `add(json)`, which adds members, and prints the object; if it is wanted.
  void print(const std::function<void(schemagen::JsonWriter&)>& add) const;

 private:
  bool is_wanted_;
  std::string in_;
  std::string out_;
};

/// The format that the name `out` stands for; of `-`, nullopt.
/// Errors: UsageError if `out` is empty, or its ending is not that of one of `formats`; IoError if it is a
/// folder.
std::optional<FileFormat> require_output(const std::string& out, std::initializer_list<FileFormat> formats);

/// Errors: IoError if `out` is a folder, whatever its name ends in.
void require_no_folder(const std::string& out);

/// Errors: UsageError if `out` is called as archives are, and `in` is not an archive that it could be a copy
/// of.
void require_source(const ProgramFile& in, const std::string& out);

/// The program of `file`, called `in`, to be written again as `out`. What a newer schema added is kept where
/// it can be put back: JSON as JSON, binary as binary, and unless there is a reason, `why_refused`, to refuse
/// it. It is then skipped if it is empty. Warns of fields that are skipped. Errors: those of load_program()
/// and, unless `out` is an archive, require_no_constants(); DataError with the reason and both versions.
LoadedProgram load_to_write(const std::string& in, const ProgramFile& file, LoadOptions options,
                            FileFormat out, const char* why_refused = nullptr);

/// Writes `bytes` to `out`. A file appears whole or not at all. Errors: IoError.
void write_bytes(std::string_view bytes, const std::string& out);

/// Writes to `out` the parts that `write` gives it, one after the other. A file appears whole or not at all.
/// Errors: IoError; those of `write`.
void write_parts(const std::function<void(const ByteSink&)>& write, const std::string& out);

/// The same once `check` has seen all of them: what it refuses is written nowhere. Errors: also those of
/// `check`.
void write_checked_parts(const std::function<void(const ByteSink&)>& write, const ByteSink& check,
                         const std::string& out);

/// Errors: UsageError if `out` is the file that is read as `in`, and could only be lost by what is written.
void require_other_file(const std::string& in, const std::string& out);

/// Writes a copy of `archive` with the `changed` members to `out`. Errors: as rewrite_archive(); IoError.
void write_archive(const Archive& archive, const std::vector<NewMember>& changed, const std::string& out);

/// Returns the file `out`, or standard output for `-`. `format` defaults to that of the extension; JSON for
/// `-`.
SaveTarget output_target(const std::string& out, std::optional<FileFormat> format = std::nullopt);

}  // namespace pt2::tool
