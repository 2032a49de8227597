#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

#include "front/imports.h"

namespace generator {
namespace {

constexpr std::string_view kImport = "to convert it, use schemagen import";
constexpr std::string_view kRewrite = "schemagen reads schemas in YAML: see schema/README.md";

/// A line that no schema of ours has: its first and last characters.
struct Mark {
  std::string_view start;
  std::string_view end;
  std::string_view language;
  std::string_view hint;
};

/// Earlier marks win.
constexpr Mark kMarks[] = {
    {"SCHEMA_VERSION:", "", "PyTorch's schema.yaml", kImport},
    {"from ", "", "a Python module", kImport},
    {"@dataclass", "", "a Python module", kImport},
    {"class ", ":", "a Python module", kImport},
    {"syntax ", ";", "a Protocol Buffers schema", kRewrite},
    {"edition ", ";", "a Protocol Buffers schema", kRewrite},
    {"package ", ";", "a Protocol Buffers schema", kRewrite},
    {"message ", "{", "a Protocol Buffers schema", kRewrite},
    {"@0x", ";", "a Cap'n Proto schema", kRewrite},
    {"table ", "{", "a FlatBuffers schema", kRewrite},
    {"root_type ", ";", "a FlatBuffers schema", kRewrite},
    {"namespace ", ";", "a FlatBuffers schema", kRewrite},
    {"namespace ", "", "a Thrift schema", kRewrite},
    {"struct ", "{", "a Thrift schema", kRewrite},
    {"union ", "{", "a Thrift schema", kRewrite},
};

std::string_view without_end_of_line(std::string_view line) {
  const std::size_t comment = std::min(line.find("//"), line.size());
  const std::size_t last = line.substr(0, comment).find_last_not_of(" \t\r");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool has(std::string_view text, std::string_view mark) {
  return text.find(mark) != std::string_view::npos;
}

std::optional<Mark> mark_of_json(std::string_view text) {
  if (text.empty() || text.front() != '{' || has(text, "\"types\"")) return std::nullopt;
  if (has(text, "\"$schema\"")) return Mark{"", "", "a JSON Schema", kRewrite};
  if (has(text, "\"record\"")) return Mark{"", "", "an Avro schema", kRewrite};
  return std::nullopt;
}

std::optional<Mark> mark_of(std::string_view text) {
  const Mark* best = std::end(kMarks);
  for (const std::string_view whole : lines_of(text)) {
    const std::string_view line = without_end_of_line(whole);
    if (line == "types:") return std::nullopt;
    best = std::find_if(std::begin(kMarks), best, [&](const Mark& mark) {
      return line.substr(0, mark.start.size()) == mark.start && line.size() >= mark.end.size() &&
             line.substr(line.size() - mark.end.size()) == mark.end;
    });
  }
  if (best != std::end(kMarks)) return *best;
  return mark_of_json(text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size())));
}

}  // namespace

bool is_other_language(Diagnostics& diagnostics) {
  const std::optional<Mark> mark = mark_of(diagnostics.text());
  if (!mark) return false;
  diagnostics.error({1, 1, 1, 0}, "this is " + std::string(mark->language) + ", not a schemagen schema",
                    std::string(mark->hint));
  return true;
}

}  // namespace generator
