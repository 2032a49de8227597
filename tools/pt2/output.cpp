#include "output.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "console.h"
#include "input.h"
#include "pt2/archive/file.h"
#include "pt2/json.h"
#include "pt2/versions/version.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/json.h"

namespace pt2::tool {
namespace {

const char* ending_of(FileFormat format) {
  switch (format) {
    case FileFormat::json:
      return ".json";
    case FileFormat::pt2b:
      return ".pt2b";
    case FileFormat::archive:
      break;
  }
  return ".pt2";
}

/// `.json, .pt2b or .pt2`
std::string endings_of(std::initializer_list<FileFormat> formats) {
  std::string text;
  for (const FileFormat* format = formats.begin(); format != formats.end(); ++format) {
    if (format != formats.begin()) text += format + 1 == formats.end() ? " or " : ", ";
    text += ending_of(*format);
  }
  return text;
}

/// Null if unknown fields can be written back.
const char* why_not_kept(const ProgramFile& in, FileFormat out) {
  const bool is_of_binary = in.binary_file() != nullptr;
  if (is_of_binary == (out == FileFormat::pt2b)) return nullptr;
  return is_of_binary ? "JSON needs its name, which is also unknown; .pt2b preserves it"
                      : ".pt2b needs its field id, which is also unknown; .json and .pt2 preserve it";
}

[[noreturn]] void refuse_unknown(const SchemaVersion& version, const char* why, const std::string& path,
                                 const schemagen::Place& place) {
  std::string reason = std::string("unknown field: ") + why;
  if (support_for(version) == VersionSupport::newer_minor) {
    reason += "; " + newer_text(version) + ": use a newer release";
  }
  throw schemagen::DataError(reason, path, place);
}

/// `options` may skip some.
LoadedProgram load_without_unknown(const ProgramFile& file, const LoadOptions& options, const char* why) {
  LoadedProgram loaded;
  try {
    loaded = load_program(file, options);
  } catch (const schemagen::DataError& error) {
    LoadOptions keeping = options;
    keeping.newer_fields = schemagen::UnknownFields::keep;
    const LoadedProgram unknown = load_program(file, keeping);  // throws if anything else is wrong
    if (unknown.unknown_fields.empty()) throw;
    refuse_unknown(writer_of(unknown), why, error.path(), error.place());
  }
  if (loaded.unknown_fields.empty()) return loaded;
  refuse_unknown(writer_of(loaded), why, path_text(loaded.unknown_fields.front()), {});
}

}  // namespace

void add_output_option(tools::Command command, std::string& out, const std::string& what) {
  command.add_option("-o", out, what).type_name("OUT");
}

void add_report_option(tools::Command command, bool& json) {
  command.add_flag("--json", json, "Print a report of the changes as a JSON object");
}

DoneReport::DoneReport(bool is_wanted, const std::string& in, const std::string& out)
    : is_wanted_(is_wanted), in_(in), out_(out) {
  if (!is_wanted || out != "-") return;
  throw schemagen::UsageError("--json writes to standard output, so -o must name a file");
}

void DoneReport::print(const std::function<void(schemagen::JsonWriter&)>& add) const {
  if (!is_wanted_) return;
  schemagen::JsonWriter json(report_options());
  json.begin('{').key("file").string(shown_path(in_)).key("out");
  out_.empty() ? json.null() : json.string(shown_path(out_));
  add(json);
  json.end('}');
  write_output(std::string(json.view()) + "\n");
}

std::optional<FileFormat> require_output(const std::string& out, std::initializer_list<FileFormat> formats) {
  if (out.empty()) throw schemagen::UsageError("-o OUT is required; use '-' for standard output");
  if (out == "-") return std::nullopt;
  require_no_folder(out);
  const std::optional<FileFormat> format = format_of_name(out);
  if (format && std::count(formats.begin(), formats.end(), *format) != 0) return format;
  throw schemagen::UsageError("cannot write " + schemagen::quoted(out) + ": OUT must end in " +
                              endings_of(formats) + ", or be '-' for standard output");
}

void require_no_folder(const std::string& out) {
  std::error_code ignored;
  const bool is_folder = out != "-" && std::filesystem::is_directory(out, ignored);
  if (is_folder) throw schemagen::FileIoError("cannot write", out, EISDIR);
}

void require_source(const ProgramFile& in, const std::string& out) {
  if (in.archive() != nullptr || format_of_name(out) != FileFormat::archive) return;
  throw schemagen::UsageError("cannot write " + schemagen::quoted(out) +
                              ": an archive needs weights, but IN is not an archive");
}

LoadedProgram load_to_write(const std::string& in, const ProgramFile& file, LoadOptions options,
                            FileFormat out, const char* why_refused) {
  if (why_refused == nullptr) why_refused = why_not_kept(file, out);
  options.newer_fields =
      why_refused == nullptr ? schemagen::UnknownFields::keep : schemagen::UnknownFields::skip_empty;
  LoadedProgram loaded =
      why_refused != nullptr ? load_without_unknown(file, options, why_refused) : load_program(file, options);
  write_diagnostic(skipped_warnings(in, loaded.skipped, writer_of(loaded)));
  write_diagnostic(unfinished_warning(in, file, loaded));
  if (out != FileFormat::archive) require_no_constants(loaded);
  return loaded;
}

void write_bytes(std::string_view bytes, const std::string& out) {
  out == "-" ? write_output(bytes) : write_file_atomically(out, bytes);
}

void write_parts(const std::function<void(const ByteSink&)>& write, const std::string& out) {
  if (out == "-") return write(write_output);
  AtomicFile file(out);
  write([&](std::string_view part) { file.write(part); });
  file.commit();
}

void write_checked_parts(const std::function<void(const ByteSink&)>& write, const ByteSink& check,
                         const std::string& out) {
  if (out != "-") return write_file_atomically(out, write, check);
  std::string bytes;
  write([&](std::string_view part) { bytes += part; });
  check(bytes);
  write_output(bytes);
}

void require_other_file(const std::string& in, const std::string& out, const std::string& option) {
  if (in == "-" || out == "-" || !is_same_file(in, out)) return;
  throw schemagen::UsageError(option + " " + schemagen::quoted(out) +
                              " is also the input, which would be overwritten; write to another file");
}

void write_archive(const Archive& archive, const std::vector<NewMember>& changed, const std::string& out) {
  write_parts([&](const ByteSink& sink) { rewrite_archive(archive, changed, sink); }, out);
}

SaveTarget output_target(const std::string& out, std::optional<FileFormat> format) {
  if (out == "-") return {write_output, format.value_or(FileFormat::json)};
  return format ? SaveTarget(out, *format) : SaveTarget(out);
}

}  // namespace pt2::tool
