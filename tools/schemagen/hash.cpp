#include <iostream>

#include "command.h"
#include "model/canonical.h"

namespace generator {
namespace {

struct HashArguments {
  std::string schema;
  std::string root;
  std::string projection;
  bool text = false;
  std::string expected;
};

Form form_of(const HashArguments& arguments) {
  if (arguments.projection.empty()) return Form::schema;
  return arguments.projection == "bin" ? Form::binary : Form::json;
}

std::string text_command(const HashArguments& arguments) {
  std::string command = "schemagen hash " + arguments.schema;
  if (!arguments.root.empty()) command += " --root " + arguments.root;
  if (!arguments.projection.empty()) command += " --projection " + arguments.projection;
  return command + " --text";
}

int compare(const std::string& hash, const HashArguments& arguments) {
  if (hash_matches(hash, arguments.expected)) return kDone;
  std::cerr << shown(arguments.schema) << ": error: hash mismatch\n"
            << "  expected: " << arguments.expected << "\n  found:    " << hash << "\nhint: `"
            << shown(text_command(arguments))
            << "` prints the hashed text; compare it with the text of the expected schema\n";
  return kNo;
}

int run(const HashArguments& arguments) {
  const std::optional<Model> model = load_schema(arguments.schema);
  if (!model) return kBadInput;
  std::optional<std::size_t> root;
  if (!arguments.root.empty()) {
    root = find_root("hash", arguments.schema, *model, arguments.root);
    if (!root) return kUsage;
  } else if (!arguments.projection.empty()) {
    if (model->roots.size() != 1) {
      return usage_error(
          "hash", "--projection requires one root, but " + arguments.schema + " does not have exactly one",
          "add --root; " + root_names(*model));
    }
    root = model->roots.front();
  }
  const std::string form = root ? form_of(*model, *root, form_of(arguments)) : normal_form(*model);
  if (arguments.text) {
    std::cout << form;
    return kDone;
  }
  const std::string hash = schema_hash(form);
  if (!arguments.expected.empty()) return compare(hash, arguments);
  std::cout << hash << "\n";
  return kDone;
}

std::string check_hash(const std::string& text) {
  return is_hash(text) ? "" : quoted(text) + " is not a hash: write at least its first 16 hexadecimal digits";
}

std::string check_projection(const std::string& text) {
  return text == "bin" || text == "json" ? "" : quoted(text) + " is not a projection: write bin or json";
}

}  // namespace

void add_hash_command(Command command) {
  auto& arguments = command.add_arguments<HashArguments>();
  command.add_option("SCHEMA", arguments.schema, "Schema to hash, or - for stdin").required();
  command.add_option("--root", arguments.root, "Hash only this type and the types that it refers to");
  command
      .add_option("--projection", arguments.projection,
                  "Hash only what affects the binary encoding (bin) or JSON (json) of the root")
      .check(check_projection);
  tools::Option text = command.add_flag("--text", arguments.text, "Print the text that is hashed");
  command
      .add_option("--expect", arguments.expected,
                  "Print nothing; exit with 1 if the hash does not begin with these 16 to 64 digits")
      .check(check_hash)
      .excludes(text);
  command.footer(
      "Docs, order and formatting do not affect the hash.\n"
      "Example: schemagen hash schema/pt2.yaml --root ExportedProgram --projection bin");
}

}  // namespace generator
