// Reads every program in folders by one schema's codec, by both JSON backends, and compares what it writes.
//
// roundtrip [--head] [--omit-null-defaults] FOLDER...
//   FOLDER/<model>.json is what a torch release wrote. With --head a FOLDER/<model>.head.json is expected
//   back where there is one: what torch writes of the same program by the head schema. Files with bare NaN or
//   Infinity are read but not compared, unless there is such a file: they are never written.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include SCHEMA_HEADER

namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_program(const fs::path& path) {
  const std::string name = path.filename().string();
  return ends_with(name, ".json") && !ends_with(name, ".head.json") && !ends_with(name, ".canonical.json") &&
         name != "about.json";
}

/// Whether a NaN, Infinity or -Infinity stands outside of quotes.
bool has_bare_tokens(const std::string& text) {
  for (const std::string token : {"NaN", "Infinity"}) {
    for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at + 1)) {
      const std::size_t before = text[at - 1] == '-' ? at - 2 : at - 1;
      if (text[before] == ' ' && (text[before - 1] == ':' || text[before - 1] == ',')) return true;
      if (text[before] == '[') return true;
    }
  }
  return false;
}

class Checker {
 public:
  Checker(bool to_head, bool omit_null_defaults) : to_head_(to_head) {
    write_options_.omit_null_defaults = omit_null_defaults;
  }

  void check(const fs::path& path) {
    const fs::path head = fs::path(path).replace_extension(".head.json");
    const std::string text = read_file(path);
    const bool has_head = to_head_ && fs::exists(head);
    const std::string expected = has_head ? read_file(head) : text;
    for (const auto backend : {schemagen::JsonBackend::simdjson, schemagen::JsonBackend::rapidjson}) {
      ++checked_;
      try {
        schemagen::JsonReadOptions options;
        options.backend = backend;
        options.bare_nonfinite = true;
        const auto program = schemagen::from_json<SCHEMA_NAMESPACE::ExportedProgram>(text, options);
        const std::string written = schemagen::to_json(program, write_options_);
        if (written != expected && (has_head || !has_bare_tokens(text))) report(path, written, expected);
        const auto again = schemagen::from_json<SCHEMA_NAMESPACE::ExportedProgram>(written, options);
        if (schemagen::to_json(again, write_options_) != written)
          report(path, "another text the second time", "");
      } catch (const std::exception& error) {
        if (!to_head_ && has_bare_tokens(text)) {
          // Up to schema 7, RangeConstraint says int where Python wrote Infinity.
          std::cout << path.string() << ": not read by its own schema: " << error.what() << "\n";
        } else {
          report(path, error.what(), "");
        }
      }
    }
  }

  int finish() const {
    std::cout << checked_ << " read, " << failed_ << " wrong\n";
    return checked_ == 0 || failed_ != 0 ? 1 : 0;
  }

 private:
  void report(const fs::path& path, const std::string& found, const std::string& expected) {
    ++failed_;
    std::size_t at = 0;
    while (at < found.size() && at < expected.size() && found[at] == expected[at]) ++at;
    const std::size_t from = at < 40 ? 0 : at - 40;
    std::cout << path.string() << ": differs at byte " << at << "\n  found    " << found.substr(from, 120)
              << "\n  expected " << expected.substr(std::min(from, expected.size()), 120) << "\n";
  }

  bool to_head_;
  schemagen::JsonWriteOptions write_options_;
  int checked_ = 0;
  int failed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  bool to_head = false;
  bool omit_null_defaults = false;
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--head") {
      to_head = true;
    } else if (argument == "--omit-null-defaults") {
      omit_null_defaults = true;
    } else {
      folders.push_back(argument);
    }
  }
  Checker checker(to_head, omit_null_defaults);
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (is_program(entry.path())) checker.check(entry.path());
    }
  }
  return checker.finish();
}
