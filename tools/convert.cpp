// `pt2 convert`: the same value in another format.
#include "commands.h"
#include "console.h"
#include "output.h"
#include "output_format.h"
#include "pt2/archive/file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/version/version.h"
#include "schemagen/value/error.h"
#include "value_types.h"

namespace pt2::tool {
namespace {

/// What OUT is to be; nullopt: nothing says so.
std::optional<Format> format_of(const ConvertArguments& arguments) {
  if (arguments.to) return *arguments.to == "pt2b" ? Format::pt2b : Format::json;
  return arguments.out == "-" ? Format::json : format_of_name(arguments.out);
}

/// Of arguments that check_convert() finds nothing wrong with.
OutputFormat output_format(const ConvertArguments& arguments) {
  OutputFormat format;
  format.format = *format_of(arguments);
  format.binary.payload.canonical = arguments.canonical;
  const bool compresses = !arguments.canonical && !arguments.no_compress;
  format.binary.compression = compresses ? Compression::zstd : Compression::none;
  return format;
}

LoadedProgram load_input(const ConvertArguments& arguments, const ProgramFile& file) {
  if (file.envelope && file.envelope->header().root != kProgramType) {
    const std::string root = file.envelope->header().root;
    throw schemagen::DataError("the file holds no program, but a value of type '" + root +
                               "', which is converted with --root " + root);
  }
  LoadOptions options;
  options.model = arguments.model;
  LoadedProgram loaded = load_program(file, options);
  write_diagnostic(skipped_warnings(arguments.in, loaded.skipped));
  return loaded;
}

/// A copy of the archive IN with its program as this library writes it.
int copy_archive(const ConvertArguments& arguments) {
  const ProgramFile file = open_program_file(arguments.in);
  if (!file.archive) {
    write_usage_error("convert", "cannot write '" + arguments.out +
                                     "': an archive holds weights, which IN has not, as it is no archive; "
                                     "OUT may be a .json or .pt2b file");
    return kUsage;
  }
  const LoadedProgram loaded = load_input(arguments, file);
  if (loaded.upgraded_from) {
    write_usage_error("convert", "IN is of version " + version_text(*loaded.upgraded_from) +
                                     ", whose archives have other members: use pt2 upgrade");
    return kUsage;
  }
  const std::string member = find_model(*file.archive, arguments.model).member;
  write_archive(*file.archive, {{member, schemagen::to_json(loaded.program)}}, arguments.out);
  return kDone;
}

std::string convert_program(const ConvertArguments& arguments) {
  return encode(load_input(arguments, open_program_file(arguments.in)).program, output_format(arguments));
}

bool is_of_program(const ConvertArguments& arguments) {
  return !arguments.root || *arguments.root == kProgramType;
}

/// The file's value of type `root`, which is not checked to be of any version.
std::string convert_value(const ConvertArguments& arguments, const ValueType& root) {
  const ProgramFile file = open_program_file(arguments.in);
  if (file.archive)
    throw schemagen::DataError("--root reads JSON or a .pt2b file, and this is a zip archive");
  std::vector<schemagen::SkippedField> skipped;
  std::string converted = root.convert(file, output_format(arguments), skipped);
  write_diagnostic(skipped_warnings(arguments.in, skipped));
  return converted;
}

}  // namespace

std::string check_convert(const ConvertArguments& arguments) {
  const std::string& out = arguments.out;
  const std::optional<Format> format = format_of(arguments);
  if (arguments.to && out != "-" && format_of_name(out).value_or(*format) != *format) {
    return "'" + out + "' says that it is another format than --to " + *arguments.to;
  }
  if (!is_of_program(arguments) && arguments.model) {
    return "--model chooses a program, and IN is a value of type " + *arguments.root;
  }
  if (!format && is_archive_name(out)) {
    if (!is_of_program(arguments)) return "cannot write '" + out + "': an archive holds a program";
    if (arguments.canonical || arguments.no_compress) {
      return std::string(arguments.canonical ? "--canonical" : "--no-compress") +
             " is about .pt2b files, and OUT is an archive";
    }
    return {};
  }
  if (!format) {
    return "cannot write '" + out +
           "': OUT must end in .json, .pt2b or .pt2, or be - for standard output; --to names the format of "
           "others";
  }
  if (*format != Format::pt2b && (arguments.canonical || arguments.no_compress)) {
    return std::string(arguments.canonical ? "--canonical" : "--no-compress") +
           " is about .pt2b files, and OUT is JSON" + (out == "-" ? ": add --to pt2b" : "");
  }
  if (*format == Format::pt2b && !has_zstd() && !arguments.canonical && !arguments.no_compress) {
    return "this pt2 was built without libzstd and cannot compress: add --no-compress";
  }
  return {};
}

int run_convert(const ConvertArguments& arguments) {
  if (!format_of(arguments)) return copy_archive(arguments);
  const std::string bytes = is_of_program(arguments)
                                ? convert_program(arguments)
                                : convert_value(arguments, *find_value_type(*arguments.root));
  write_bytes(bytes, arguments.out);
  return kDone;
}

}  // namespace pt2::tool
