#include "export/export.h"

#include "command.h"
#include "front/language_schema.h"

namespace generator {
namespace {

struct Format {
  std::string_view name;
  std::string_view what;
  std::string (*write)(const Model&);
  std::string (*unsupported)(const Model&) = nullptr;
};
constexpr Format kFormats[] = {
    {"thrift", "the IDL that PyTorch's own tool writes for the schema, with its checksum", export_thrift},
    {"torch-yaml", "PyTorch's schema.yaml, with its checksum", export_torch_yaml, unsupported_in_torch_yaml},
    {"torch-cpp", "PyTorch's generated_serialization_types.h, with its checksum", export_torch_cpp,
     unsupported_in_torch_cpp},
    {"python", "dataclasses with ids, like PyTorch's schema.py", export_python},
    {"json-schema", "JSON Schema (Draft 7) for the JSON of the roots",
     [](const Model& model) { return export_json_schema(model); }},
    {"typescript", "TypeScript types for the JSON of all types", export_typescript},
    {"c", "a C header with field ids and enum numbers, for schemagen_value.h", export_c, unsupported_in_c},
    {"dot", "a graph of the types, for Graphviz", export_dot},
    {"model", "the resolved schema as JSON", export_model},
    {"html", "an HTML page that documents all types", export_html},
};

constexpr std::string_view kLanguage = "language";

struct ExportArguments {
  std::string schema;
  std::string format;
  std::string output;
  std::string root;
};

std::string format_names() {
  std::string names;
  for (const Format& format : kFormats) names.append(format.name).append(", ");
  return names.append(kLanguage);
}

std::string format_list() {
  constexpr std::size_t kColumn = 13;
  std::string list;
  const auto add = [&](std::string_view name, std::string_view what) {
    list.append("  ").append(name).append(kColumn - name.size(), ' ').append(what).append("\n");
  };
  for (const Format& format : kFormats) add(format.name, format.what);
  add(kLanguage, "JSON Schema of the schema language, for editors; takes no SCHEMA");
  return list;
}

std::string check_format(const std::string& text) {
  if (text == kLanguage || find_named(kFormats, text) != nullptr) return {};
  return quoted(text) + " is not a format; expected one of " + format_names();
}

int run(const ExportArguments& arguments) {
  const bool has_root = !arguments.root.empty();
  if (has_root && arguments.format != "json-schema")
    return usage_error("export", "--root requires --format json-schema", "omit it");
  if (arguments.format == kLanguage) {
    if (!arguments.schema.empty())
      return usage_error("export", "--format language takes no schema", "omit SCHEMA");
    write_text(arguments.output, language_schema(rule_ids()));
    return kDone;
  }
  if (arguments.schema.empty())
    return usage_error("export", "SCHEMA is required", "name the schema, or - for stdin");
  if (arguments.output.empty())
    return usage_error("export", "-o is required", "name the file to write, or - for stdout");
  const std::optional<Model> model = load_schema(arguments.schema);
  if (!model) return kBadInput;
  const auto root = has_root ? find_root("export", arguments.schema, *model, arguments.root) : std::nullopt;
  if (has_root && !root) return kUsage;
  const Format& format = *find_named(kFormats, arguments.format);
  const std::string unsupported = format.unsupported == nullptr ? "" : format.unsupported(*model);
  if (!unsupported.empty()) return schema_error(arguments.schema, unsupported, "choose a different format");
  write_text(arguments.output, root ? export_json_schema(*model, root) : format.write(*model));
  return kDone;
}

}  // namespace

void add_export_command(Command command) {
  auto& arguments = command.add_arguments<ExportArguments>();
  command.add_option("SCHEMA", arguments.schema, "Schema to export, or - for stdin");
  command.add_option("--format", arguments.format, format_names()).required().check(check_format);
  command.add_option("-o", arguments.output, "Output file, or - for stdout; optional for `language`");
  command.add_option("--root", arguments.root, "Type to describe (json-schema)");
  command.footer("Formats:\n" + format_list() +
                 "Examples:\n"
                 "  schemagen export schema/pt2.yaml --format thrift -o -\n"
                 "  schemagen export --format language -o schemagen.json");
}

}  // namespace generator
