#include "text/finding_formats.h"

#include <map>

#include "text/characters.h"
#include "text/json_text.h"

namespace generator {
namespace {

template <typename IsPlain>
std::string percent_escaped(std::string_view text, const IsPlain& is_plain) {
  std::string out;
  for (const char c : text)
    out += is_plain(c) ? std::string(1, c) : "%" + hex(static_cast<unsigned char>(c), 2, kUpperHex);
  return out;
}

std::string file_uri(std::string_view file) {
  constexpr std::string_view kPlain = "-.~/";  // in a relative URI, a colon ends a scheme
  return (file.substr(0, 1) == "/" ? "file://" : "") +
         percent_escaped(file, [&](char c) { return is_name_char(c) || kPlain.find(c) != kPlain.npos; });
}

std::string escaped(std::string_view text, std::string_view special) {
  return percent_escaped(text, [&](char c) { return special.find(c) == special.npos; });
}

constexpr std::string_view kEndsMessage = "%\r\n";
constexpr std::string_view kEndsProperty = "%\r\n:,";

void write_message(JsonText& json, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  json.key(key).object("text", text);
}

void write_properties(JsonText& json, const SarifProperties& properties) {
  if (properties.empty()) return;
  json.key("properties").object([&] {
    for (const auto& [name, value] : properties) json.key(name).raw(value);
  });
}

void write_rule(JsonText& json, const SarifRule& rule) {
  json.object("id", rule.id, [&] {
    write_message(json, "shortDescription", rule.summary);
    write_message(json, "fullDescription", rule.explanation);
    write_message(json, "help", rule.help);
    json.key("defaultConfiguration").object("level", rule.level);
  });
}

void write_region(JsonText& json, const SarifPlace& place) {
  if (place.line != 0) {
    json.key("region").object("startLine", place.line, "startColumn", place.column, [&] {
      if (place.end_column != 0) json.members("endColumn", place.end_column);
    });
  } else if (place.offset) {
    json.key("region").object("byteOffset", *place.offset);
  }
}

void write_place(JsonText& json, const SarifPlace& place) {
  if (place.file.empty()) return;
  json.object([&] {
    json.key("physicalLocation").object([&] {
      json.key("artifactLocation").object("uri", file_uri(place.file));
      write_region(json, place);
    });
    json.key("logicalLocations").array(place.inside, [&](const std::string& name) {
      if (!name.empty()) json.object("fullyQualifiedName", name);
    });
    write_message(json, "message", place.message);
  });
}

void write_finding(JsonText& json, const SarifFinding& finding, std::size_t rule_index) {
  json.object("ruleId", finding.rule, "ruleIndex", rule_index, "level", finding.level, [&] {
    write_message(json, "message", finding.message);
    json.key("locations").array([&] { write_place(json, finding.place); });
    json.key("relatedLocations").array(finding.related, [&](const SarifPlace& place) {
      write_place(json, place);
    });
    if (finding.allowed) {
      json.key("suppressions").array([&] {
        json.object("kind", "inSource", "justification", *finding.allowed);
      });
    }
    write_properties(json, finding.properties);
  });
}

}  // namespace

std::string as_sarif(std::string_view tool, std::string_view version, const std::vector<SarifRule>& rules,
                     const std::vector<SarifFinding>& findings, const SarifProperties& properties) {
  std::map<std::string_view, std::size_t> indices;
  for (const SarifRule& rule : rules) indices.emplace(rule.id, indices.size());
  JsonText json;
  const auto write_rules = [&] { json.array(rules, [&](const SarifRule& rule) { write_rule(json, rule); }); };
  const auto write_run = [&] {
    json.key("tool").object(
        [&] { json.key("driver").object("name", tool, "version", version, "rules", write_rules); });
    json.members("columnKind", "unicodeCodePoints");
    json.key("results").array(findings, [&](const SarifFinding& finding) {
      write_finding(json, finding, indices.at(finding.rule));
    });
    write_properties(json, properties);
  };
  json.object("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
              [&] { json.array([&] { json.object(write_run); }); });
  return json.take();
}

std::string workflow_command(std::string_view level, const std::vector<CommandProperty>& properties,
                             std::string_view message) {
  std::string out = "::" + std::string(level);
  char separator = ' ';
  for (const auto& [name, value] : properties) {
    out.append(1, separator).append(name).append("=").append(escaped(value, kEndsProperty));
    separator = ',';
  }
  return out + "::" + escaped(message, kEndsMessage) + "\n";
}

}  // namespace generator
