#include "output.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "schemagen/base/file_system.h"
#include "schemagen/base/quote.h"

namespace pt2::tool {
namespace {

/// `.json, .pt2b or .pt2`
std::string endings_of(std::initializer_list<FileFormat> formats) {
  constexpr const char* kEndings[] = {".json", ".pt2b", ".pt2"};
  std::string text;
  for (const FileFormat* format = formats.begin(); format != formats.end(); ++format) {
    if (format != formats.begin()) text += format + 1 == formats.end() ? " or " : ", ";
    text += kEndings[static_cast<std::size_t>(*format)];
  }
  return text;
}

}  // namespace

void add_output_option(Command command, std::string& out, const std::string& what) {
  command.add_option("-o OUT", out, what);
}

void add_report_option(Command command, bool& json) {
  command.add_flag("--json", json, "Print a report of the changes as a JSON object");
}

void require_report(const FileArguments& arguments) {
  if (!arguments.json || arguments.out != "-") return;
  throw schemagen::UsageError("--json writes to standard output, so -o must name a file");
}

void print_report(const FileArguments& arguments, const std::function<void(ReportWriter&)>& add) {
  if (!arguments.json) return;
  ReportWriter json;
  json.object("file", shown_path(arguments.in), "out",
              arguments.out.empty() ? std::nullopt : std::optional(shown_path(arguments.out)),
              [&] { add(json); });
  write_output(json.text() + "\n");
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

Edit::Edit(const FileArguments& arguments)
    : file((require_report(arguments),
            require_output(arguments.out, {FileFormat::json, FileFormat::pt2b, FileFormat::archive}),
            open_input(arguments.in))),
      source{file, arguments.loading.model, notice_printer(arguments.in)},
      target(output_target(arguments.out)) {}

void require_no_folder(const std::string& out) {
  std::error_code ignored;
  const bool is_folder = out != "-" && std::filesystem::is_directory(out, ignored);
  if (is_folder) throw schemagen::FileIoError("cannot write", out, EISDIR);
}

void write_bytes(std::string_view bytes, const std::string& out) {
  out == "-" ? write_output(bytes) : write_file_atomically(out, bytes);
}

void require_other_file(const std::string& in, const std::string& out, const std::string& option) {
  if (in == "-" || out == "-" || !schemagen::is_same_file(in, out)) return;
  throw schemagen::UsageError(option + " " + schemagen::quoted(out) +
                              " is also the input, which would be overwritten; write to another file");
}

SaveTarget output_target(const std::string& out, std::optional<FileFormat> format) {
  if (out == "-") return {write_output, format.value_or(FileFormat::json)};
  return format ? SaveTarget(out, *format) : SaveTarget(out);
}

}  // namespace pt2::tool
