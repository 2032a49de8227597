#include "input.h"

#include "pt2/json.h"
#include "schemagen/base/text_file.h"
#include "schemagen/base/utf8.h"

namespace pt2::tool {

FileBytes read_input(const std::string& path) {
  return path == "-" ? FileBytes(read_all(stdin, "<stdin>")) : read_file(path);
}

ProgramFile open_input(const std::string& path) {
  return ProgramFile(read_input(path));
}

std::string_view text_of(std::string_view bytes, const std::string& name) {
  try {
    bytes = schemagen::plain_text(bytes);
  } catch (const schemagen::DataError& error) {
    throw schemagen::DataError(name + ": " + error.what());
  }
  if (const auto bad = schemagen::find_bad_utf8(bytes))
    throw schemagen::DataError(name + ": not UTF-8 at byte " + std::to_string(*bad));
  return bytes;
}

LoadedProgram load_to_read(const std::string& name, const ProgramFile& file, const LoadOptions& options) {
  return pt2::load_to_read(file, options, notice_printer(name));
}

void require_whole_unions(const LoadedProgram& loaded, const std::string& done) {
  if (loaded.skipped.empty()) return;
  const schemagen::Result<std::string> written = schemagen::try_to_json(loaded.program);
  if (written) return;
  const std::string within = written.failure().path() + ".";
  for (const schemagen::SkippedField& skipped : loaded.skipped) {
    if (skipped.path.compare(0, within.size(), within) != 0) continue;
    throw schemagen::DataError("the program cannot be " + done +
                                   " without this union member, which was skipped; " +
                                   newer_text(writer_of(loaded)) + ": use a newer release",
                               skipped.path, skipped.place);
  }
}

}  // namespace pt2::tool
