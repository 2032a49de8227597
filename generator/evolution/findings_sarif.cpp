#include <algorithm>
#include <map>

#include "evolution/findings.h"
#include "front/diagnostics.h"
#include "text/json_text.h"
#include "text/uri.h"

namespace generator {
namespace {

class SarifWriter {
 public:
  SarifWriter(const Findings& findings, std::string_view version) : findings_(findings), version_(version) {
    for (const Rule& rule : rules()) indices_.emplace(&rule, indices_.size());
  }

  std::string write() {
    json_.object([&] {
      json_.key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json");
      json_.key("version").string("2.1.0");
      json_.key("runs").array([&] { json_.object([&] { run(); }); });
    });
    return json_.take();
  }

 private:
  void run() {
    json_.key("tool").object([&] {
      json_.key("driver").object([&] {
        json_.key("name").string("schemagen");
        json_.key("version").string(version_);
        json_.key("rules").array([&] {
          for (const Rule& one : rules()) rule(one);
        });
      });
    });
    json_.key("columnKind").string("unicodeCodePoints");
    json_.key("results").array([&] {
      for (const Finding& finding : findings_.comparison.findings) result(finding);
    });
    json_.key("properties").object([&] {
      json_.key("policy").string(name_of(findings_.comparison.policy));
      json_.key("bump").string(name_of(findings_.comparison.required));
      json_.key("suggestedVersion").string(spelled(findings_.comparison.suggested));
      json_.key("versionSuffices").boolean(findings_.comparison.version_suffices);
    });
  }

  void rule(const Rule& rule) {
    json_.object([&] {
      json_.key("id").string(rule.id);
      json_.key("shortDescription").object([&] { json_.key("text").string(rule.purpose); });
      json_.key("fullDescription").object([&] { json_.key("text").string(rule.why); });
      json_.key("help").object([&] { json_.key("text").string(rule.fix); });
      json_.key("defaultConfiguration").object([&] { json_.key("level").string(plain_level(rule.level)); });
    });
  }

  void result(const Finding& finding) {
    json_.object([&] {
      json_.key("ruleId").string(finding.rule->id);
      json_.key("ruleIndex").number(static_cast<std::int64_t>(indices_.at(finding.rule)));
      json_.key("level").string(plain_level(finding.level));
      json_.key("message").object([&] { json_.key("text").string(message(finding)); });
      json_.key("locations").array([&] { location(finding.after, finding.path, ""); });
      json_.key("relatedLocations").array([&] {
        location(finding.before, "", finding.before_text.empty() ? "in the old schema" : finding.before_text);
        for (const Finding& cause : finding.causes) location(cause.after, cause.path, cause.message);
      });
      if (finding.allowed) suppression(*finding.allowed);
      json_.key("properties").object([&] {
        json_.key("schemagenLevel").string(name_of(finding.level));
        json_.key("bump").string(name_of(finding.bump));
        json_.key("effects").string(effects_text(finding.effects));
      });
    });
  }

  void suppression(const std::string& reason) {
    json_.key("suppressions").array([&] {
      json_.object([&] {
        json_.key("kind").string("inSource");
        json_.key("justification").string(reason);
      });
    });
  }

  static std::string message(const Finding& finding) {
    std::string text = finding.message;
    if (!finding.fix.empty()) text += "; hint: " + finding.fix;
    if (!finding.paste.empty()) text += ": " + finding.paste;
    return text;
  }

  void location(const Place& place, const std::string& path, const std::string& text) {
    if (place.file.empty()) return;
    json_.object([&] {
      json_.key("physicalLocation").object([&] {
        json_.key("artifactLocation").object([&] { json_.key("uri").string(file_uri(place.file)); });
        if (place.span.line > 0) json_.key("region").object([&] { region(place); });
      });
      if (!path.empty()) {
        json_.key("logicalLocations").array([&] {
          json_.object([&] { json_.key("fullyQualifiedName").string(path); });
        });
      }
      if (!text.empty()) json_.key("message").object([&] { json_.key("text").string(text); });
    });
  }

  /// Spans count bytes, but a viewer counts characters.
  void region(const Place& place) {
    const std::string_view line = findings_.sources.at(place.file).line(place.span.line);
    const std::size_t begin = characters(line, place.span.column - 1);
    const std::size_t end = characters(line, place.span.column - 1 + place.span.length);
    json_.key("startLine").number(static_cast<std::int64_t>(place.span.line));
    json_.key("startColumn").number(static_cast<std::int64_t>(begin + 1));
    json_.key("endColumn").number(static_cast<std::int64_t>(std::max(begin + 2, end + 1)));
  }

  /// How many characters begin in the first `bytes` of the line.
  static std::size_t characters(std::string_view line, std::size_t bytes) {
    const std::string_view head = line.substr(0, std::min(bytes, line.size()));
    return static_cast<std::size_t>(std::count_if(
        head.begin(), head.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }

  const Findings& findings_;
  std::string_view version_;
  std::map<const Rule*, std::size_t> indices_;
  JsonText json_;
};

}  // namespace

std::string findings_as_sarif(const Findings& findings, std::string_view version) {
  return SarifWriter(findings, version).write();
}

}  // namespace generator
