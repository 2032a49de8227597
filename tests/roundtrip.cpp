// roundtrip [--head] [--omit-null-defaults] FOLDER...: reads programs with one schema's codec, by the fast
// reader and both JSON parsers, and compares the output.
//
// A torch release wrote FOLDER/<model>.json. With --head, compares with FOLDER/<model>.head.json, if torch
// 2.13 wrote it. Fields that are newer than that torch are null or empty. Files with bare NaN or Infinity,
// which are never written, are compared only then.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include SCHEMA_HEADER
#include SCHEMA_INFO_HEADER

#include "schemagen/json/document.h"
#include "schemagen/tree/dom.h"
#include "schemagen/tree/dom_value.h"

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

constexpr std::int32_t kTorchMinor = 20;

bool is_empty(const schemagen::DomValue& value) {
  return value.is_null() || (value.list() != nullptr && value.list()->empty()) ||
         (value.object() != nullptr && value.object()->empty());
}

/// Removes empty members that `torch` lacks.
void leave_out_new(schemagen::DomValue& value, const schemagen::DomValue& torch) {
  if (value.object() != nullptr && torch.object() != nullptr) {
    auto& members = *value.object();
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const schemagen::DomMember& member) {
                                   return torch.find(member.name.view()) == nullptr && is_empty(member.value);
                                 }),
                  members.end());
    for (schemagen::DomMember& member : members) {
      if (const auto* const other = torch.find(member.name.view())) leave_out_new(member.value, *other);
    }
  } else if (value.list() != nullptr && torch.list() != nullptr &&
             value.list()->size() == torch.list()->size()) {
    for (std::size_t i = 0; i < value.list()->size(); ++i)
      leave_out_new((*value.list())[i], (*torch.list())[i]);
  }
}

bool is_as_torch_wrote(const std::string& written, const std::string& torch) {
  if (SCHEMA_NAMESPACE::kSchemaMinor <= kTorchMinor) return written == torch;
  schemagen::DomValue value = schemagen::parse_dom(written).value();
  const schemagen::DomValue expected = schemagen::parse_dom(torch).value();
  leave_out_new(value, expected);
  return value == expected;
}

using SCHEMA_NAMESPACE::ExportedProgram;

schemagen::JsonReadOptions reading() {
  schemagen::JsonReadOptions options;
  options.bare_nonfinite = true;
  return options;
}

ExportedProgram read_text(const std::string& text) {
  return schemagen::from_json<ExportedProgram>(text, reading());
}

ExportedProgram read_tape(const std::string& text) {
  return schemagen::from_json<ExportedProgram>(schemagen::JsonDocument(text, reading()), reading());
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
    for (const auto read : {read_text, read_tape}) {
      ++checked_;
      try {
        const auto program = read(text);
        const std::string written = schemagen::to_json(program, write_options_);
        const bool is_expected = to_head_ ? is_as_torch_wrote(written, expected) : written == expected;
        if (!is_expected && (has_head || !has_bare_tokens(text))) report(path, written, expected);
        const auto again = read(written);
        if (schemagen::to_json(again, write_options_) != written)
          report(path, "another text the second time", "");
      } catch (const std::exception& error) {
        if (!to_head_ && has_bare_tokens(text)) {
          // Up to schema 7, Python wrote Infinity into RangeConstraint's ints.
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
