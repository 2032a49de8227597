// `pt2 convert`: the same value in another format.
#include "commands.h"
#include "console.h"
#include "pt2/file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/zip.h"
#include "schemagen/error.h"
#include "value_types.h"

namespace pt2::tool {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string program_as_json(const ConvertArguments& arguments) {
  LoadOptions options;
  options.model = arguments.model;
  const LoadedProgram loaded = load_program(arguments.in, options);
  write_diagnostic(skipped_warnings(arguments.in, loaded.skipped));
  return schemagen::to_json(loaded.program);
}

/// The file's value of type `root`, which is not checked to be of any version.
std::string value_as_json(const std::string& in, const ValueType& root) {
  const ProgramFile file = open_program_file(in);
  if (file.archive) throw schemagen::DataError("--root reads JSON, and this is a zip archive");
  schemagen::JsonReadOptions options;
  options.readable_after = file.bytes.readable_after();
  return root.rewrite(file.bytes.view(), options);
}

}  // namespace

std::string check_output_format(const std::string& out) {
  if (out == "-" || ends_with(out, ".json")) return {};
  return "cannot write '" + out + "': OUT must end in .json, or be - for JSON on standard output";
}

int run_convert(const ConvertArguments& arguments) {
  const std::string json = arguments.root ? value_as_json(arguments.in, *find_value_type(*arguments.root))
                                          : program_as_json(arguments);
  if (arguments.out == "-") {
    write_output(json);
  } else {
    write_file_atomically(arguments.out, json);
  }
  return kDone;
}

}  // namespace pt2::tool
