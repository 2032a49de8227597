// Upgrades a notebook of version 1 or 2 to JSON.
#include <notes_v1/json.h>
#include <notes_v2/binary.h>
#include <notes_v2/json.h>
#include <notes_v2/schema_info.h>
#include <schemagen/binary_file/binary_file.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

notes::v2::Notebook upgrade(const notes::v1::Notebook& old) {
  notes::v2::Notebook made;
  made.version = notes::v2::kSchemaMajor;
  for (const notes::v1::Note& note : old.notes) {
    notes::v2::Note& next = made.notes.emplace_back();
    next.text = note.text;
    next.tags = split(note.tags);
  }
  return made;
}

notes::v2::Notebook read(const std::string& text) {
  schemagen::JsonReadOptions version_only;
  version_only.unknown_fields = schemagen::UnknownFields::skip;
  const auto version = schemagen::from_json<notes::v2::Versioned>(text, version_only).version;
  if (version == 1) return upgrade(schemagen::from_json<notes::v1::Notebook>(text));
  if (version == 2) return schemagen::from_json<notes::v2::Notebook>(text);
  throw std::runtime_error("version " + std::to_string(version) + " is newer than this program");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: upgrade_notes FILE.json\n", stderr);
    return 2;
  }
  try {
    std::ifstream file(argv[1], std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const notes::v2::Notebook notebook = read(text);
    const std::string binary = schemagen::to_binary_file(notebook);
    if (schemagen::from_binary_file<notes::v2::Notebook>(binary) != notebook)
      throw std::logic_error("binary differs");
    std::printf("%s\n%zu bytes in binary\n", schemagen::to_json(notebook).c_str(), binary.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 3;
  }
  return 0;
}
