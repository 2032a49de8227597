// schemagen amalgamate
#include "cpp/amalgamate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "commands/output_arguments.h"
#include "commands/usage.h"
#include "text/quote.h"

namespace generator {
namespace {

struct Arguments {
  OutputArguments output;
  std::vector<std::string> codecs = {"json", "binary"};
  bool with_programs = false;
  bool with_rapidjson = false;
};

AmalgamationParts parts_of(const Arguments& arguments) {
  const auto has = [&](const char* codec) {
    return std::count(arguments.codecs.begin(), arguments.codecs.end(), codec) != 0;
  };
  return {has("json"), has("binary"), arguments.with_programs, arguments.with_rapidjson};
}

/// What cannot be asked for together: the exit code, after the message; nullopt: nothing is wrong.
std::optional<int> refuse_contradiction(const AmalgamationParts& parts, const Model& model) {
  constexpr std::string_view kCommand = "amalgamate";
  if (parts.programs && !has_programs(model)) {
    return usage_error(kCommand, "--with-programs is for PyTorch's schema, pt2, not for " + quote(model.name),
                       "leave out --with-programs");
  }
  if (parts.programs && !(parts.json && parts.binary)) {
    return usage_error(kCommand, "--with-programs needs both codecs", "leave out --codecs");
  }
  if (parts.rapidjson && !parts.json) {
    return usage_error(kCommand, "only the JSON codec needs RapidJSON", "leave out --with-rapidjson");
  }
  return std::nullopt;
}

/// The command line, without what deliver() knows.
std::string command_of(const AmalgamationParts& parts) {
  std::string command = "amalgamate";
  if (!parts.json) command += " --codecs binary";
  if (!parts.binary) command += " --codecs json";
  if (parts.programs) command += " --with-programs";
  if (parts.rapidjson) command += " --with-rapidjson";
  return command;
}

int run(const Arguments& arguments) {
  const std::optional<Model> model = load_schema(arguments.output.schema);
  if (!model) return kBadInput;
  const AmalgamationParts parts = parts_of(arguments);
  if (const std::optional<int> refused = refuse_contradiction(parts, *model)) return *refused;
  const OutputArguments& output = arguments.output;
  const std::string name_space = output.name_space.empty() ? model->name : output.name_space;
  return deliver(amalgamate(*model, output.folder, name_space, parts), output, command_of(parts));
}

}  // namespace

void add_amalgamate_command(CommandLine& line) {
  const auto arguments = std::make_shared<Arguments>();
  Command command =
      line.add_subcommand("amalgamate", "Write a schema's code as one header and one source, to be copied");
  add_output_options(command, arguments->output);
  command.add_option("--codecs", arguments->codecs, "json, binary or both, with a comma (default: both)")
      .delimiter(',')
      .one_of({"json", "binary"});
  command.add_flag("--with-programs", arguments->with_programs,
                   "Also what opens .pt2 files: pt2::load_program(); only for PyTorch's schema");
  command.add_flag("--with-rapidjson", arguments->with_rapidjson,
                   "Also the part of RapidJSON that is needed, in a second header");
  command.footer(
      "Example: schemagen amalgamate schema/pt2.yaml --with-programs --with-rapidjson -o third_party/pt2\n"
      "         c++ -std=c++17 main.cpp third_party/pt2/pt2.cpp\n"
      "The support code is inside, in the schema's namespace: amalgamations of several schemas, or of "
      "several\n"
      "major versions of one, live in one program. JSON needs RapidJSON's headers; the binary codec, and "
      "what\n"
      "is written --with-rapidjson, need nothing but the standard library.");
  command.set_action([arguments] { return run(*arguments); });
}

}  // namespace generator
