// schemagen export
#include "export/export.h"

#include <iostream>
#include <memory>

#include "commands/command.h"
#include "commands/root_argument.h"
#include "commands/usage.h"
#include "cpp/output.h"
#include "schemagen/value/quote.h"

namespace generator {
namespace {

struct Format {
  std::string_view name;
  std::string_view what;
  std::string (*write)(const Model&);
};
constexpr Format kFormats[] = {
    {"thrift", "the IDL that PyTorch's own tool writes for the same schema, with its checksum",
     export_thrift},
    {"torch-yaml", "PyTorch's schema.yaml, likewise", export_torch_yaml},
    {"json-schema", "JSON Schema, Draft 7, of the JSON of the roots",
     [](const Model& model) { return export_json_schema(model); }},
    {"dot", "the graph of the types, for Graphviz", export_dot},
    {"html", "one page with all types, to read", export_html},
};

struct ExportArguments {
  std::string schema;
  std::string format;
  std::string output;
  std::string root;
};

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::string format_names() {
  std::string names;
  for (const Format& format : kFormats) names.append(names.empty() ? "" : ", ").append(format.name);
  return names;
}

/// A line for each format, for the help.
std::string format_list() {
  constexpr std::size_t kColumn = 13;
  std::string list;
  for (const Format& format : kFormats) {
    list.append("  ").append(format.name).append(kColumn - format.name.size(), ' ').append(format.what);
    list += '\n';
  }
  return list;
}

std::string check_format(const std::string& text) {
  if (find_format(text) != nullptr) return {};
  return schemagen::quoted(text) + " is not a format; the formats are " + format_names();
}

int run(const ExportArguments& arguments) {
  const bool has_root = !arguments.root.empty();
  if (has_root && arguments.format != "json-schema")
    return usage_error("export", "--root is for --format json-schema", "leave it out");
  const std::optional<Model> model = load_schema(arguments.schema);
  if (!model) return kBadInput;
  const auto root = has_root ? find_root("export", arguments.schema, *model, arguments.root) : std::nullopt;
  if (has_root && !root) return kUsage;
  const std::string text =
      root ? export_json_schema(*model, root) : find_format(arguments.format)->write(*model);
  if (arguments.output == "-") {
    std::cout << text;
  } else {
    write_output({arguments.output, text});
  }
  return kDone;
}

}  // namespace

void add_export_command(CommandLine& line) {
  const auto arguments = std::make_shared<ExportArguments>();
  Command command = line.add_subcommand("export", "Write a schema in the language of another tool");
  command.add_option("SCHEMA", arguments->schema, "The schema, or - for stdin").required();
  command.add_option("--format", arguments->format, format_names()).required().check(check_format);
  command.add_option("-o", arguments->output, "File to write, or - for stdout").required();
  command.add_option("--root", arguments->root, "JSON Schema of this type alone, whose violations are said");
  command.footer("Formats:\n" + format_list() +
                 "Example: schemagen export schema/pt2.yaml --format thrift -o -");
  command.set_action([arguments] { return run(*arguments); });
}

}  // namespace generator
