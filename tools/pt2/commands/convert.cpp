#include <tuple>

#include "output.h"
#include "pt2/binary.h"
#include "pt2/json.h"
#include "pt2/report/columns.h"
#include "pt2/text/treespec.h"
#include "schemagen/base/near_name.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/json.h"
#include "schemagen/thrift/wire.h"

namespace pt2::tool {
namespace {

using schemagen::UsageError;

constexpr std::size_t kMostIndent = 16;  // more would make deep programs huge

constexpr std::string_view kProgramType = "ExportedProgram";

struct ValueType {
  std::string_view name;
  /// `in` must not be an archive. Appends skipped fields of a newer schema to `skipped`. Throws DataError.
  std::string (*convert)(const ProgramFile& in, FileFormat format, const ConvertOptions& options,
                         std::vector<schemagen::SkippedField>& skipped);
};

template <class T>
T read_value(const ProgramFile& file, std::vector<schemagen::SkippedField>& skipped) {
  if (const BinaryFile* const binary = file.binary_file()) {
    schemagen::BinaryReadOptions options;
    options.skipped = &skipped;
    return schemagen::from_binary_file<T>(*binary, options);
  }
  schemagen::JsonReadOptions options;
  options.readable_after = file.bytes().readable_after();
  return schemagen::from_json<T>(file.bytes().view(), options);
}

template <class T>
std::string convert_value(const ProgramFile& in, FileFormat format, const ConvertOptions& options,
                          std::vector<schemagen::SkippedField>& skipped) {
  const T value = read_value<T>(in, skipped);
  return format == FileFormat::json ? schemagen::to_json(value, options.json)
                                    : to_pt2b(value, options.binary);
}

template <class... Types>
struct ValueTypes {
  const std::vector<ValueType> all = {
      {compact_type(static_cast<Types*>(nullptr)).name, convert_value<Types>}...};
};

const std::vector<ValueType>& value_types() {
  static const all_types<ValueTypes> types;
  return types.all;
}

/// Returns null if the schema has no such struct or union.
const ValueType* find_value_type(std::string_view name) {
  for (const ValueType& type : value_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

struct ConvertArguments : FileArguments {
  ConvertOptions options;
  std::string named_out;
  std::optional<std::string> root;
  std::optional<std::string> to;
  bool keep_unknown = false;
  bool no_compress = false;
  std::optional<std::string> into;

  bool is_program() const { return !root || *root == kProgramType; }
};

const char* name_of(FileFormat format) {
  constexpr const char* kNames[] = {"JSON", "a .pt2b file", "an archive"};
  return kNames[static_cast<std::size_t>(format)];
}

/// Throws UsageError if OUT and --to give none, or differ.
FileFormat format_of(const ConvertArguments& arguments) {
  require_no_folder(arguments.out);
  const std::optional<FileFormat> by_name = format_of_name(arguments.out);
  if (!arguments.to) {
    if (arguments.out == "-") return FileFormat::json;
    if (by_name) return *by_name;
    throw UsageError("cannot write " + schemagen::quoted(arguments.out) +
                     ": OUT must end in .json, .pt2b or .pt2, or be '-' for standard output; --to sets the "
                     "format for other names");
  }
  const FileFormat format = *arguments.to == "pt2b" ? FileFormat::pt2b : FileFormat::json;
  if (by_name && *by_name != format && *by_name != FileFormat::archive) {
    throw UsageError("--to " + *arguments.to + ": " + schemagen::quoted(arguments.out) +
                     " has the extension of a different format");
  }
  return format;
}

void check_program_options(const ConvertArguments& arguments, FileFormat format) {
  if (arguments.is_program()) return;
  const char* const option = arguments.loading.model        ? "--model"
                             : arguments.keep_unknown       ? "--keep-unknown"
                             : arguments.options.plain_tree ? "--plain-tree"
                                                            : nullptr;
  if (option == nullptr && format != FileFormat::archive) return;
  throw UsageError((option == nullptr
                        ? schemagen::quoted(arguments.out) + ": expected a program for an archive"
                        : option + std::string(": expected a program")) +
                   ", got a value of type " + *arguments.root);
}

void check_format_options(const ConvertArguments& arguments, FileFormat format) {
  const std::tuple<std::string, bool, FileFormat> options[] = {
      {"--into", arguments.into.has_value(), FileFormat::archive},
      {"--canonical", arguments.options.binary.payload.canonical, FileFormat::pt2b},
      {"--no-compress", arguments.no_compress, FileFormat::pt2b},
      {"--indent", arguments.options.json.indent.has_value(), FileFormat::json}};
  for (const auto& [option, is_given, expected] : options) {
    if (!is_given || expected == format) continue;
    const bool has_name = arguments.out != "-" || expected == FileFormat::archive;
    throw UsageError(option + ": expected OUT to be " + name_of(expected) + ", got " + name_of(format) +
                     (has_name ? "" : "; add --to pt2b"));
  }
}

/// Checks the arguments. Afterwards, OUT has its name and `options` all options.
FileFormat output_format(ConvertArguments& arguments) {
  if (arguments.out.empty() == arguments.named_out.empty()) {
    throw UsageError(arguments.out.empty() ? "OUT is required" : "OUT and -o cannot be combined");
  }
  arguments.out += arguments.named_out;
  const FileFormat format = format_of(arguments);
  check_program_options(arguments, format);
  check_format_options(arguments, format);
  ConvertOptions& options = arguments.options;
  if (options.json.indent && *options.json.indent > kMostIndent) {
    throw UsageError("--indent: expected 0 to " + std::to_string(kMostIndent) + " spaces, got " +
                     std::to_string(*options.json.indent));
  }
  const bool compresses = !options.binary.payload.canonical && !arguments.no_compress;
  if (format == FileFormat::pt2b && compresses && !schemagen::has_zstd()) {
    throw UsageError("this pt2 was built without libzstd and cannot compress: add --no-compress");
  }
  if (arguments.keep_unknown) options.loading.unknown_fields = schemagen::UnknownFields::keep;
  options.binary.compression = compresses ? Compression::zstd : Compression::none;
  return format;
}

std::string replacement_text(const PlainContainer& container) {
  std::string text = container.type;
  for (const schemagen::Json& name : container.names) {
    text += (&name == &container.names.front() ? " of " : ", ") + python_text(name);
  }
  return text;
}

/// On standard error if OUT is standard output.
void report_plain_trees(const ConvertArguments& arguments, const PlainTrees& trees) {
  std::vector<Row> rows;
  for (const PlainContainer& container : trees.containers) {
    rows.push_back({container.module.empty() ? "model" : schemagen::printable(container.module),
                    schemagen::printable(container.place), schemagen::printable(container.class_name),
                    replacement_text(container)});
  }
  const std::string text = rows.empty() ? "  nothing to replace\n" : table(rows);
  arguments.out == "-" ? write_diagnostic(text) : write_text(text);
  std::string gone;
  for (const std::string& guard : trees.guards) {
    gone += shown_path(arguments.in) + ": warning: the guard " + schemagen::quoted(guard) +
            " was dropped: it uses a name that the inputs no longer have\n";
  }
  write_diagnostic(gone);
}

/// Throws DataError if a .pt2b file has another root.
void require_program(const ProgramFile& file) {
  const BinaryFile* const binary = file.binary_file();
  if (binary == nullptr || binary->header().root == kProgramType) return;
  const std::string root = schemagen::quoted(binary->header().root);
  throw schemagen::DataError("expected a program, got a value of type " + root + "; add --root " + root);
}

std::string converted_value(const ConvertArguments& arguments, FileFormat format, const ProgramFile& file) {
  if (file.archive() != nullptr) {
    throw schemagen::DataError("--root: expected JSON or a .pt2b file, got a zip archive");
  }
  std::vector<schemagen::SkippedField> skipped;
  std::string converted = find_value_type(*arguments.root)->convert(file, format, arguments.options, skipped);
  if (const BinaryFile* const binary = file.binary_file()) {
    const BinaryFileHeader& header = binary->header();
    write_diagnostic(
        notice_lines(arguments.in, skipped_notices(skipped, {header.schema_major, header.schema_minor})));
  }
  return converted;
}

void run(ConvertArguments& arguments) {
  const FileFormat format = output_format(arguments);
  const ProgramFile file = open_input(arguments.in);
  if (!arguments.is_program()) return write_bytes(converted_value(arguments, format, file), arguments.out);
  std::optional<ProgramFile> into;
  if (arguments.into) arguments.options.into = &into.emplace(open_input(*arguments.into));
  const SaveTarget target = output_target(arguments.out, format);
  require_program(file);
  const PlainTrees trees =
      convert_file({file, arguments.loading.model, notice_printer(arguments.in)}, arguments.options, target);
  if (arguments.options.plain_tree) report_plain_trees(arguments, trees);
}

std::string check_type(const std::string& name) {
  if (find_value_type(name) != nullptr) return {};
  std::vector<std::string_view> names;
  for (const ValueType& type : value_types()) names.push_back(type.name);
  return schemagen::with_suggestion("unknown struct or union " + schemagen::quoted(name), name, names);
}

std::string check_format(const std::string& name) {
  if (name == "json" || name == "pt2b") return {};
  return "unknown format " + schemagen::quoted(name) + ", expected json or pt2b";
}

void add_options(Command command, ConvertArguments& arguments) {
  command
      .add_option("OUT", arguments.out,
                  "Output file: FILE.json, FILE.pt2b, - for standard output, or\n"
                  "FILE.pt2 if IN is an archive or --into is given")
      .type_name("");
  add_output_option(command, arguments.named_out, "Same as OUT");
  add_model_option(command, arguments.loading.model);
  command
      .add_option("--root TYPE", arguments.root, "Schema type of IN (JSON or .pt2b) if it is not a program")
      .check(check_type);
  command
      .add_option("--to FORMAT", arguments.to,
                  "Output format, json or pt2b, if OUT's extension does not select it")
      .check(check_format);
  command.add_option("--into ARCHIVE", arguments.into,
                     "Archive to copy to OUT, with its program replaced by IN");
  command.add_flag("--keep-unknown", arguments.keep_unknown,
                   "Preserve unknown fields; OUT must be .pt2b if and only if IN is;\n"
                   "fields from a newer schema are always preserved");
  command.add_flag("--plain-tree", arguments.options.plain_tree,
                   "Replace classes in inputs and outputs with dicts and tuples; list the changes");
  command.add_option("--indent N", arguments.options.json.indent,
                     "Indent JSON by N spaces per level, 0 to 16");
  command.add_flag("--no-compress", arguments.no_compress,
                   "Write .pt2b without zstd: larger, but faster to read");
  command.add_flag("--canonical", arguments.options.binary.payload.canonical,
                   "Write .pt2b uncompressed, with sorted map keys: equal values have equal bytes");
}

}  // namespace

void add_convert_command(Command command) {
  add_options(command, add_file_arguments<ConvertArguments>(command, "IN"));
  command.footer(
      "JSON output matches torch 2.13 byte for byte unless --indent is given. A .pt2b file has the same\n"
      "content in Thrift's compact protocol: it is much smaller and faster to read. FILE.pt2 is a copy of\n"
      "the archive IN with the program replaced, and with pickled weights (torch up to 2.8) converted to\n"
      "raw bytes; with --model, it has only this model. Standard output is JSON unless --to is given. An\n"
      "output file is written completely or not at all.\n\n"
      "--plain-tree lets torch load programs whose inputs or outputs use registered classes (dataclasses,\n"
      "namedtuples, model outputs, caches) without these classes. Classes with named items become dicts,\n"
      "all others tuples. Dicts whose keys are tuples, which torch cannot read back, also become tuples.\n"
      "Sample inputs that contain what was replaced are dropped.\n\n"
      "Examples:\n"
      "  pt2 convert model.pt2 model.json\n"
      "  pt2 convert model.json model.pt2b\n"
      "  pt2 convert old.pt2 new.pt2\n"
      "  pt2 convert edited.json new.pt2 --into model.pt2\n"
      "  pt2 convert bert.pt2 plain.pt2 --plain-tree\n"
      "  pt2 convert model.pt2b - | jq .torch_version\n"
      "  pt2 convert model.pt2 model.json --indent 2\n"
      "  pt2 convert model.pt2 - | jq .graph_module.signature\n"
      "  pt2 convert --root PayloadConfig model_weights_config.json -");
}

}  // namespace pt2::tool
