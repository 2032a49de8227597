// `-` means standard output.
#pragma once

#include <initializer_list>
#include <string_view>

#include "command.h"
#include "pt2/edit/file_operations.h"
#include "pt2/program.h"
#include "pt2/report/report_writer.h"

namespace pt2::tool {

void add_output_option(Command command, std::string& out, const std::string& what);
/// Adds IN, and -o for any format.
template <class Arguments>
Arguments& add_edit_arguments(Command command) {
  Arguments& arguments = add_file_arguments<Arguments>(command, "IN");
  add_output_option(command, arguments.out,
                    "Output file: .json, .pt2b, or .pt2 if IN is an archive; - for standard output");
  return arguments;
}

void add_report_option(Command command, bool& json);

/// Throws UsageError if both a report and the output go to standard output.
void require_report(const FileArguments& arguments);
/// If --json was given, prints a report that begins with "file" and "out", which is null without an output.
/// `add(json)` must write the other members.
void print_report(const FileArguments& arguments, const std::function<void(ReportWriter&)>& add);

/// Returns nullopt for `-`. Throws UsageError if `out` is empty or not in one of the `formats`. Throws
/// IoError for a folder.
std::optional<FileFormat> require_output(const std::string& out, std::initializer_list<FileFormat> formats);

/// Throws IoError if `out` is a folder.
void require_no_folder(const std::string& out);

/// The input of a command that writes a changed program. Checks --json and OUT, which can have any format,
/// before it opens IN.
struct Edit {
  explicit Edit(const FileArguments& arguments);

  const ProgramFile file;
  const FileSource source;
  const SaveTarget target;
};

/// The file appears either complete or not at all. Throws IoError.
void write_bytes(std::string_view bytes, const std::string& out);

/// Throws UsageError if `out` is the same file as `in`, which would destroy the input.
void require_other_file(const std::string& in, const std::string& out, const std::string& option = "-o");

/// By default, `format` is the extension's, or JSON for `-`.
SaveTarget output_target(const std::string& out, std::optional<FileFormat> format = std::nullopt);

}  // namespace pt2::tool
