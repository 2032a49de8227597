#include <algorithm>
#include <cstdint>
#include <iterator>

#include "front/diagnostics.h"
#include "text/finding_formats.h"
#include "text/json_text.h"
#include "text/message.h"
#include "text/source_place.h"

namespace generator {
namespace {

constexpr SarifRule kSeverityRules[] = {
    {"SCHEMA_ERROR", "error", "A schema violates a rule of the schema language.",
     "Nothing is generated from a schema with errors.", "schema/README.md describes the language."},
    {"SCHEMA_WARNING", "warning", "A schema contains a likely mistake.", "Code is still generated.",
     "schema/README.md describes the language."},
    {"SCHEMA_NOTE", "note", "A name in a schema differs in C++.",
     "The name is reserved by C++, a header or generated code.", "Set 'cpp_name' to choose the C++ name."},
};

const SarifRule& rule_of(const Diagnostic& diagnostic) {
  return kSeverityRules[static_cast<std::size_t>(diagnostic.severity)];
}

std::string with_hint(const Diagnostic& diagnostic, const std::string& before) {
  return shown(diagnostic.message) +
         (diagnostic.hint.empty() ? "" : before + "hint: " + shown(diagnostic.hint));
}

void write_message(JsonText& json, const Diagnostics& file, const Diagnostic& diagnostic) {
  const auto place = [&](const Span& span) {
    return [&json, &file, &span] { write_place(json, file.file_of(span), span); };
  };
  const SarifRule& rule = rule_of(diagnostic);
  json.object("rule", rule.id, "level", rule.level, "message", shown(diagnostic.message), [&] {
    json.key("fix").string_or_null(shown(diagnostic.hint));
    json.members("place", place(diagnostic.span));
    json.key("notes").array(diagnostic.notes, [&](const Note& note) {
      json.object("message", shown(note.message), "place", place(note.span));
    });
  });
}

}  // namespace

std::string diagnostics_as_json(const std::vector<Diagnostics>& files) {
  JsonText json;
  json.object("format", "schemagen-check 1", [&] {
    json.key("files").array(files, [&](const Diagnostics& file) {
      json.object("file", file.file(), "valid", !file.has_errors());
    });
    json.key("counts").object([&] {
      for (const SarifRule& rule : kSeverityRules) {
        std::int64_t count = 0;
        for (const Diagnostics& file : files) {
          count += std::count_if(file.all().begin(), file.all().end(),
                                 [&](const Diagnostic& one) { return &rule_of(one) == &rule; });
        }
        json.members(rule.level, count);
      }
    });
    json.key("findings").array(files, [&](const Diagnostics& file) {
      for (const Diagnostic* const one : file.by_place()) write_message(json, file, *one);
    });
  });
  return json.take();
}

std::string diagnostics_as_sarif(const std::vector<Diagnostics>& files, std::string_view version) {
  std::vector<SarifFinding> found;
  for (const Diagnostics& file : files) {
    std::vector<SourceLines> lines;
    for (const SourceText& source : file.files()) lines.emplace_back(source.text);
    const auto place = [&](const Span& span) {
      return sarif_place(file.file_of(span), lines[span.file], span);
    };
    for (const Diagnostic* const one : file.by_place()) {
      const SarifRule& rule = rule_of(*one);
      found.push_back({rule.id, rule.level, with_hint(*one, "; "), place(one->span)});
      for (const Note& note : one->notes) {
        found.back().related.push_back(place(note.span));
        found.back().related.back().message = shown(note.message);
      }
    }
  }
  return as_sarif("schemagen", version, {std::begin(kSeverityRules), std::end(kSeverityRules)}, found);
}

std::string diagnostics_as_github(const std::vector<Diagnostics>& files) {
  std::string out;
  for (const Diagnostics& file : files) {
    for (const Diagnostic* const one : file.by_place()) {
      std::vector<CommandProperty> properties = command_place(file.file_of(one->span), one->span);
      properties.emplace_back("title", rule_of(*one).id);
      const std::string_view level = one->severity == Severity::note ? "notice" : rule_of(*one).level;
      out += workflow_command(level, properties, with_hint(*one, "\n"));
    }
  }
  return out;
}

}  // namespace generator
