#include "input.h"

#include <cstdio>

#include "console.h"

namespace pt2::tool {

FileBytes read_input(const std::string& path) {
  return path == "-" ? FileBytes(read_all(stdin, "<stdin>")) : read_file(path);
}

LoadedProgram load_to_read(const std::string& name, const ProgramFile& file, LoadOptions options) {
  options.newer_fields = schemagen::UnknownFields::skip;
  LoadedProgram loaded = load_program(file, options);
  write_diagnostic(skipped_warnings(name, loaded.skipped));
  return loaded;
}

}  // namespace pt2::tool
