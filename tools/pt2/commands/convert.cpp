// `pt2 convert`: the same value in another format.
#include <memory>

#include "command.h"
#include "console.h"
#include "output.h"
#include "output_format.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/plain_trees.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/report/columns.h"
#include "pt2/text/treespec.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "text/near_name.h"
#include "value_types.h"

namespace pt2::tool {
namespace {

using schemagen::UsageError;

// More is a mistake, which programs of many levels would make large.
constexpr std::size_t kMostIndent = 16;

struct ConvertArguments {
  std::string in;
  std::string out;
  std::string named_out;  // by -o, in place of OUT
  LoadOptions loading;
  std::optional<std::string> root;  // a type of the schema; nullopt: a program
  std::optional<std::string> to;    // "json" or "pt2b"; nullopt: `out` tells
  bool keep_unknown = false;
  bool no_compress = false;
  bool canonical = false;
  bool plain_tree = false;
  std::optional<std::size_t> indent;  // of JSON; nullopt: it is one line
  std::optional<std::string> into;    // the archive that OUT is a copy of; nullopt: IN
};

bool is_of_program(const ConvertArguments& arguments) {
  return !arguments.root || *arguments.root == kProgramType;
}

/// What OUT is to be. Errors: UsageError if nothing says so, or if it is said twice.
FileFormat format_of(const ConvertArguments& arguments) {
  require_no_folder(arguments.out);
  const std::optional<FileFormat> by_name = format_of_name(arguments.out);
  if (!arguments.to) {
    if (arguments.out == "-") return FileFormat::json;
    if (by_name) return *by_name;
    throw UsageError("cannot write " + schemagen::quoted(arguments.out) +
                     ": OUT must end in .json, .pt2b or .pt2, or be - for standard output; --to names the "
                     "format of others");
  }
  const FileFormat format = *arguments.to == "pt2b" ? FileFormat::pt2b : FileFormat::json;
  if (by_name && *by_name != format && *by_name != FileFormat::archive) {
    throw UsageError(schemagen::quoted(arguments.out) + " has the extension of a format other than --to " +
                     *arguments.to);
  }
  return format;
}

/// The option that is about .pt2b files, if one is there.
const char* binary_option(const ConvertArguments& arguments) {
  if (arguments.canonical) return "--canonical";
  return arguments.no_compress ? "--no-compress" : nullptr;
}

/// Errors: UsageError if these arguments make no sense for an output of `format`. Looks at no file.
void check(const ConvertArguments& arguments, FileFormat format) {
  const char* const option = binary_option(arguments);
  if (!is_of_program(arguments) && arguments.loading.model) {
    throw UsageError("--model chooses a program, and IN is a value of type " + *arguments.root);
  }
  if (!is_of_program(arguments) && arguments.keep_unknown) {
    throw UsageError("--keep-unknown is about programs, and IN is a value of type " + *arguments.root);
  }
  if (!is_of_program(arguments) && arguments.plain_tree) {
    throw UsageError("--plain-tree is about programs, and IN is a value of type " + *arguments.root);
  }
  if (format == FileFormat::archive && !is_of_program(arguments)) {
    throw UsageError("cannot write " + schemagen::quoted(arguments.out) + ": an archive holds a program");
  }
  if (format != FileFormat::archive && arguments.into) {
    throw UsageError("--into is about archives: OUT must end in .pt2");
  }
  if (format != FileFormat::pt2b && option != nullptr) {
    throw UsageError(std::string(option) + " is about .pt2b files, and OUT is " +
                     (format == FileFormat::archive ? "an archive" : "JSON") +
                     (arguments.out == "-" ? ": add --to pt2b" : ""));
  }
  if (format != FileFormat::json && arguments.indent) {
    throw UsageError(std::string("--indent is about JSON, and OUT is ") +
                     (format == FileFormat::archive ? "an archive" : "a .pt2b file"));
  }
  if (arguments.indent && *arguments.indent > kMostIndent) {
    throw UsageError("--indent takes 0 to " + std::to_string(kMostIndent) + " spaces, not " +
                     std::to_string(*arguments.indent));
  }
  if (format == FileFormat::pt2b && option == nullptr && !schemagen::has_zstd()) {
    throw UsageError("this pt2 was built without libzstd and cannot compress: add --no-compress");
  }
}

OutputFormat output_format(const ConvertArguments& arguments, FileFormat format) {
  OutputFormat output;
  output.format = format;
  output.json.indent = arguments.indent;
  output.binary.payload.canonical = arguments.canonical;
  output.binary.compression = binary_option(arguments) == nullptr ? Compression::zstd : Compression::none;
  return output;
}

/// `dict of 'x', 'mask'`
std::string text_of(const PlainContainer& container) {
  std::string text = container.type;
  for (const schemagen::Json& name : container.names) {
    text += (&name == &container.names.front() ? " of " : ", ") + python_text(name);
  }
  return text;
}

/// Says what is plain now: to people, or where OUT is standard output, on standard error.
void report_plain_trees(const ConvertArguments& arguments, const PlainTrees& trees) {
  std::vector<Row> rows;
  for (const PlainContainer& container : trees.containers) {
    rows.push_back({container.module.empty() ? "model" : schemagen::printable(container.module),
                    schemagen::printable(container.place), schemagen::printable(container.class_name),
                    text_of(container)});
  }
  const std::string text = rows.empty() ? "  no classes in the trees\n" : table(rows);
  arguments.out == "-" ? write_diagnostic(text) : write_text(text);
  std::string gone;
  for (const std::string& guard : trees.guards) {
    gone += shown_path(arguments.in) + ": warning: the guard " + schemagen::quoted(guard) +
            " is left out, as no tree knows the name of what it asks for\n";
  }
  write_diagnostic(gone);
}

/// `trees`: what --plain-tree made of those of the program.
LoadedProgram load_input(const ConvertArguments& arguments, const ProgramFile& file,
                         const LoadOptions& loading, FileFormat format, PlainTrees& trees) {
  const BinaryFile* const envelope = file.envelope();
  if (envelope != nullptr && envelope->header().root != kProgramType) {
    const std::string root = schemagen::quoted(envelope->header().root);
    throw schemagen::DataError("the file does not hold a program, but a value of type " + root +
                               ", which is converted with --root " + root);
  }
  LoadedProgram loaded = load_to_write(arguments.in, file, loading, format);
  if (arguments.plain_tree) trees = make_trees_plain(loaded.program);
  return loaded;
}

/// The file's value of type `root`, which is not checked to be of any version.
std::string convert_value(const ConvertArguments& arguments, const ProgramFile& file,
                          const OutputFormat& format) {
  if (file.archive() != nullptr) {
    throw schemagen::DataError("--root reads JSON or a .pt2b file, and this is a zip archive");
  }
  std::vector<schemagen::SkippedField> skipped;
  std::string converted = find_value_type(*arguments.root)->convert(file, format, skipped);
  if (const BinaryFile* const envelope = file.envelope()) {
    const BinaryFileHeader& header = envelope->header();
    write_diagnostic(skipped_warnings(arguments.in, skipped, {header.schema_major, header.schema_minor}));
  }
  return converted;
}

/// A copy of an archive with the program of `file`: of `file` itself, in which no tensor is pickled, or of
/// another one.
void write_archive_of(const ConvertArguments& arguments, const ProgramFile& file, PlainTrees& trees) {
  LoadOptions loading = arguments.loading;
  if (arguments.into) {
    const ProgramFile into = open_program_file(*arguments.into);
    if (file.archive() == nullptr) loading.model.reset();  // it chooses one of the other's
    LoadedProgram loaded = load_input(arguments, file, loading, FileFormat::archive, trees);
    loaded.source.model = arguments.loading.model.value_or("");
    return save_program(loaded, arguments.out, {&into});
  }
  require_source(file, arguments.out);
  const LoadedProgram loaded = load_input(arguments, file, loading, FileFormat::archive, trees);
  save_program(loaded, arguments.out, {&file, loading.model, SaveWeights::raw});
}

/// Leaves empty sample inputs in OUT, which torch reads as none: those of the classes cannot be read without
/// them.
void drop_sample_inputs(const ConvertArguments& arguments) {
  const ProgramFile written = open_program_file(arguments.out);
  const Archive& archive = *written.archive();
  const ZipMember* const inputs = find_sample_inputs(archive, find_model(archive, arguments.loading.model));
  if (inputs == nullptr || inputs->size == 0) return;
  write_archive(archive, {{std::string(inputs->name), ""}}, arguments.out);
  write_diagnostic(shown_path(arguments.in) +
                   ": note: sample inputs are left out, which are of the classes\n");
}

int run(ConvertArguments arguments) {
  if (arguments.out.empty() == arguments.named_out.empty()) {
    throw UsageError(arguments.out.empty() ? "OUT is required" : "OUT and -o are the same: give one of them");
  }
  arguments.out += arguments.named_out;
  const FileFormat format = format_of(arguments);
  check(arguments, format);
  if (arguments.keep_unknown) arguments.loading.unknown_fields = schemagen::UnknownFields::keep;
  const ProgramFile file = open_program_file(arguments.in);
  PlainTrees trees;
  if (format == FileFormat::archive) {
    write_archive_of(arguments, file, trees);
    if (trees.changes_call()) drop_sample_inputs(arguments);
    if (arguments.plain_tree) report_plain_trees(arguments, trees);
    return kDone;
  }
  const OutputFormat output = output_format(arguments, format);
  if (!is_of_program(arguments)) {
    write_bytes(convert_value(arguments, file, output), arguments.out);
    return kDone;
  }
  const LoadedProgram loaded = load_input(arguments, file, arguments.loading, format, trees);
  SaveOptions saving;
  saving.json = output.json;
  saving.binary = output.binary;
  save_program(loaded, output_target(arguments.out, format), saving);
  if (arguments.plain_tree) report_plain_trees(arguments, trees);
  return kDone;
}

std::string check_type(const std::string& name) {
  if (find_value_type(name) != nullptr) return {};
  return generator::with_suggestion("unknown struct or union " + schemagen::quoted(name), name,
                                    value_type_names());
}

std::string check_format(const std::string& name) {
  if (name == "json" || name == "pt2b") return {};
  return "unknown format " + schemagen::quoted(name) + ", expected json or pt2b";
}

void add_options(Command command, ConvertArguments& arguments) {
  add_program_argument(command, "IN", arguments.in);
  command
      .add_option("OUT", arguments.out,
                  "What to write: FILE.json, FILE.pt2b, FILE.pt2 where IN is an archive or --into\nnames "
                  "one, or - for "
                  "standard output")
      .type_name("");
  add_output_option(command, arguments.named_out, "The same as OUT");
  add_model_option(command, arguments.loading.model);
  command
      .add_option("--root", arguments.root,
                  "IN, JSON or .pt2b, is a value of this type of the schema, not a program")
      .type_name("TYPE")
      .check(check_type);
  command.add_option("--to", arguments.to, "The format, if the extension of OUT does not say: json or pt2b")
      .type_name("FORMAT")
      .check(check_format);
  command.add_option("--into", arguments.into, "OUT is a copy of this archive, with the program IN in it")
      .type_name("ARCHIVE");
  command.add_flag("--keep-unknown", arguments.keep_unknown,
                   "What is unknown comes back in OUT, which is .pt2b if IN is; of a newer\n"
                   "schema it does anyway");
  command.add_flag("--plain-tree", arguments.plain_tree,
                   "Dicts and tuples in place of classes in inputs and outputs, which are printed");
  command
      .add_option(
          "--indent", arguments.indent,
          "JSON for people: a line for each member and item, indented by N\nspaces, 0 to 16, for each level")
      .type_name("N");
  command.add_flag("--no-compress", arguments.no_compress, ".pt2b without zstd: larger, faster to read");
  command.add_flag("--canonical", arguments.canonical,
                   ".pt2b whose bytes are the same for equal values: map keys sorted, not compressed");
}

}  // namespace

void add_convert_command(Command command) {
  const auto arguments = std::make_shared<ConvertArguments>();
  add_options(command, *arguments);
  command.footer(
      "JSON is written as torch 2.13 writes it, byte for byte, unless --indent lays it out. A .pt2b file "
      "holds\n"
      "the same in Thrift's compact protocol, which is far smaller and faster to read. FILE.pt2 is a copy of "
      "the\n"
      "archive IN with its program replaced, and pickled weights (torch up to 2.8) as raw bytes. On "
      "standard\n"
      "output JSON is written unless --to says otherwise. A file appears whole or not at all.\n\n"
      "With --plain-tree, torch loads a program whose inputs or outputs are of registered classes "
      "(dataclasses,\n"
      "namedtuples, model outputs, caches) without them: what has names for its items becomes a dict, a "
      "namedtuple\n"
      "and all else a tuple. Sample inputs of classes are left out.\n\n"
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
  set_action(command, &arguments->in, [arguments] { return run(*arguments); });
}

}  // namespace pt2::tool
