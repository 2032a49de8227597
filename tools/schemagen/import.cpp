#include <algorithm>
#include <cstddef>
#include <iostream>

#include "command.h"
#include "import/import.h"
#include "text/characters.h"

namespace generator {
namespace {

struct ImportArguments {
  std::string source;
  std::string output;
  std::string name = "pt2";
  bool assigns_ids = false;
  bool takes_comments = false;
  std::vector<std::string> docs_from;
  std::vector<std::string> reserve_from;
  std::vector<std::string> boxes;
  std::vector<std::string> roots;
};

bool is_yaml(const std::string& path) {
  const std::string extension = path.substr(std::min(path.rfind('.'), path.size()));
  return extension == ".yaml" || extension == ".yml";
}

std::optional<std::vector<Model>> load_schemas(const std::vector<std::string>& paths) {
  std::vector<Model> models;
  for (const std::string& path : paths) {
    std::optional<Model> model = load_schema(path);
    if (!model) return std::nullopt;
    models.push_back(*std::move(model));
  }
  return models;
}

std::size_t allowances(const Model& model) {
  std::size_t count = model.allowed.size();
  for (const Definition& type : model.types) {
    count += type.allowed.size();
    for (const Field& field : type.fields) count += field.allowed.size();
  }
  return count;
}

void report_allowances(const std::vector<std::string>& paths, const std::vector<Model>& models) {
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (const std::size_t count = allowances(models[i]))
      std::cerr << shown(paths[i]) << ": note: " << count
                << (count == 1 ? " entry in 'allow' was not copied: it is"
                               : " entries in 'allow' were not copied: they are")
                << " about earlier changes\n";
  }
}

std::optional<std::string> imported(const ImportArguments& arguments, const std::vector<Model>& docs,
                                    const std::vector<Model>& older, Diagnostics& diagnostics,
                                    std::string& misuse) {
  std::optional<ImportedSchema> schema = is_yaml(arguments.source)
                                             ? read_schema_yaml(diagnostics)
                                             : read_schema_py(diagnostics, arguments.takes_comments);
  if (!schema) return std::nullopt;
  number_fields(*schema, older, arguments.assigns_ids, diagnostics);
  take_docs(*schema, docs);
  for (const Model& model : older) reserve(*schema, model);
  misuse = choose_boxes(*schema, arguments.boxes);
  if (misuse.empty()) misuse = choose_roots(*schema, arguments.roots);
  if (!misuse.empty() || diagnostics.has_errors()) return std::nullopt;
  return write_schema(*schema, arguments.name, diagnostics);
}

int run(const ImportArguments& arguments) {
  if (is_yaml(arguments.source) && arguments.takes_comments)
    return usage_error("import", "--comments requires schema.py", "omit it");
  Diagnostics diagnostics = open_schema(arguments.source);
  const std::optional<std::vector<Model>> docs = load_schemas(arguments.docs_from);
  const std::optional<std::vector<Model>> older = load_schemas(arguments.reserve_from);
  std::string misuse;
  const std::optional<std::string> text =
      docs && older ? imported(arguments, *docs, *older, diagnostics, misuse) : std::nullopt;
  std::cerr << diagnostics.render();
  if (!misuse.empty())
    return usage_error("import", misuse, "see the types and fields in " + arguments.source);
  if (!text) return kBadInput;
  report_allowances(arguments.reserve_from, *older);
  write_text(arguments.output, *text);
  return kDone;
}

}  // namespace

void add_import_command(Command command) {
  auto& arguments = command.add_arguments<ImportArguments>();
  command.add_option("SOURCE", arguments.source, "schema.py or schema.yaml; - for a schema.py on stdin")
      .required();
  command.add_option("-o", arguments.output, "Schema to write, or - for stdout").required();
  command.add_option("--name", arguments.name, "Name of the schema")
      .show_default()
      .check([](const std::string& name) {
        return is_identifier(name) ? "" : "expected an identifier, got " + quoted(name);
      });
  command.add_flag("--assign-ids", arguments.assigns_ids,
                   "Number fields that have no id: 10, 20, 30, ... in each type");
  command.add_option(
      "--reserve-from", arguments.reserve_from,
      "Older schema: take its ids for fields without an id, and reserve what was removed; repeatable");
  command.add_option("--docs-from", arguments.docs_from,
                     "Older schema: keep its doc, since, deprecated, json, boxed, cpp_name and "
                     "states_version; repeatable");
  command.add_flag("--comments", arguments.takes_comments,
                   "Use the comments of classes and fields as their docs");
  command.add_option("--box", arguments.boxes, "Also box TYPE.FIELD; repeatable");
  command.add_option("--root", arguments.roots, "Also list TYPE as a root; repeatable");
  command.footer(
      "The source file is PyTorch's schema.py or the schema.yaml that PyTorch generates from it. It is\n"
      "parsed, not run, so torch is not needed. A type that the schema language lacks becomes Any, with a\n"
      "note. Afterwards, `schemagen diff OLD NEW` reports ids and names that were reused.\n"
      "Examples:\n"
      "  schemagen import schema.py -o pt2.yaml\n"
      "  schemagen import schema.py --docs-from pt2.yaml --reserve-from pt2.yaml -o pt2.yaml\n"
      "  schemagen import schema.yaml --assign-ids --box GraphArgument.graph -o -");
}

}  // namespace generator
