#include "cpp/amalgamate.h"

#include <algorithm>

#include "command.h"
#include "export/export.h"
#include "model/cpp_names.h"

namespace generator {
namespace {

struct AmalgamateArguments {
  OutputArguments output;
  std::vector<std::string> codecs;
  std::string level = "codecs";
  bool with_rapidjson = false;  // ignored
  bool with_c = false;
};

std::vector<std::string> levels() {
  std::vector<std::string> names = {"types", "codecs"};
  for (const CopyLevel& level : copied_library().levels) names.push_back(level.name);
  return names;
}

AmalgamationParts parts_of(const AmalgamateArguments& arguments) {
  AmalgamationParts parts;
  parts.level = arguments.level;
  const auto has = [&](const char* codec) {
    return parts.level != "types" &&
           (arguments.codecs.empty() ||
            std::count(arguments.codecs.begin(), arguments.codecs.end(), codec) != 0);
  };
  parts.json = has("json");
  parts.binary = has("binary");
  parts.c = arguments.with_c;
  return parts;
}

std::optional<int> refuse_contradiction(const AmalgamateArguments& arguments, const AmalgamationParts& parts,
                                        const Model& model) {
  const CopiedLibrary& library = copied_library();
  const bool is_of_library = library.find(parts.level) != nullptr;
  const bool has_library = model.name == library.schema;
  const std::string needed = has_library ? library.levels.back().name : "codecs";
  const std::string level = "--level " + arguments.level;
  struct Contradiction {
    bool is_there;
    std::string message;
    std::string hint;
  };
  const Contradiction all[] = {
      {is_of_library && !has_library,
       level + " requires PyTorch's schema, " + library.schema + ", not " + quoted(model.name),
       "use --level types or codecs"},
      {is_of_library && !has_copied_library(), level + " is not part of this build of schemagen",
       "use --level types or codecs, or build libpt2 with PT2_AMALGAMATE_LEVELS=ON"},
      {parts.level != "codecs" && !arguments.codecs.empty(),
       "--codecs requires --level codecs, not " + arguments.level, "leave out --codecs"},
      {parts.c && parts.level != needed, "--with-c requires --level " + needed + ", not " + arguments.level,
       "use --level " + needed + ", or leave out --with-c"},
      {parts.c && !(parts.json && parts.binary), "--with-c requires both codecs",
       "leave out --codecs or --with-c"}};
  for (const Contradiction& each : all)
    if (each.is_there) return usage_error("amalgamate", each.message, each.hint);
  return std::nullopt;
}

std::string command_of(const AmalgamationParts& parts) {
  std::string command = "amalgamate";
  if (parts.level != "codecs") {
    command += " --level " + parts.level;
  } else if (!parts.json || !parts.binary) {
    command += parts.json ? " --codecs json" : " --codecs binary";
  }
  if (parts.c) command += " --with-c";
  return command;
}

int run(const AmalgamateArguments& arguments) {
  const std::optional<Model> model = load_schema(arguments.output.schema);
  if (!model) return kBadInput;
  const AmalgamationParts parts = parts_of(arguments);
  if (const std::optional<int> refused = refuse_contradiction(arguments, parts, *model)) return *refused;
  const OutputArguments& output = arguments.output;
  const std::string name_space =
      output.name_space.empty() ? cpp_names(*model).name_space.name : output.name_space;
  if (parts.c) {
    const std::string unsupported = unsupported_in_c(*model);
    if (!unsupported.empty()) return schema_error(output.schema, unsupported, "leave out --with-c");
  }
  std::vector<OutputFile> files = amalgamate(*model, output.folder, name_space, parts);
  if (parts.c) files.push_back({output.folder + "/c/" + model->name + "_ids.h", export_c(*model)});
  return deliver(*model, files, output, command_of(parts));
}

}  // namespace

void add_amalgamate_command(Command command) {
  auto& arguments = command.add_arguments<AmalgamateArguments>();
  add_output_options(command, arguments.output);
  command
      .add_option("--level", arguments.level,
                  "types; codecs (default); for PyTorch's schema also versions (upgrades, canonical forms, "
                  "hashes), archive (.pt2 files and weights), all")
      .one_of(levels());
  command.add_option("--codecs", arguments.codecs, "For --level codecs: json, binary, or json,binary")
      .one_of({"json", "binary"});
  command.add_flag("--with-rapidjson", arguments.with_rapidjson, "Ignored: copies no longer need RapidJSON");
  command.add_flag("--with-c", arguments.with_c,
                   "Also write functions for C, with headers in the folder c: pt2.h for PyTorch's schema "
                   "with --level all, otherwise schemagen_value.h");
  command.footer(
      "Example: schemagen amalgamate schema/pt2.yaml --level archive -o third_party/pt2\n"
      "         c++ -std=c++17 main.cpp third_party/pt2/pt2.cpp\n"
      "         schemagen amalgamate schema/pt2.yaml --level all --with-c -o pt2\n"
      "         cc -std=c99 -Ipt2/c -c main.c && c++ -std=c++17 main.o pt2/pt2.cpp\n"
      "The support code is included in the schema's namespace, so one program can contain amalgamations\n"
      "of several schemas, or of several major versions of a schema. It needs only the standard library.");
}

}  // namespace generator
